//! Time and randomness, passed in so that a whole run replays from a seed.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

/// Where the time comes from; a test hands in a virtual one.
#[async_trait]
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The present moment. It never runs backwards by less than ten minutes: small corrections of
    /// the machine's clock are followed slowly, so that no wait is cut short or drawn out by them.
    fn now(&self) -> Timestamp;

    /// The present moment as the machine has it right now; for comparing with other systems'
    /// stamps, and nothing else.
    fn wall(&self) -> Timestamp {
        self.now()
    }

    /// Time that has passed since some moment, by a clock that is never set: for time-outs, limits
    /// and pauses. Only differences mean anything. A test's clock that never jumps may count from
    /// 1970.
    fn uptime(&self) -> Duration {
        Duration::try_from(self.now().duration_since(Timestamp::UNIX_EPOCH)).unwrap_or_default()
    }

    /// Returns when `pause` has passed on this clock.
    async fn sleep(&self, pause: Duration);
}

/// Where randomness comes from: ids, tokens, codes, jitter.
pub trait Entropy: Send + Sync + std::fmt::Debug {
    /// Fills `bytes` with randomness fit for secrets (a test's is seeded and fit for nothing but
    /// tests).
    fn fill(&self, bytes: &mut [u8]);

    /// A random number; for jitter and choices.
    fn next_u64(&self) -> u64 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// A time-ordered id (UUID version 7) of `now`.
    fn uuid_v7(&self, now: Timestamp) -> uuid::Uuid {
        let mut random = [0; 10];
        self.fill(&mut random);
        let millis = u64::try_from(now.as_millisecond()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
    }
}
