//! Results of tools, as their code writes them, and as pages and the concierge read them. Their
//! schemas are in the tools' catalog entries. The results of `get_execution`, `search_executions`,
//! and `list_compensations` are in [`crate::execution_view`].

mod available_room;
mod booking_list_item;
mod booking_result;
mod case_list_item;
mod case_result;
mod charge_result;
mod check_in_result;
mod check_out_result;
mod compensation_result;
mod folio;
mod guest_list_item;
mod guest_result;
mod list_result;
mod own_case;
mod own_stay;
mod resolution_result;
mod room_list_item;
mod room_result;
mod undo_check_in_result;

pub use crate::output_schema::ListRow;
pub use available_room::AvailableRoom;
pub use booking_list_item::{BookingListItem, OwnBookingListItem};
pub use booking_result::BookingResult;
pub use case_list_item::{CaseListItem, CommentItem};
pub use case_result::CaseResult;
pub use charge_result::ChargeResult;
pub use check_in_result::CheckInResult;
pub use check_out_result::CheckOutResult;
pub use compensation_result::CompensationResult;
pub use folio::{Folio, FolioHold, FolioLine, SavedCard};
pub use guest_list_item::{GuestListItem, GuestStayItem};
pub use guest_result::GuestResult;
pub use list_result::ListResult;
pub use own_case::OwnCase;
pub use own_stay::OwnStay;
pub use resolution_result::ResolutionResult;
pub use room_list_item::RoomListItem;
pub use room_result::RoomResult;
pub use undo_check_in_result::UndoCheckInResult;
