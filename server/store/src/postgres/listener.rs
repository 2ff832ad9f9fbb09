//! One listening connection for the whole process.

use std::{sync::Arc, time::Duration};

use sqlx::{
    Executor,
    postgres::{PgConnectOptions, PgListener, PgPoolOptions},
};
use tokio::{task::AbortHandle, time::timeout};

use crate::work_signal::WorkSignal;

/// Pause before reconnecting.
const PAUSE: Duration = Duration::from_secs(2);

/// Silence after which the connection is tested: a link may die silently, and a gateway may drop
/// it.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Timeout of such a test.
const TEST: Duration = Duration::from_secs(5);

/// The listening task; it ends when the store closes or with its last handle.
#[derive(Debug)]
pub(super) struct Listener(AbortHandle);

impl Drop for Listener {
    fn drop(&mut self) {
        self.end();
    }
}

impl Listener {
    pub(super) fn end(&self) {
        self.0.abort();
    }

    pub(super) fn start(options: PgConnectOptions, work_signal: Arc<WorkSignal>) -> Self {
        Self(tokio::spawn(listen(options, work_signal)).abort_handle())
    }
}

async fn listen(options: PgConnectOptions, work_signal: Arc<WorkSignal>) {
    loop {
        if let Err(error) = forward_notifications(&options, &work_signal).await {
            // Nothing is lost: every worker polls.
            tracing::debug!(%error, "the notification listener is disconnected");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn forward_notifications(
    options: &PgConnectOptions,
    work_signal: &WorkSignal,
) -> Result<(), sqlx::Error> {
    // A pool of one, recreated each time, so that nothing of a dead connection remains.
    let one = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(TEST)
        .connect_lazy_with(options.clone());
    let mut listener = PgListener::connect_with(&one).await?;
    listener.eager_reconnect(false);
    within(listener.listen("dewy_due")).await?;
    // A notification may have been missed meanwhile.
    work_signal.notify();
    loop {
        match timeout(IDLE_TIMEOUT, listener.try_recv()).await {
            Ok(Ok(Some(_))) => work_signal.notify(),
            Ok(Ok(None)) => return Ok(()),
            Ok(Err(error)) => return Err(error),
            Err(_) => {
                within(listener.execute("select 1")).await?;
            }
        }
    }
}

async fn within<T>(work: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, sqlx::Error> {
    timeout(TEST, work)
        .await
        .unwrap_or(Err(sqlx::Error::PoolTimedOut))
}
