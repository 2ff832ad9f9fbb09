//! Logs and metrics.

use std::{io::IsTerminal, sync::OnceLock};

use async_trait::async_trait;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

static METRICS: OnceLock<PrometheusHandle> = OnceLock::new();

/// Gauges that are computed when metrics are read, rather than counted as events happen.
#[async_trait]
pub trait MetricsSource: Send + Sync + std::fmt::Debug {
    /// Updates the gauges.
    async fn refresh(&self);
}

/// Starts logging to standard error, so that standard output belongs to the command. `RUST_LOG`
/// sets the filter (the MCP library is too verbose at `info`). Later calls do nothing.
pub fn start_logs() {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,rmcp=warn"));
    let color = std::io::stderr().is_terminal();
    let started = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(color)
        .try_init();
    if started.is_err() {
        tracing::debug!("logging was already initialized");
    }
}

/// Starts counting; once per process, however many servers it runs.
pub fn start_metrics() {
    METRICS.get_or_init(|| {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another metrics recorder is installed");
        }
        metrics::describe_counter!(
            "dewy_calls_total",
            "Tool calls by tool, outcome, and interface"
        );
        metrics::describe_gauge!(
            "dewy_executions",
            "Open executions by state (up to 1000 are counted)"
        );
        metrics::describe_counter!(
            "dewy_model_requests_total",
            "Requests to the language model by model and result"
        );
        metrics::describe_counter!(
            "dewy_model_tokens_total",
            "Tokens that the language model's server counted, by model and direction"
        );
        metrics::describe_counter!(
            "dewy_upstream_calls_total",
            "Calls to outside systems by system, operation, and outcome"
        );
        metrics::describe_gauge!(
            "dewy_salesforce_quota_used",
            "Calls used of the org's 24-hour quota"
        );
        metrics::describe_gauge!("dewy_salesforce_quota_limit", "The org's 24-hour quota");
        metrics::describe_gauge!(
            "dewy_call_writer_stuck_seconds",
            "Seconds for which the audit log could not be written; 0 if it can"
        );
        metrics::describe_counter!(
            "dewy_calls_set_aside_total",
            "Calls that the store refused to record, set aside with the reason"
        );
        metrics::describe_gauge!("dewy_running", "Executions running in this process");
        handle
    });
}

/// All metrics in the Prometheus text format.
pub fn render() -> String {
    METRICS.get().map_or_else(String::new, |handle| {
        handle.run_upkeep();
        handle.render()
    })
}
