//! The machine's clock and randomness, for programs; tests pass their own.

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::ports::{Clock, Entropy};
use jiff::Timestamp;

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealClock;

#[async_trait]
impl Clock for RealClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    async fn sleep(&self, pause: Duration) {
        tokio::time::sleep(pause).await;
    }
}

/// The operating system's randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        if let Err(error) = getrandom::fill(bytes) {
            // Going on would mean guessable codes and tokens; there is no safe way but to stop.
            tracing::error!(%error, "the operating system gives no randomness");
            std::process::abort();
        }
    }
}
