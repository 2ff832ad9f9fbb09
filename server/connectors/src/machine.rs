//! The machine's clock and randomness, for programs; tests pass their own.

mod steady;

use std::{
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use dewy_domain::ports::{Clock, Entropy};
use jiff::Timestamp;

pub use self::steady::SteadyClock;

/// The machine's clock; one for the whole process, and steady.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealClock;

/// When the process first looked at a clock.
static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// What all of the process goes by.
static STEADY: LazyLock<SteadyClock> = LazyLock::new(|| SteadyClock::new(Arc::new(WallClock)));

/// The machine's clock as it is.
#[derive(Debug)]
struct WallClock;

#[async_trait]
impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        skew::apply(Timestamp::now())
    }

    fn uptime(&self) -> Duration {
        BEGUN.elapsed()
    }

    async fn sleep(&self, pause: Duration) {
        tokio::time::sleep(pause).await;
    }
}

#[async_trait]
impl Clock for RealClock {
    fn now(&self) -> Timestamp {
        STEADY.now()
    }

    fn wall(&self) -> Timestamp {
        STEADY.wall()
    }

    fn uptime(&self) -> Duration {
        STEADY.uptime()
    }

    async fn sleep(&self, pause: Duration) {
        STEADY.sleep(pause).await;
    }
}

/// A wrong wall clock for one process, in builds with debug assertions only: the kill run makes it
/// jump.
#[cfg(debug_assertions)]
mod skew {
    use std::{path::PathBuf, sync::OnceLock};

    use jiff::{SignedDuration, Timestamp};

    /// Environment variable: a file that holds the offset in whole seconds, read at each look at
    /// the clock.
    const VARIABLE: &str = "DEWY_CLOCK_OFFSET_FILE";

    pub(super) fn apply(now: Timestamp) -> Timestamp {
        static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
        let Some(file) = FILE.get_or_init(|| std::env::var_os(VARIABLE).map(PathBuf::from)) else {
            return now;
        };
        // No file, or one that is being written: the clock is right.
        let offset = std::fs::read_to_string(file)
            .ok()
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or(0);
        now.saturating_add(SignedDuration::from_secs(offset))
            .unwrap_or(now)
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
            tracing::error!(%error, "the operating system returned no randomness");
            std::process::abort();
        }
    }
}
