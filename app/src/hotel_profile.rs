//! The hotel's own facts.

use dewy_domain::hotel_profile::HotelProfile;
use leptos::prelude::use_context;

/// Hotel of this request.
pub fn hotel() -> HotelProfile {
    use_context().unwrap_or_default()
}
