//! Rooms: all by floor, and each with its actions.

pub mod report_defect;
mod room_grid;
mod room_page;
mod room_state;
pub mod set_room_status;

pub use self::{
    room_grid::rooms_page,
    room_page::room_page,
    room_state::{Condition, RoomState},
    set_room_status::{moves, set_button},
};

pub const PAGE: &str = "/staff/rooms";
pub const FORM: &str = "room";
