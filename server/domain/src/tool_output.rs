//! Results of tools, as their code writes them, and as pages and the concierge read them. Their
//! schemas are in the tools' catalog entries.

mod available_room;
mod folio;
mod own_stay;
mod stay_changes;

pub use available_room::{AvailableRoom, AvailableRooms};
pub use folio::{Folio, FolioLine, SavedCard};
pub use own_stay::{OwnStay, OwnStays};
pub use stay_changes::{CheckInResult, CheckOutResult};
