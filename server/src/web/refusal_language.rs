//! Language of error responses that aren't pages.

use std::sync::Arc;

use axum::extract::Request;
use dewy_app::reader_language;
use dewy_domain::hotel_profile::HotelProfile;
use dewy_languages::Language;

/// The reader's language, or else the hotel's, which the router adds to every request.
pub(super) fn language(request: &Request) -> Language {
    let hotel = request.extensions().get::<Arc<HotelProfile>>();
    let hotel = hotel.cloned().unwrap_or_default();
    reader_language(request.uri().path(), request.headers(), &hotel)
}
