//! Pages for guests and staff. The server renders them, and they work without scripts.
//!
//! ```text
//! browser ──GET──► a page ───────────┐                         ┌─► Dispatcher: tools
//! browser ──POST─► a form ───────────┴─► page context (caller) ┼─► Authenticator: sign-in, sessions
//!    ▲                                                         ├─► ExecutionFeed: executions, money, the sweep
//!    │                                                         └─► AuditReader, TokenAdmin: audit log, bearer tokens
//!    └── 303, and the page is loaded again; an island reloads it by itself after a change
//! ```
//!
//! Except for that island and those for keys, drag and drop, and the concierge, all code exists
//! only on the server (feature `ssr`), so the browser's bundle stays small.

#[cfg(not(any(erase_components, doc)))]
compile_error!(
    "build inside the workspace and without RUSTFLAGS: server and bundle must both be built with --cfg erase_components"
);

mod duration_text;
mod islands;

pub use islands::{ConciergePanel, DragAndDrop, KeyboardShortcuts, LivePage};

#[cfg(feature = "ssr")]
mod asset_path;
#[cfg(feature = "ssr")]
mod attention_summary;
#[cfg(feature = "ssr")]
mod components;
#[cfg(feature = "ssr")]
mod cookie;
#[cfg(feature = "ssr")]
mod cookie_check;
#[cfg(feature = "ssr")]
mod dates;
#[cfg(feature = "ssr")]
mod escape;
#[cfg(feature = "ssr")]
mod field_suggestions;
#[cfg(feature = "ssr")]
mod flash;
#[cfg(feature = "ssr")]
mod form_draft;
#[cfg(feature = "ssr")]
mod form_routes;
#[cfg(feature = "ssr")]
mod form_submission;
#[cfg(feature = "ssr")]
#[cfg(feature = "ssr")]
mod hotel_profile;
#[cfg(feature = "ssr")]
mod hotel_time;
#[cfg(feature = "ssr")]
mod html_document;
#[cfg(feature = "ssr")]
mod http_request;
#[cfg(feature = "ssr")]
mod idempotency_token;
#[cfg(feature = "ssr")]
mod kept_reviews;
#[cfg(feature = "ssr")]
mod labels;
#[cfg(feature = "ssr")]
mod language;
#[cfg(feature = "ssr")]
mod layout;
#[cfg(feature = "ssr")]
mod new_card_field;
#[cfg(feature = "ssr")]
mod page_context;
#[cfg(feature = "ssr")]
mod page_error;
#[cfg(feature = "ssr")]
mod page_url;
#[cfg(feature = "ssr")]
mod pages;
#[cfg(feature = "ssr")]
mod preferences;
#[cfg(feature = "ssr")]
mod reload_without_script;
#[cfg(feature = "ssr")]
mod render_page;
#[cfg(feature = "ssr")]
mod routes;
#[cfg(feature = "ssr")]
mod sign_out;
#[cfg(feature = "ssr")]
mod speculation;
#[cfg(feature = "ssr")]
mod style;
#[cfg(feature = "ssr")]
mod tool_form;

#[cfg(feature = "ssr")]
pub use self::{
    components::{ICONS, ICONS_PATH},
    cookie::read as request_cookie,
    form_routes::{FormRoute, form_routes},
    hotel_time::HotelClock,
    html_document::document,
    idempotency_token::TokenGenerator,
    language::{preferred_language, provide_language, reader_language},
    new_card_field::{PAY_SCRIPT, PAY_SCRIPT_PATH, PublishableKey, is_pay_page},
    page_context::PageContext,
    pages::{
        guest::Receipts,
        public::{ART, Illustration},
        staff::{CaseFilter, payment_days},
    },
    render_page::{NotFound, RouteParams},
    routes::{PageRoute, PageView, routes},
    speculation::{is_speculative, may_be_prerendered},
    style::{STYLE, STYLE_PATH},
};

/// Entry point in the browser: hydrates the islands of the page.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
}
