//! Alive, ready, and how it goes.

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use http::{StatusCode, header};

use super::WebParts;
use crate::telemetry;

/// `/healthz`, `/readyz`, `/metrics`.
pub fn router(parts: &WebParts) -> Router {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(parts.clone())
}

/// Alive; and, for pages under `cargo xtask watch`, which process it is.
async fn alive() -> Response {
    let mut alive = "alive\n".into_response();
    if cfg!(debug_assertions) {
        alive.headers_mut().insert("x-process", std::process::id().into());
    }
    alive
}

async fn ready(State(parts): State<WebParts>) -> Response {
    if parts.stopping.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n").into_response();
    }
    if !parts.store.migrated().await {
        return (StatusCode::SERVICE_UNAVAILABLE, "the store cannot be reached, or is not migrated\n").into_response();
    }
    let mode = parts.backstage.mode();
    match parts.store.mode().await {
        Ok(kept) if kept.is_none_or(|(kept, _)| kept <= mode) => format!("ready\nmode {mode}\n").into_response(),
        Ok(_) => {
            (StatusCode::SERVICE_UNAVAILABLE, "another process has raised the mode of the store\n").into_response()
        }
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the mode of the store cannot be read\n").into_response(),
    }
}

async fn metrics(State(parts): State<WebParts>) -> Response {
    parts.gauges.refresh().await;
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], telemetry::render()).into_response()
}
