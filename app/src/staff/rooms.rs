//! Rooms: all of them by floor, and each with what can be done about it.

mod defect;
mod face;
mod grid;
mod one;
mod set;

pub use self::{
    face::{Condition, Face},
    grid::RoomsPage,
    one::RoomPage,
    set::{moves, set_button},
};

/// The grid.
pub const PAGE: &str = "/staff/rooms";
/// The name of acts upon rooms in the session.
pub const FORM: &str = "room";
