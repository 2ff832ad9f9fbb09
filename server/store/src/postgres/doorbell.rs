//! One connection that listens, for all who wait in this process.

use std::{sync::Arc, time::Duration};

use sqlx::{PgPool, postgres::PgListener};
use tokio::task::AbortHandle;

use crate::bell::Bell;

/// How long to wait before connecting again.
const PAUSE: Duration = Duration::from_secs(2);

/// The listening task; it ends with the last handle of the store.
#[derive(Debug)]
pub(super) struct Listening(AbortHandle);

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Listening {
    pub(super) fn start(pool: PgPool, bell: Arc<Bell>) -> Self {
        Self(tokio::spawn(listen(pool, bell)).abort_handle())
    }
}

async fn listen(pool: PgPool, bell: Arc<Bell>) {
    while !pool.is_closed() {
        if let Err(error) = hear(&pool, &bell).await {
            // Nothing is lost by it: everybody polls.
            tracing::debug!(%error, "the doorbell is disconnected");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn hear(pool: &PgPool, bell: &Bell) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    // A pool that closes must not wait for the one connection that never comes back by itself.
    listener.ignore_pool_close_event(false);
    listener.listen("dewy_due").await?;
    loop {
        // `None` is a lost connection: something may have been rung meanwhile.
        let lost = listener.try_recv().await?.is_none();
        bell.ring();
        if lost {
            return Ok(());
        }
    }
}
