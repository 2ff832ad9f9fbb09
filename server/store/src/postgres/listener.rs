//! One connection that listens, for all who wait in this process.

use std::{sync::Arc, time::Duration};

use sqlx::{
    Executor,
    postgres::{PgConnectOptions, PgListener, PgPoolOptions},
};
use tokio::{task::AbortHandle, time::timeout};

use crate::work_signal::WorkSignal;

/// The pause before connecting again.
const PAUSE: Duration = Duration::from_secs(2);

/// The silence after which the connection is tested: a link may be dead without a word, and a
/// gateway may forget it.
const SILENCE: Duration = Duration::from_secs(30);

/// The time such a test may take.
const TEST: Duration = Duration::from_secs(5);

/// The listening task; it ends with the last handle of the store.
#[derive(Debug)]
pub(super) struct Listening(AbortHandle);

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Listening {
    pub(super) fn start(options: PgConnectOptions, work_signal: Arc<WorkSignal>) -> Self {
        Self(tokio::spawn(listen(options, work_signal)).abort_handle())
    }
}

async fn listen(options: PgConnectOptions, work_signal: Arc<WorkSignal>) {
    loop {
        if let Err(error) = hear(&options, &work_signal).await {
            // Nothing is lost by it: everybody polls.
            tracing::debug!(%error, "the notification listener is disconnected");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn hear(options: &PgConnectOptions, work_signal: &WorkSignal) -> Result<(), sqlx::Error> {
    // A pool of one, made anew each time: what is left of a dead connection goes with it.
    let one = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(TEST)
        .connect_lazy_with(options.clone());
    let mut listener = PgListener::connect_with(&one).await?;
    listener.eager_reconnect(false);
    within(listener.listen("dewy_due")).await?;
    // Something may have been rung while nobody listened.
    work_signal.ring();
    loop {
        match timeout(SILENCE, listener.try_recv()).await {
            Ok(Ok(Some(_))) => work_signal.ring(),
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
