//! Everything that is served: pages, events, MCP, health, metrics.
//!
//! ```text
//! every request ─► id and span ─► security headers ─┬─► pages, forms, events: own origin ─► session ─► Leptos
//!                                                   ├─► /mcp/…, /api/…: bearer token ─► tools
//!                                                   ├─► /webhooks/stripe: signature ─► signal
//!                                                   ├─► /pkg/…, favicon, robots
//!                                                   └─► /healthz /readyz /metrics
//! ```

mod assets;
mod audit_csv;
mod context;
mod conversation;
mod events;
mod headers;
mod health;
mod list_csv;
mod openapi;
mod origin;
mod pages;
mod pay_return;
mod request_id;
mod rest;
mod slow;
mod strangers;
mod stripe;
mod text;

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    middleware::{from_fn, from_fn_with_state},
};
use dewy_domain::ports::{
    Attention, AuditReader, Board, Clock, Concierge, Confirmations, Dispatcher, Entropy,
    ExecutionFeed, PaymentReconciliation, StayNotes, SystemStatus,
};
use dewy_store::Store;
use tokio_util::sync::CancellationToken;
use tower_http::{CompressionLevel, compression::CompressionLayer};

pub use context::RequestContext;
pub use openapi::document as openapi_document;
pub use origin::OwnOrigin;
pub use request_id::{RequestId, RequestSpan};
pub use rest::{RestParts, refusal, router as rest_router};
pub use slow::SentAway;
use strangers::Strangers;
pub use stripe::{KINDS as STRIPE_KINDS, MoneyWatch, PATH as STRIPE_PATH};

use crate::{
    audit::WriterHealth,
    auth::{Door, TokenCheck, Tokens, session_layer},
    mcp::{self, Confirm, Limit, McpParts, RateLimit, StoredSeals},
    telemetry::MetricsSource,
    webhook_registration::Secrets,
};

/// A body that trickles in must not hold a connection for ever.
const BODY_WITHIN: Duration = Duration::from_secs(20);

/// What the routes need.
#[derive(Clone, Debug)]
pub struct WebParts {
    /// Tools, guarded.
    pub dispatcher: Arc<dyn Dispatcher>,
    /// Executions.
    pub watch: Arc<dyn ExecutionFeed>,
    /// The hotel at a glance.
    pub board: Arc<dyn Board>,
    /// What waits for people.
    pub attention: Arc<dyn Attention>,
    /// Payments side by side.
    pub reconciliation: Arc<dyn PaymentReconciliation>,
    /// How the outside systems are, and the fault injection.
    pub system_status: Arc<dyn SystemStatus>,
    /// What staff write down about stays.
    pub stay_notes: Arc<dyn StayNotes>,
    /// What people are asked before money moves.
    pub quotes: Arc<dyn Confirmations>,
    /// Conversations.
    pub concierge: Arc<dyn Concierge>,
    /// The record of calls.
    pub ledger: Arc<dyn AuditReader>,
    /// Sign-in.
    pub door: Door,
    /// The store.
    pub store: Store,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Under which address people see us; without a slash at the end.
    pub public_url: String,
    /// Where the browser bundle is.
    pub site_root: String,
    /// In which zone pages tell times.
    pub time_zone: jiff::tz::TimeZone,
    /// The hotel, as guests are told about it.
    pub hotel: dewy_domain::hotel_profile::HotelProfile,
    /// Type and bytes of the hotel's photo.
    pub photo: Option<(&'static str, axum::body::Bytes)>,
    /// Stripe's key for browsers, where Stripe is live: guests may type a card.
    pub publishable_key: Option<String>,
    /// What others do to the money of payments.
    pub money: Arc<dyn MoneyWatch>,
    /// Who signs Stripe's events.
    pub webhook_secrets: Secrets,
    /// How often a principal may call.
    pub limit: Limit,
    /// How the writing of the record of calls goes.
    pub call_writer: Arc<WriterHealth>,
    /// What `/metrics` reads when it is asked.
    pub gauges: Arc<dyn MetricsSource>,
    /// We are going down: not ready, and no stream goes on.
    pub stopping: CancellationToken,
    /// The last moment: what still runs is cut off.
    pub cut_off: CancellationToken,
}

/// All routes.
pub fn router(parts: &WebParts) -> Router {
    let tokens: Arc<dyn TokenCheck> = Arc::new(Tokens {
        store: parts.store.clone(),
        clock: Arc::clone(&parts.clock),
    });
    // One for both: who is too fast here is too fast there.
    let pace = RateLimit::new(Arc::clone(&parts.clock), parts.limit);
    let mcp = mcp::router(&McpParts {
        dispatcher: Arc::clone(&parts.dispatcher),
        watch: Arc::clone(&parts.watch),
        confirm: confirm(parts),
        tokens: Arc::clone(&tokens),
        pace: pace.clone(),
        public_url: parts.public_url.clone(),
        stop: parts.cut_off.clone(),
    });
    let rest = rest::router(&RestParts {
        dispatcher: Arc::clone(&parts.dispatcher),
        tokens,
        pace,
        public_url: parts.public_url.clone(),
    });
    let https = parts.public_url.starts_with("https:");
    let people = Router::new()
        .merge(events::router(parts))
        .merge(conversation::router(parts))
        .merge(
            pages::router(parts).layer(CompressionLayer::new().quality(CompressionLevel::Fastest)),
        )
        .merge(audit_csv::router(parts))
        .merge(list_csv::router(parts))
        .layer(from_fn_with_state(
            Strangers::new(Arc::clone(&parts.clock)),
            strangers::keep_pace,
        ))
        .layer(session_layer(parts.store.clone(), https))
        .layer(from_fn(slow::slow))
        .layer(from_fn_with_state(
            OwnOrigin::new(&parts.public_url),
            origin::own_origin,
        ));
    Router::new()
        .merge(people)
        .merge(assets::router(&parts.site_root, parts.photo.as_ref()))
        .merge(mcp)
        .merge(rest)
        .merge(stripe::router(parts))
        .merge(pay_return::router(parts))
        .merge(health::router(parts))
        .layer(from_fn(text::storable_address))
        .layer(from_fn(headers::security))
        .layer(from_fn_with_state(
            (Arc::clone(&parts.clock), Arc::clone(&parts.entropy)),
            request_id::request_id,
        ))
}

fn confirm(parts: &WebParts) -> Confirm {
    let (clock, entropy) = (Arc::clone(&parts.clock), Arc::clone(&parts.entropy));
    let seals = StoredSeals {
        store: parts.store.clone(),
        clock: Arc::clone(&clock),
        entropy: Arc::clone(&entropy),
    };
    Confirm {
        quotes: Arc::clone(&parts.quotes),
        seals: Arc::new(seals),
        clock,
        entropy,
    }
}
