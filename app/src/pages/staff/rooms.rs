//! Rooms: all by floor, and each with its actions.

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

/// Path of the grid.
pub const PAGE: &str = "/staff/rooms";
/// Session key of room actions.
pub const FORM: &str = "room";
