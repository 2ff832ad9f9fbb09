//! Pages for everyone, without an account: the hotel, its rooms, and which of them are free.

mod art;
mod landing;
mod room_kind;
mod rooms;
mod search;

pub use self::{
    art::{ART, Art, room_picture},
    landing::LandingPage,
    rooms::FreeRoomsPage,
    search::{ROOM_TYPES, search},
};
