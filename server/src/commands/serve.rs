//! `dewy serve`.

use anyhow::{Context, ensure};
use tokio::signal::unix::{SignalKind, signal};

use crate::{config::Config, startup::server::Server, tool_calls::telemetry};

/// Serves until SIGTERM or SIGINT, then shuts down gracefully.
pub async fn run(config: &Config) -> anyhow::Result<()> {
    telemetry::start_logs();
    let mut terminate = signal(SignalKind::terminate()).context("can't listen for signals")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("can't listen for signals")?;
    warn(config);
    let server = Server::start(config).await?;
    print_addresses(config, &server);
    let overtaken = server.overtaken.clone();
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        () = overtaken.cancelled() => {}
    }
    eprintln!(
        "Stopping: finishing or handing over work in progress. Press Ctrl-C again to stop now."
    );
    tokio::select! {
        () = server.stop() => {}
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    ensure!(
        !overtaken.is_cancelled(),
        "another process has raised the store's mode above {}",
        config.mode
    );
    Ok(())
}

fn warn(config: &Config) {
    if config.web.is_exposed_unencrypted() {
        tracing::warn!(
            "users reach this server over an unencrypted network; put TLS in front of it and set PUBLIC_URL to https"
        );
    }
    if !config.texts() {
        tracing::warn!(
            "Twilio is not configured: guests get no text messages, including sign-in codes"
        );
    } else if config.twilio.is_none() && !config.demo() {
        tracing::warn!(
            "Twilio is simulated: text messages, including sign-in codes, reach nobody; the sandbox lists them at /admin/state"
        );
    }
    if !config.model() {
        tracing::warn!("no model is configured (OPENAI_API_KEY), so the concierge is off");
    }
    if config.wants_otlp {
        tracing::warn!(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, but this release does not export traces"
        );
    }
}

fn print_addresses(config: &Config, server: &Server) {
    println!("Dewy Resort is open at {}", server.public_url);
    println!(
        "  guests   {0}/guest    MCP {0}/mcp/guest",
        server.public_url
    );
    println!(
        "  staff    {0}/staff    MCP {0}/mcp/staff",
        server.public_url
    );
    println!("  programs {0}/api/openapi.json", server.public_url);
    println!("  mode     {}", config.mode);
    if let Some(url) = &server.sandbox_url {
        let system = |real: bool| if real { "real" } else { "sandbox" };
        let [salesforce, stripe, twilio, model] = [
            config.salesforce.is_some(),
            config.stripe.is_some(),
            config.twilio.is_some(),
            config.llm.is_some(),
        ]
        .map(system);
        println!(
            "  sandbox  {url}    Salesforce: {salesforce}, Stripe: {stripe}, Twilio: {twilio}, the model: {model}"
        );
    }
    if let Some(day) = server.sandbox.as_ref().and_then(|s| s.stale_since) {
        println!(
            "  The sandbox's bookings were seeded on {day}. For today's: curl -X POST <sandbox>/admin/reset -d '{{\"seed\":1}}'"
        );
    }
}
