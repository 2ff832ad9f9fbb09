//! HTTP routes: pages, events, MCP, health, metrics.
//!
//! ```text
//! every request ─► id and span ─► security headers ─┬─► pages, forms, events: own origin ─► session ─► Leptos
//!                                                   ├─► /mcp/…, /api/…: bearer token ─► tools
//!                                                   ├─► /webhooks/stripe: signature ─► signal
//!                                                   ├─► /webhooks/twilio: signature ─► status of a text
//!                                                   ├─► /pkg/…, favicon, robots
//!                                                   └─► /healthz /readyz /metrics
//! ```

mod anonymous_rate_limit;
mod audit_csv;
mod change_number_events;
mod conversation_events;
pub(crate) mod drained_body;
mod event_stream;
mod evidence;
mod execution_events;
mod guest_data;
mod health;
mod list_csv;
mod openapi;
mod origin_check;
mod page_routes;
mod pay_return;
mod rate_limit_page;
mod refusal_language;
mod refuse_speculation;
mod reject_unstorable_text;
mod request_context;
mod rest;
mod security_headers;
pub(crate) mod static_files;
mod stripe_webhook;
mod twilio_webhook;
pub(crate) mod warm_up;
mod write_probe;

use std::{sync::Arc, time::Duration};

use axum::{
    Extension, Router,
    middleware::{from_fn, from_fn_with_state},
};
use dewy_domain::hotel_calendar::HotelCalendar;
use dewy_domain::ports::{
    Attention, AuditReader, Board, BookingLinks, Clock, Concierge, ConfirmationPrompts, Dispatcher,
    Entropy, ExecutionFeed, PaymentReconciliation, PublicInventory, SavedCards, SavedViews,
    StayNotes, SystemStatus,
};
use dewy_store::Store;
use tokio_util::sync::CancellationToken;
use tower_http::{CompressionLevel, compression::CompressionLayer};

use anonymous_rate_limit::AnonymousRateLimit;
pub use openapi::document as openapi_document;
pub use origin_check::OwnOrigin;
pub use request_context::RequestContext;
pub use rest::{RestParts, router as rest_router};
pub use stripe_webhook::PaymentMonitor;

use crate::{
    auth::{
        SignInState, StoredTokens, TokenCheck,
        browser_cookie::{BrowserCookies, mark_browser},
        session_layer,
    },
    config::{
        client_address::{TrustedProxies, mark_client_address},
        installation_key::InstallationKey,
        wall_screen_access::{WallToken, mark_wall_screen},
    },
    mcp::{self, Confirm, McpParts, StoredSeals},
    ports::{audit::WriterHealth, text_delivery::TextDelivery},
    systems::{status_callback::StatusCallback, webhook_registration::WebhookSecrets},
    tool_calls::{
        call_boundary::CallBoundary,
        rate_limit::{Limit, RateLimit},
        request_span::request_id,
        telemetry::MetricsSource,
    },
};

/// A body that trickles in must not hold a connection forever.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// Dependencies of the routes.
#[derive(Clone, Debug)]
pub struct WebParts {
    /// Runs the tools.
    pub boundary: Arc<CallBoundary>,
    /// Feed of execution changes.
    pub execution_feed: Arc<dyn ExecutionFeed>,
    /// Links of confirmations.
    pub booking_links: Arc<dyn BookingLinks>,
    /// Board of the hotel.
    pub board: Arc<dyn Board>,
    /// Rooms for sale, for everyone.
    pub public_inventory: Arc<dyn PublicInventory>,
    /// Items that need attention.
    pub attention: Arc<dyn Attention>,
    /// Payment reconciliation.
    pub reconciliation: Arc<dyn PaymentReconciliation>,
    /// System status and fault injection.
    pub system_status: Arc<dyn SystemStatus>,
    /// Named filters of staff members.
    pub saved_views: Arc<dyn SavedViews>,
    /// Saved cards of the calling guest.
    pub saved_cards: Arc<dyn SavedCards>,
    /// Staff notes about stays.
    pub stay_notes: Arc<dyn StayNotes>,
    /// Confirmations before money moves.
    pub confirmations: Arc<dyn ConfirmationPrompts>,
    /// Conversations.
    pub concierge: Arc<dyn Concierge>,
    /// Audit log of calls.
    pub audit_reader: Arc<dyn AuditReader>,
    /// Authentication.
    pub sign_in_state: SignInState,
    /// Texts, and what became of them.
    pub text_delivery: Arc<TextDelivery>,
    /// Where Twilio reports to, if it can.
    pub status_callback: Option<StatusCallback>,
    /// Key of this installation.
    pub installation_key: InstallationKey,
    /// Proxies that are believed about their clients.
    pub trusted_proxies: TrustedProxies,
    /// Store.
    pub store: Store,
    /// Clock.
    pub clock: Arc<dyn Clock>,
    /// Source of randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Public address, without a trailing slash.
    pub public_url: String,
    /// Directory of the browser bundle.
    pub site_root: String,
    /// Calendar of pages.
    pub calendar: HotelCalendar,
    /// Profile of the hotel, as shown to guests.
    pub hotel: Arc<dewy_domain::hotel_profile::HotelProfile>,
    /// The hotel's own photos.
    pub photos: Vec<crate::ports::photos::Photo>,
    /// Stripe's publishable key, when Stripe is live and guests may enter a payment card.
    pub publishable_key: Option<String>,
    /// Where Stripe and Salesforce show their own pages.
    pub vendor_pages: dewy_app::VendorPages,
    /// Token of the screen on the wall.
    pub wall_token: Option<WallToken>,
    /// Watches for outside changes to payments.
    pub payment_monitor: Arc<dyn PaymentMonitor>,
    /// Secrets that sign Stripe's events.
    pub webhook_secrets: WebhookSecrets,
    /// Rate limit per bearer token.
    pub limit: Limit,
    /// Health of the audit writer.
    pub call_writer: Arc<WriterHealth>,
    /// Gauges for `/metrics`.
    pub metrics_source: Arc<dyn MetricsSource>,
    /// Canceled at shutdown: the server isn't ready, and streams end.
    pub stopping: CancellationToken,
    /// Canceled at the end of shutdown: remaining requests are aborted.
    pub cut_off: CancellationToken,
}

