//! Pages for everyone, without an account: the hotel, its rooms, and which of them are free.

mod art;
mod landing;
mod offer;
mod room_kind;
mod rooms;
mod search;
mod stay_query;

pub use self::{
    art::{ART, Art, room_picture},
    landing::LandingPage,
    offer::{AvailableRoom, cards},
    rooms::FreeRoomsPage,
    search::{ROOM_TYPES, search},
    stay_query::StayQuery,
};
