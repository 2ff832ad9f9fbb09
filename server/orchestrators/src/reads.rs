//! The tools that only read.

pub(crate) mod get_execution;
pub(crate) mod get_folio;
pub(crate) mod list_answer;
pub(crate) mod list_compensations;
pub(crate) mod public_inventory;
pub(crate) mod search_bookings;
pub(crate) mod search_cases;
pub(crate) mod search_executions;
pub(crate) mod search_guests;
pub(crate) mod search_rooms;
pub(crate) mod stay_overview;
