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

use cfg_if::cfg_if;

mod duration_text;
mod islands;

pub use islands::{ConciergePanel, CopyButtons, DragAndDrop, KeyboardShortcuts, LivePage};

cfg_if! {
    if #[cfg(feature = "ssr")] {
        mod asset_path;
        mod attention_summary;
        mod components;
        mod cookie;
        mod cookie_check;
        mod dates;
        mod escape;
        mod field_suggestions;
        mod flash;
        mod form_draft;
        mod form_routes;
        mod form_submission;
        mod hotel_profile;
        mod hotel_time;
        mod html_document;
        mod http_request;
        mod idempotency_token;
        mod kept_reviews;
        mod labels;
        mod language;
        mod layout;
        mod new_card_field;
        mod page_context;
        mod page_error;
        mod page_url;
        mod pages;
        mod preferences;
        mod reload_without_script;
        mod render_page;
        mod routes;
        mod sign_out;
        mod speculation;
        mod style;
        mod tool_form;
        mod vendor_pages;

        pub use self::{
            components::{ICONS, ICONS_PATH},
            cookie::read as request_cookie,
            escape::escaped,
            form_routes::{FormRoute, form_routes},
            hotel_time::HotelClock,
            html_document::document,
            idempotency_token::TokenGenerator,
            language::{preferred_language, provide_language, reader_language},
            new_card_field::{PAY_SCRIPT, PAY_SCRIPT_PATH, PublishableKey, is_pay_page},
            page_context::PageContext,
            pages::{
                guest::GuestEmails,
                public::{ART, Illustration},
                staff::{CaseFilter, payment_days},
            },
            render_page::{NotFound, RouteParams},
            routes::{PageRoute, PageView, routes},
            speculation::{is_speculative, may_be_prerendered},
            style::{STYLE, STYLE_PATH},
            vendor_pages::VendorPages,
        };
    }
}

/// Entry point in the browser: hydrates the islands of the page.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
}
