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
        skew::apply(Timestamp::now())
    }

    async fn sleep(&self, pause: Duration) {
        tokio::time::sleep(pause).await;
    }
}

/// A wrong wall clock for one process, in builds with debug assertions only: the kill run makes it jump.
#[cfg(debug_assertions)]
mod skew {
    use std::{path::PathBuf, sync::OnceLock};

    use jiff::{SignedDuration, Timestamp};

    /// Environment variable: a file that holds the offset in whole seconds, read at each look at the clock.
    const VARIABLE: &str = "DEWY_CLOCK_OFFSET_FILE";

    pub(super) fn apply(now: Timestamp) -> Timestamp {
        static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
        let Some(file) = FILE.get_or_init(|| std::env::var_os(VARIABLE).map(PathBuf::from)) else { return now };
        // No file, or one that is being written: the clock is right.
        let offset = std::fs::read_to_string(file).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        now.saturating_add(SignedDuration::from_secs(offset)).unwrap_or(now)
    }
}

/// In all other builds the clock cannot be shifted.
#[cfg(not(debug_assertions))]
mod skew {
    pub(super) const fn apply(now: jiff::Timestamp) -> jiff::Timestamp {
        now
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