/// All routes. Their layers are two lists, outermost first: a request clones what a layer wraps, and
/// a list is boxed once.
pub fn router(parts: &WebParts) -> Router {
    let tokens: Arc<dyn TokenCheck> = Arc::new(StoredTokens {
        store: parts.store.clone(),
        clock: Arc::clone(&parts.clock),
        guests: parts.sign_in_state.guests(),
    });
    // Shared by both interfaces: calls over either count toward one limit.
    let pace = RateLimit::new(parts.limit);
    let mcp = mcp::router(&McpParts {
        boundary: Arc::clone(&parts.boundary),
        execution_feed: Arc::clone(&parts.execution_feed),
        confirm: confirm(parts),
        tokens: Arc::clone(&tokens),
        rate_limit: pace.clone(),
        public_url: parts.public_url.clone(),
        stop: parts.cut_off.clone(),
    });
    let rest = rest::router(&RestParts {
        dispatcher: Arc::clone(&parts.boundary) as Arc<dyn Dispatcher>,
        tokens,
        rate_limit: pace,
        public_url: parts.public_url.clone(),
    });
    let https = parts.public_url.starts_with("https:");
    let people = Router::new()
        .merge(execution_events::router(parts))
        .merge(change_number_events::router(parts))
        .merge(conversation_events::router(parts))
        .merge(
            page_routes::router(parts)
                .layer(CompressionLayer::new().quality(CompressionLevel::Fastest)),
        )
        .merge(audit_csv::router(parts))
        .merge(list_csv::router(parts))
        .merge(evidence::router(parts))
        .merge(guest_data::router(parts))
        .layer((
            from_fn_with_state(OwnOrigin::new(&parts.public_url), origin_check::own_origin),
            from_fn(refuse_speculation::refuse_speculation),
            from_fn(rate_limit_page::show_rate_limit_page),
            from_fn_with_state(parts.wall_token, mark_wall_screen),
            from_fn_with_state(
                BrowserCookies {
                    key: parts.installation_key.clone(),
                    entropy: Arc::clone(&parts.entropy),
                },
                mark_browser,
            ),
            session_layer(parts.store.clone()),
            from_fn_with_state(
                AnonymousRateLimit::default(),
                anonymous_rate_limit::enforce_rate_limit,
            ),
        ));
    Router::new()
        .merge(people)
        .merge(static_files::router(&parts.site_root, &parts.photos))
        .merge(mcp)
        .merge(rest)
        .merge(stripe_webhook::router(parts))
        .merge(twilio_webhook::router(parts))
        .merge(pay_return::router(parts))
        .merge(health::router(parts))
        .layer((
            Extension(Arc::clone(&parts.hotel)),
            from_fn_with_state(parts.trusted_proxies.clone(), mark_client_address),
            from_fn_with_state(
                (Arc::clone(&parts.clock), Arc::clone(&parts.entropy)),
                request_id,
            ),
            from_fn_with_state(https, security_headers::set_security_headers),
            from_fn(reject_unstorable_text::reject_unstorable_url),
        ))
}

fn confirm(parts: &WebParts) -> Confirm {
    let (clock, entropy) = (Arc::clone(&parts.clock), Arc::clone(&parts.entropy));
    let seals = StoredSeals {
        store: parts.store.clone(),
        installation_key: parts.installation_key.clone(),
        clock: Arc::clone(&clock),
        entropy: Arc::clone(&entropy),
    };
    Confirm {
        confirmations: Arc::clone(&parts.confirmations),
        seals: Arc::new(seals),
        clock,
        entropy,
    }
}
