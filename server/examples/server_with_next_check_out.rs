//! A server with another version of the check-out saga, for all new check-outs. `cargo xtask kill --scenes`
//! runs it beside the normal program, as a rolling update would.

use anyhow::Context;
use dewy_orchestrators::CHECK_OUT;
use dewy_saga::Saga;
use dewy_server::{
    config::Config,
    startup::{overrides::Overrides, server::Server},
    tool_calls::telemetry,
};
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    telemetry::start_logs();
    let mut terminate = signal(SignalKind::terminate()).context("can't listen for signals")?;
    let changes = Overrides {
        sagas: with_next_check_out,
        ..Overrides::default()
    };
    let server = Server::start_with(&Config::from_env()?, changes).await?;
    terminate.recv().await;
    server.stop().await;
    Ok(())
}

fn with_next_check_out(mut sagas: Vec<Saga>) -> Vec<Saga> {
    let this = sagas
        .iter()
        .find(|saga| saga.definition().name == CHECK_OUT);
    let next = this
        .cloned()
        .map(|saga| saga.redefined(|definition| definition.version = 3));
    sagas.extend(next);
    sagas
}
