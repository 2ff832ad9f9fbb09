//! Circuit breaker: after several failures in a row it fails fast and lets one probe through from
//! time to time. Its time is [`Clock::uptime`](dewy_domain::ports::Clock::uptime), which is never
//! adjusted.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Closed while the system answers. Opens after `failures` in a row; then one probe per `pause` is
/// let through, and its success closes the breaker.
///
/// A probe is a moment in time, not a token: a caller that is dropped during its probe leaves
/// nothing behind.
#[derive(Debug)]
pub(crate) struct Breaker {
    failures: u32,
    pause: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    in_a_row: u32,
    next_probe: Option<Duration>,
}

impl Breaker {
    pub(crate) fn new(failures: u32, pause: Duration) -> Self {
        Self {
            failures: failures.max(1),
            pause,
            state: Mutex::default(),
        }
    }

    /// `Err` with the time left until the next probe.
    pub(crate) fn permit(&self, now: Duration) -> Result<(), Duration> {
        let mut state = self.state();
        match state.next_probe {
            None => Ok(()),
            Some(at) if now >= at => {
                state.next_probe = Some(now.saturating_add(self.pause));
                Ok(())
            }
            Some(at) => Err(at.saturating_sub(now)),
        }
    }

    /// Time of the next probe, if the breaker has opened and there was no answer since.
    pub(crate) fn next_probe(&self) -> Option<Duration> {
        self.state().next_probe
    }

    /// Records that the system answered, whatever the answer.
    pub(crate) fn record_success(&self) {
        *self.state() = State::default();
    }

    /// Records that the system gave no answer or an invalid one.
    pub(crate) fn record_failure(&self, now: Duration) {
        let mut state = self.state();
        state.in_a_row = state.in_a_row.saturating_add(1);
        if state.in_a_row >= self.failures {
            state.next_probe = Some(now.saturating_add(self.pause));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u64) -> Duration {
        Duration::from_secs(second)
    }

    #[test]
    fn opens_after_failures_in_a_row_probes_and_closes() {
        let breaker = Breaker::new(3, Duration::from_secs(10));
        breaker.record_failure(at(0));
        breaker.record_failure(at(0));
        breaker.record_success();
        for _ in 0..3 {
            assert_eq!(
                breaker.permit(at(1)),
                Ok(()),
                "two, an answer, and two more are not three in a row"
            );
            breaker.record_failure(at(1));
        }
        assert_eq!(breaker.permit(at(5)), Err(Duration::from_secs(6)));
        assert_eq!(breaker.next_probe(), Some(at(11)));
        assert_eq!(breaker.permit(at(11)), Ok(()), "one probe");
        assert_eq!(
            breaker.permit(at(11)),
            Err(Duration::from_secs(10)),
            "and only one"
        );
        breaker.record_failure(at(12));
        assert_eq!(
            breaker.permit(at(21)),
            Err(Duration::from_secs(1)),
            "a failed probe starts the pause anew"
        );
        assert_eq!(breaker.permit(at(22)), Ok(()));
        breaker.record_success();
        assert_eq!(
            (breaker.permit(at(22)), breaker.next_probe()),
            (Ok(()), None)
        );
    }
}
