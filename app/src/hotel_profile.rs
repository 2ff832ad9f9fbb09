//! The hotel's own facts.

use std::sync::Arc;

use dewy_domain::hotel_profile::HotelProfile;
use leptos::prelude::use_context;

pub fn hotel() -> Arc<HotelProfile> {
    use_context().unwrap_or_default()
}
