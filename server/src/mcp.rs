//! Tools over the Model Context Protocol: `POST /mcp/guest` and `POST /mcp/staff`, stateless, for
//! clients of both protocol generations.
//!
//! ```text
//! CORS ─► bearer token (401) ─► rate limit (429) ─► size, time and format of the body (413, 400) ─► rmcp: host, origin, protocol ─► Handler
//! ```

mod accepted_formats;
mod answer_text;
mod cancel_on_disconnect;
#[cfg(feature = "conformance")]
mod conformance;
mod elicit_confirmation;
mod enforce_rate_limit;
mod handler;
mod message_validation;
mod progress_notifications;
mod tool_description;

use std::{convert::Infallible, sync::Arc};

use axum::{
    Router,
    extract::Request,
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
    routing::any,
};
use dewy_domain::{
    caller::{Interface, Persona},
    ports::ExecutionFeed,
};
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use tokio_util::sync::CancellationToken;
use tower::Service;
use tower_http::cors::{AllowOrigin, CorsLayer};
use url::Url;

use crate::{
    auth::{Bearer, TokenCheck, require_bearer},
    tool_calls::{call_boundary::CallBoundary, rate_limit::RateLimit},
};
pub use elicit_confirmation::{Confirm, Seals, StoredSeals};
use handler::Handler;

/// No tool needs more than a few hundred bytes; the rest is room for clients' metadata.
pub const BODY_LIMIT: usize = 256 * 1024;

/// Dependencies of the endpoints.
#[derive(Clone, Debug)]
pub struct McpParts {
    /// Runs the tools.
    pub boundary: Arc<CallBoundary>,
    pub execution_feed: Arc<dyn ExecutionFeed>,
    /// Asks for confirmation before money moves.
    pub confirm: Confirm,
    pub tokens: Arc<dyn TokenCheck>,
    /// Rate limit per bearer token.
    pub rate_limit: RateLimit,
    pub public_url: String,
    /// Closes open streams at shutdown.
    pub stop: CancellationToken,
}

pub fn router(parts: &McpParts) -> Router {
    let app = Router::new()
        .merge(endpoint("/mcp/guest", Persona::Guest, parts))
        .merge(endpoint("/mcp/staff", Persona::Staff, parts))
        .route("/mcp", any(no_endpoint))
        .route("/mcp/", any(no_endpoint))
        .route("/mcp/{*rest}", any(no_endpoint));
    #[cfg(feature = "conformance")]
    let app = app.merge(conformance::router(parts));
    app
}

async fn no_endpoint() -> Response {
    message_validation::refuse(
        StatusCode::NOT_FOUND,
        -32601,
        "there is no MCP server at this address: use /mcp/guest or /mcp/staff",
    )
}

fn endpoint(path: &str, persona: Persona, parts: &McpParts) -> Router {
    let desk = Handler::new(persona, parts);
    let sessions = Arc::new(NeverSessionManager::default());
    layered(
        path,
        persona,
        parts,
        false,
        StreamableHttpService::new(move || Ok(desk.clone()), sessions, config(parts)),
    )
}

/// Configuration of rmcp: no sessions, and plain JSON where one response is enough.
fn config(parts: &McpParts) -> StreamableHttpServerConfig {
    let (hosts, origins) = allowed(&parts.public_url);
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(BODY_LIMIT)
        .with_cancellation_token(parts.stop.child_token())
}

/// Layers in front of every endpoint.
fn layered<S>(path: &str, persona: Persona, parts: &McpParts, sessions: bool, service: S) -> Router
where
    S: Service<Request, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Response: IntoResponse,
    S::Future: Send + 'static,
{
    let bearer = Bearer {
        persona,
        interface: Interface::Mcp,
        tokens: Arc::clone(&parts.tokens),
    };
    Router::new()
        .route_service(&format!("{path}/"), service.clone())
        .route_service(path, service)
        .layer(from_fn_with_state(sessions, message_validation::validate))
        .layer(from_fn_with_state(
            parts.rate_limit.clone(),
            enforce_rate_limit::enforce_rate_limit,
        ))
        .layer(from_fn_with_state(bearer, require_bearer))
        .layer(cors(allowed(&parts.public_url).1))
}

/// Allowed hosts and origins: the public address and this machine.
fn allowed(public_url: &str) -> (Vec<String>, Vec<String>) {
    let mut hosts = vec![
        "localhost".to_owned(),
        "127.0.0.1".to_owned(),
        "::1".to_owned(),
    ];
    let mut origins = vec![
        "http://localhost:*".to_owned(),
        "http://127.0.0.1:*".to_owned(),
        "http://[::1]:*".to_owned(),
    ];
    if let Ok(url) = Url::parse(public_url)
        && let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default())
    {
        hosts.push(host.to_owned());
        origins.push(format!("{}://{host}:{port}", url.scheme()));
    }
    (hosts, origins)
}

/// CORS for clients that run in a browser: a preflight carries no token, so it is answered before
/// the token check.
fn cors(origins: Vec<String>) -> CorsLayer {
    let names = [
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-session-id",
    ]
    .map(HeaderName::from_static);
    let ours = AllowOrigin::predicate(move |origin: &HeaderValue, _| {
        let Some(origin) = origin.to_str().ok().and_then(|o| Url::parse(o).ok()) else {
            return false;
        };
        let (Some(host), Some(port)) = (origin.host_str(), origin.port_or_known_default()) else {
            return false;
        };
        let any_port = format!("{}://{host}:*", origin.scheme());
        let exact = format!("{}://{host}:{port}", origin.scheme());
        origins.iter().any(|o| *o == any_port || *o == exact)
    });
    CorsLayer::new()
        .allow_origin(ours)
        .allow_methods([Method::POST])
        .allow_headers(
            [header::AUTHORIZATION, header::CONTENT_TYPE, header::ACCEPT]
                .into_iter()
                .chain(names)
                .collect::<Vec<_>>(),
        )
        .expose_headers([header::WWW_AUTHENTICATE])
}
