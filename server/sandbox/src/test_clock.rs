//! Test support for all crates: a clock on tokio's (pausable) time.

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::ports::Clock;
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

/// Starts at 2026-03-10T12:00:00Z and follows tokio's time; must be created inside a runtime.
#[derive(Clone, Debug)]
pub struct TestClock {
    epoch: Timestamp,
    start: Instant,
}

impl TestClock {
    /// Clock that starts now.
    #[must_use]
    pub fn new() -> Self {
        Self {
            epoch: Timestamp::constant(1_773_144_000, 0),
            start: Instant::now(),
        }
    }
}

impl Default for TestClock {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        let gone = SignedDuration::try_from(self.start.elapsed()).unwrap_or(SignedDuration::MAX);
        self.epoch.saturating_add(gone).unwrap_or(self.epoch)
    }

    async fn sleep(&self, pause: Duration) {
        tokio::time::sleep(pause).await;
    }
}

#[cfg(test)]
mod tests {
    use super::TestClock;
    use dewy_domain::ports::Clock as _;

    #[tokio::test(start_paused = true)]
    async fn the_test_clock_follows_tokio_time() {
        let clock = TestClock::new();
        assert_eq!(clock.now().to_string(), "2026-03-10T12:00:00Z");
        clock.sleep(std::time::Duration::from_secs(90)).await;
        assert_eq!(clock.now().to_string(), "2026-03-10T12:01:30Z");
    }
}
