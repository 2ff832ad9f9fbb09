//! `dewy sweep`.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, bail};
use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::{
    orphan_check_view::OrphanCheckView,
    ports::{Clock, Entropy},
};
use dewy_orchestrators::Hotel;
use dewy_store::{OpenError, Store};
use tokio_util::sync::CancellationToken;

use crate::{
    config::Config,
    ports::stripe_account_memory::StoredStripeAccount,
    startup::{
        open_store,
        orphan_check_schedule::{OrphanCheckSchedule, request_run},
        wiring::{connect_sandbox, hotel_parts},
    },
    systems::connect_systems::Systems,
    tool_calls::telemetry,
};

/// Time to wait for a serving process to run the sweep.
const MAX_WAIT: Duration = Duration::from_secs(300);
/// Time to wait for executions that the sweep started before leaving them to the next process.
const FINISH: Duration = Duration::from_secs(60);

/// Checks once for orphaned payments and reports the result; fails if it couldn't check everywhere.
/// If another process must run the sweep, it asks that process (a SQLite file has one worker, and
/// an in-process sandbox belongs to its process).
pub async fn run(config: &Config) -> anyhow::Result<()> {
    telemetry::start_logs();
    let clock: Arc<dyn Clock> = Arc::new(RealClock);
    let store = open_store::to_write(config).await?;
    if let Some((kept, _)) = store
        .highest_mode()
        .await?
        .filter(|(kept, _)| *kept != config.mode)
    {
        store.close().await;
        bail!(
            "this store is in mode {kept}, and DEWY_MODE is {}; only `dewy serve` can raise it",
            config.mode
        );
    }
    let view = if may_work(config, &store).await? {
        sweep(config, &store, &clock).await?
    } else {
        let view = request_run(&store, clock.as_ref(), &OsEntropy, MAX_WAIT).await?;
        view.context("no server has run the sweep within five minutes; is one running?")?
    };
    store.close().await;
    println!(
        "Checked {} payments: {} of ours were orphaned; {} compensations started, {} need a person.",
        view.looked_at, view.found, view.fixed, view.flagged
    );
    if view.reported_only {
        println!("This was this installation's first run, which only reports. The next one acts.");
    }
    if view.foreign > 0 {
        println!(
            "{} payments on this account belong to other programs; they are left alone.",
            view.foreign
        );
    }
    for (installation, payments) in &view.other_installations {
        println!(
            "{payments} payments belong to installation {installation}; if its store is lost, run: dewy adopt {installation}"
        );
    }
    for failure in &view.failures {
        println!("Undecided: {failure}");
    }
    if view.failed > 0 {
        println!(
            "{} could not be decided; the next sweep checks them again.",
            view.failed
        );
    }
    match view.error {
        Some(error) => bail!("a part of the sweep failed: {error}"),
        None => Ok(()),
    }
}

/// Whether this process may run executions itself.
async fn may_work(config: &Config, store: &Store) -> anyhow::Result<bool> {
    if !config.database_url.starts_with("sqlite:") {
        return Ok(!config.needs_sandbox() || config.sandbox.url.is_some());
    }
    match store.lock_for_serving().await {
        Ok(()) => Ok(true),
        Err(OpenError::Served(_)) => Ok(false),
        Err(other) => Err(other.into()),
    }
}

async fn sweep(
    config: &Config,
    store: &Store,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<OrphanCheckView> {
    let entropy: Arc<dyn Entropy> = Arc::new(OsEntropy);
    let (sandbox, url) = connect_sandbox(config, Arc::clone(clock)).await?;
    let account = Arc::new(StoredStripeAccount {
        store: store.clone(),
        read_only: false,
    });
    let systems = Systems::connect(
        config,
        url.as_deref().unwrap_or_default(),
        Some(account),
        None,
        clock,
        &entropy,
    );
    let installation = store.installation(entropy.as_ref()).await?;
    let public_url = config.web.public_url(config.web.address);
    let hotel = Hotel::new(hotel_parts(
        config,
        installation,
        &public_url,
        store,
        &systems,
        clock,
        &entropy,
    ));
    let sweeper = OrphanCheckSchedule::new(
        Arc::clone(&hotel) as _,
        store.clone(),
        Arc::clone(clock),
        entropy.as_ref(),
        config.sweep.interval,
    );
    let stopping = CancellationToken::new();
    let work = tokio::spawn(Arc::clone(&hotel).work(stopping.clone()));
    let view = sweeper.run().await;
    finish(&hotel).await;
    stopping.cancel();
    work.await?;
    if let Some(sandbox) = sandbox {
        sandbox.stop().await;
    }
    view?.context("another process is running the sweep")
}

/// Waits, up to a limit, until the started executions are at rest; the next process continues the
/// rest.
async fn finish(hotel: &Hotel) {
    let quiet = async {
        let mut still = 0;
        // Checked more than once, because a signal is picked up a moment later.
        while still < 3 {
            tokio::time::sleep(Duration::from_millis(500)).await;
            still = if hotel.engine().running() == 0 {
                still + 1
            } else {
                0
            };
        }
    };
    if tokio::time::timeout(FINISH, quiet).await.is_err() {
        tracing::warn!(
            "the sweep's compensations are not finished; the next `dewy serve` continues them"
        );
    }
}
