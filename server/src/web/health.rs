//! Liveness, readiness and metrics.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use http::{StatusCode, header};

use super::{WebParts, write_probe::WriteProbe};
use crate::tool_calls::telemetry;

/// Time without progress after which a writer makes the process not ready.
const STALLED_AFTER: Duration = Duration::from_secs(10);

/// Dependencies of the routes.
#[derive(Clone, Debug)]
struct Health {
    parts: WebParts,
    probe: WriteProbe,
}

/// `/healthz`, `/readyz`, `/metrics`.
pub fn router(parts: &WebParts) -> Router {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(Health {
            parts: parts.clone(),
            probe: WriteProbe::new(parts.store.clone(), Arc::clone(&parts.clock)),
        })
}

/// Liveness; for pages under `cargo xtask watch` it also identifies the process.
async fn alive() -> Response {
    let mut alive = "alive\n".into_response();
    if cfg!(debug_assertions) {
        alive
            .headers_mut()
            .insert("x-process", std::process::id().into());
    }
    alive
}

async fn ready(State(Health { parts, probe }): State<Health>) -> Response {
    if parts.stopping.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n").into_response();
    }
    if !parts.store.migrated().await {
        return (
            StatusCode::SERVICE_UNAVAILABLE,
            "the store cannot be reached, or is not migrated\n",
        )
            .into_response();
    }
    if let Some((since, why)) = parts
        .call_writer
        .stuck()
        .filter(|(since, _)| *since > STALLED_AFTER)
    {
        let text = format!(
            "calls have not been recorded for {} s: {why}\n",
            since.as_secs()
        );
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    }
    if let Some(why) = parts.system_status.access_refused() {
        return (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response();
    }
    if let Err(why) = probe.try_writing().await {
        let text = format!("nothing can be written: {why}\n");
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    }
    let mode = parts.system_status.mode();
    match parts.store.highest_mode().await {
        Ok(kept) if kept.is_none_or(|(kept, _)| kept <= mode) => {
            format!("ready\nmode {mode}\n").into_response()
        }
        Ok(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "another process has raised the mode of the store\n",
        )
            .into_response(),
        Err(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "the mode of the store cannot be read\n",
        )
            .into_response(),
    }
}

async fn metrics(State(Health { parts, .. }): State<Health>) -> Response {
    parts.metrics_source.refresh().await;
    (
        [(
            header::CONTENT_TYPE,
            "text/plain; version=0.0.4; charset=utf-8",
        )],
        telemetry::render(),
    )
        .into_response()
}
