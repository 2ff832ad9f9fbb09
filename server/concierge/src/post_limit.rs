//! Limit on messages, by person: nobody can spend another's, whatever address they share.

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use dewy_domain::ports::Clock;
use governor::{
    Quota, RateLimiter, clock, middleware::NoOpMiddleware, state::keyed::HashMapStateStore,
};

/// Time after which one more may be sent.
const EVERY: Duration = Duration::from_secs(2);
/// Number of people above which those who may send all their messages are forgotten.
const MAX_TRACKED: usize = 1000;

type Limiter = RateLimiter<String, HashMapStateStore<String>, Uptime, NoOpMiddleware<Duration>>;

/// Messages sent by each person.
#[derive(Debug)]
pub(crate) struct PostLimit(Limiter);

impl PostLimit {
    pub fn new(clock: Arc<dyn Clock>, at_once: NonZeroU32) -> Self {
        let quota = Quota::with_period(EVERY).map(|quota| quota.allow_burst(at_once));
        let quota = quota.unwrap_or_else(|| Quota::per_minute(at_once));
        Self(RateLimiter::hashmap_with_clock(quota, Uptime(clock)))
    }

    /// Whether this person may send a message now; counts it.
    pub fn allows(&self, person: &str) -> bool {
        if self.0.len() > MAX_TRACKED {
            self.0.retain_recent();
        }
        self.0.check_key(&person.to_owned()).is_ok()
    }
}

/// The process's monotonic clock.
#[derive(Clone, Debug)]
struct Uptime(Arc<dyn Clock>);

impl clock::Clock for Uptime {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.uptime()
    }
}
