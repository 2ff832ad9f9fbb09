//! `dewy sandbox`.

use dewy_connectors::RealClock;
use std::sync::Arc;

use anyhow::{Context, ensure};
use dewy_domain::deployment_mode::DeploymentMode;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

use crate::{commands::cli::SandboxArgs, config::Config, startup::sandbox, tool_calls::telemetry};

/// Serves the sandbox until SIGTERM or SIGINT.
pub async fn run(config: &Config, args: &SandboxArgs) -> anyhow::Result<()> {
    telemetry::start_logs();
    ensure!(
        config.mode < DeploymentMode::Live,
        "the sandbox can't run with DEWY_MODE=live"
    );
    ensure!(
        args.addr.ip().is_loopback(),
        "the sandbox listens on loopback only: anyone who can reach it controls it"
    );
    let mut terminate = signal(SignalKind::terminate()).context("can't listen for signals")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("can't listen for signals")?;
    let listener = TcpListener::bind(args.addr)
        .await
        .with_context(|| format!("can't listen on {} (--addr)", args.addr))?;
    let latency = config.sandbox.reference_latency;
    let mut running = sandbox::start(
        listener,
        &args.data,
        &config.hotel,
        latency,
        Arc::new(RealClock),
    )
    .await?;
    println!("Sandbox (Salesforce, Stripe) at {}", running.url);
    if let Some(day) = running.stale_since {
        println!(
            "Its bookings were seeded on {day}. For today's: curl -X POST {}/admin/reset -d '{{\"seed\":1}}'",
            running.url
        );
    }
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        ended = running.ended() => return ended,
    }
    running.stop().await;
    Ok(())
}
