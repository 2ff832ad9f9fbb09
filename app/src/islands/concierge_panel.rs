//! Island of the concierge's panel. It renders nothing itself: it opens the panel beside a page,
//! sends the panel's forms without leaving the page, and shows text as it arrives. Complete content
//! always comes from the server.
//!
//! ```text
//! a form in [data-panel] ──► POST, follows the 303 ──► the page's own panel, region by region
//! data-events ──► EventSource: { seq, busy, begins, text } ──► text at once; another seq ──► GET data-url, region by region
//! ```

#[cfg(feature = "hydrate")]
mod concierge_dock;
#[cfg(feature = "hydrate")]
mod conversation_stream;
#[cfg(feature = "hydrate")]
mod log_scroll;
#[cfg(feature = "hydrate")]
mod message_draft;
#[cfg(feature = "hydrate")]
mod panel_element;
#[cfg(feature = "hydrate")]
mod panel_requests;
#[cfg(feature = "hydrate")]
mod pending_message;
#[cfg(feature = "hydrate")]
mod replace_regions;
#[cfg(feature = "hydrate")]
mod streamed_text;

use leptos::prelude::*;

#[cfg(feature = "hydrate")]
use super::after_prerender::once_shown;

/// Activates the panel, wherever it is.
#[island]
pub fn ConciergePanel() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    Effect::new(|| once_shown(concierge_dock::begin));
    view! { <span hidden class="talk-wakes"></span> }
}
