//! Clock that follows the system clock but smooths its jumps.
//!
//! ```text
//! difference      correction
//! < 10 minutes    at a tenth of the elapsed time: 30 s within 5 minutes, 5 minutes within 50
//! more            immediate: a laptop that slept, a clock that was never set
//! ```

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use dewy_domain::ports::Clock;
use jiff::{SignedDuration, Timestamp};

/// A larger difference is followed at once.
const MAX_DRIFT: SignedDuration = SignedDuration::from_mins(10);

/// Share of the elapsed time by which a difference is corrected.
const CORRECTION_RATE: i32 = 10;

/// Time shown last, and the uptime at that moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct SmoothedTime {
    shown: Timestamp,
    at: Duration,
}

impl SmoothedTime {
    /// Starts at the system's time.
    pub(super) const fn new(wall: Timestamp, at: Duration) -> Self {
        Self { shown: wall, at }
    }

    /// Time to show when the system clock says `wall` at uptime `at`.
    pub(super) fn show(&mut self, wall: Timestamp, at: Duration) -> Timestamp {
        let passed =
            SignedDuration::try_from(at.saturating_sub(self.at)).unwrap_or(SignedDuration::ZERO);
        let expected = self.shown.saturating_add(passed).unwrap_or(wall);
        let off = wall.duration_since(expected);
        let most = passed / CORRECTION_RATE;
        self.shown = if off.abs() > MAX_DRIFT {
            wall
        } else {
            expected
                .saturating_add(off.clamp(-most, most))
                .unwrap_or(wall)
        };
        self.at = at;
        self.shown
    }
}

#[derive(Debug)]
pub struct SteadyClock {
    inner: Arc<dyn Clock>,
    steady: Mutex<SmoothedTime>,
}

impl SteadyClock {
    /// Starts at the inner clock's time.
    #[must_use]
    pub fn new(inner: Arc<dyn Clock>) -> Self {
        let steady = Mutex::new(SmoothedTime::new(inner.wall(), inner.uptime()));
        Self { inner, steady }
    }
}

#[async_trait]
impl Clock for SteadyClock {
    fn now(&self) -> Timestamp {
        let mut steady = self.steady.lock().unwrap_or_else(PoisonError::into_inner);
        steady.show(self.inner.wall(), self.inner.uptime())
    }

    fn wall(&self) -> Timestamp {
        self.inner.wall()
    }

    fn uptime(&self) -> Duration {
        self.inner.uptime()
    }

    async fn sleep(&self, pause: Duration) {
        self.inner.sleep(pause).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp::constant(1_773_144_000, 0);

    fn after(seconds: i64) -> Timestamp {
        NOON + SignedDuration::from_secs(seconds)
    }

    /// A clock that is set wrong by this many seconds after a minute: the time shown each second.
    fn stepped(by: i64) -> Vec<Timestamp> {
        let mut clock = SmoothedTime::new(NOON, Duration::ZERO);
        let show = |second: i64| {
            let wall = if second < 60 {
                after(second)
            } else {
                after(second + by)
            };
            clock.show(wall, Duration::from_secs(second.unsigned_abs()))
        };
        (1..=4000).map(show).collect()
    }

    #[test]
    fn small_clock_changes_are_smoothed_and_never_go_back() {
        for by in [30, -30, 300, -300] {
            let shown = stepped(by);
            for pair in shown.windows(2) {
                let passed = pair[1].duration_since(pair[0]).as_secs_f64();
                assert!(
                    (0.9 - 1e-6..=1.1 + 1e-6).contains(&passed),
                    "{by}: a second took {passed}"
                );
            }
            assert_eq!(shown[3999], after(4000 + by), "{by}: it has caught up");
        }
    }

    #[test]
    fn large_clock_changes_are_adopted() {
        for by in [3600, -3600] {
            assert_eq!(stepped(by)[100], after(101 + by));
        }
    }

    #[test]
    fn a_correct_clock_is_unchanged() {
        assert_eq!(stepped(0)[77], after(78));
    }
}
