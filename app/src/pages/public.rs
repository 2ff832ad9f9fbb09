//! Pages for everyone, without an account: the hotel, its rooms, and which of them are free.

mod available_rooms;
pub(crate) mod demo_strip;
mod hotel_document;
mod hotel_information;
mod illustrations;
mod landing;
mod room_offers;
mod room_type;
mod search_form;
mod stay_query;

pub use self::{
    available_rooms::{all_kinds, free_rooms_page},
    hotel_document::{privacy_page, terms_page},
    hotel_information::{StayPhase, hotel_information},
    illustrations::{ART, Illustration, room_picture},
    landing::landing_page,
    room_offers::{cards, free_rooms, room_description, room_sum, search_rooms, too_small_for},
    search_form::{ROOM_TYPES, search},
    stay_query::StayQuery,
};
