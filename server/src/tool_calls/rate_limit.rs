//! Rate limit by key, in this process: for what is cheap to count and need not survive a restart.
//! Limits that must hold across instances and restarts are counted in the store.

use std::{
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use governor::{
    Quota, RateLimiter,
    clock::{Clock, MonotonicClock},
    state::keyed::HashMapStateStore,
};

/// Number of calls between two removals of idle keys.
const CALLS_BETWEEN_REMOVALS: u32 = 4096;

/// Number of calls at once; a used-up allowance is full again after the window, and meanwhile grows
/// evenly.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Number of calls.
    pub calls: u32,
    pub window: Duration,
}

impl Default for Limit {
    fn default() -> Self {
        Self {
            calls: 600,
            window: Duration::from_secs(60),
        }
    }
}

/// Counts calls by key.
#[derive(Clone, Debug)]
pub struct RateLimit {
    limiter: Arc<RateLimiter<String, HashMapStateStore<String>, MonotonicClock>>,
    counted: Arc<AtomicU32>,
}

impl RateLimit {
    /// Creates a limiter with no calls counted.
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        let calls = NonZeroU32::new(limit.calls).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::with_period((limit.window / calls.get()).max(Duration::from_nanos(1)))
            .unwrap_or_else(|| Quota::per_second(calls))
            .allow_burst(calls);
        let state = HashMapStateStore::default();
        Self {
            limiter: Arc::new(RateLimiter::new(quota, state, MonotonicClock)),
            counted: Arc::default(),
        }
    }

    /// Counts a call; returns the time to wait if it exceeds the limit.
    #[must_use]
    pub fn count(&self, key: String) -> Option<Duration> {
        let counted = self.counted.fetch_add(1, Ordering::Relaxed);
        if counted % CALLS_BETWEEN_REMOVALS == CALLS_BETWEEN_REMOVALS - 1 {
            self.limiter.retain_recent();
        }
        let refused = self.limiter.check_key(&key).err()?;
        Some(refused.wait_time_from(MonotonicClock.now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_an_allowance_of_its_own() {
        let limit = RateLimit::new(Limit {
            calls: 3,
            window: Duration::from_secs(600),
        });
        for _ in 0..3 {
            assert_eq!(limit.count("beth".to_owned()), None);
        }
        let wait = limit.count("beth".to_owned()).unwrap();
        assert!(
            (Duration::from_secs(190)..=Duration::from_secs(200)).contains(&wait),
            "{wait:?}"
        );
        assert_eq!(limit.count("wei".to_owned()), None);
    }
}
