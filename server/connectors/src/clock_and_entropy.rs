//! Real clock and randomness, for programs; tests pass their own.

mod steady_clock;

use std::{
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use dewy_domain::ports::{Clock, Entropy};
use jiff::Timestamp;

pub use self::steady_clock::SteadyClock;

/// System clock; one for the whole process, smoothed.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealClock;

/// Time at which the process first read a clock.
static PROCESS_START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Clock shared by the whole process.
static SHARED_CLOCK: LazyLock<SteadyClock> =
    LazyLock::new(|| SteadyClock::new(Arc::new(WallClock)));

/// Raw system clock.
#[derive(Debug)]
struct WallClock;

#[async_trait]
impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        skew::apply(Timestamp::now())
    }

    fn uptime(&self) -> Duration {
        PROCESS_START.elapsed()
    }

    async fn sleep(&self, pause: Duration) {
        tokio::time::sleep(pause).await;
    }
}

#[async_trait]
impl Clock for RealClock {
    fn now(&self) -> Timestamp {
        SHARED_CLOCK.now()
    }

    fn wall(&self) -> Timestamp {
        SHARED_CLOCK.wall()
    }

    fn uptime(&self) -> Duration {
        SHARED_CLOCK.uptime()
    }

    async fn sleep(&self, pause: Duration) {
        SHARED_CLOCK.sleep(pause).await;
    }
}

/// Shifts the wall clock of one process, only in builds with debug assertions: the torture test
/// makes it jump.
#[cfg(debug_assertions)]
mod skew {
    use std::{path::PathBuf, sync::OnceLock};

    use jiff::{SignedDuration, Timestamp};

    /// Environment variable: a file that holds the offset in whole seconds, read on each access to
    /// the clock.
    const VARIABLE: &str = "DEWY_CLOCK_OFFSET_FILE";

    pub(super) fn apply(now: Timestamp) -> Timestamp {
        static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
        let Some(file) = FILE.get_or_init(|| std::env::var_os(VARIABLE).map(PathBuf::from)) else {
            return now;
        };
        // No file, or one that is being written: no offset.
        let offset = std::fs::read_to_string(file)
            .ok()
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or(0);
        now.saturating_add(SignedDuration::from_secs(offset))
            .unwrap_or(now)
    }
}

/// In all other builds the clock can't be shifted.
#[cfg(not(debug_assertions))]
mod skew {
    pub(super) const fn apply(now: jiff::Timestamp) -> jiff::Timestamp {
        now
    }
}

/// Randomness of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        if let Err(error) = getrandom::fill(bytes) {
            // Continuing would mean guessable codes and tokens; the only safe way is to stop.
            tracing::error!(%error, "the operating system returned no randomness");
            std::process::abort();
        }
    }
}
