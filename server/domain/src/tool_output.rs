//! Results of tools that read, as their code writes them and the concierge reads them. Their schemas
//! are in the tools' catalog entries.

mod available_room;
mod folio;
mod own_stay;

pub use available_room::{AvailableRoom, AvailableRooms};
pub use folio::{Folio, FolioLine, SavedCard};
pub use own_stay::{OwnStay, OwnStays};
