//! Time, injected so that a whole run can be replayed from a seed.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

/// Source of time; tests pass a virtual one.
#[async_trait]
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Current time. Never goes back by less than ten minutes: small corrections of the machine's
    /// clock are followed slowly, so that they neither shorten nor extend a wait.
    fn now(&self) -> Timestamp;

    /// Current time of the machine's clock; only for comparison with other systems' timestamps.
    fn wall(&self) -> Timestamp {
        self.now()
    }

    /// Monotonic time since an arbitrary start, for timeouts, rate limits and pauses. Only
    /// differences are meaningful. A test clock that never jumps may count from 1970.
    fn uptime(&self) -> Duration {
        Duration::try_from(self.now().duration_since(Timestamp::UNIX_EPOCH)).unwrap_or_default()
    }

    /// Waits until `pause` has passed on this clock.
    async fn sleep(&self, pause: Duration);
}
