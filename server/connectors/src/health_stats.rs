//! Recent health of an outside system, for staff.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use dewy_domain::ports::{AccessAlarm, HiddenField};
use jiff::Timestamp;

/// One slot per minute of the reported hour.
const MINUTES: usize = 60;
const RECENT_MINUTES: i64 = 5;
/// Number of latest answers that the median covers.
const ANSWERS: usize = 64;

/// What one connector has observed of its system, at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HealthStats {
    /// Time until which the circuit breaker holds new work back.
    pub circuit_open_until: Option<Timestamp>,
    /// Whether the circuit has opened, with no success since.
    pub tripped: bool,
    /// Exchanges within the last hour.
    pub calls_last_hour: u64,
    /// Exchanges within the last hour that got no answer, or one that says the system is in
    /// trouble.
    pub troubled_last_hour: u64,
    /// The same within the last five minutes.
    pub troubled_lately: u64,
    /// Median duration of the latest 64 answers.
    pub median: Option<Duration>,
    /// Time of the latest success.
    pub last_good: Option<Timestamp>,
    /// Code and time of the latest exchange that failed.
    pub last_error: Option<(String, Timestamp)>,
    /// Refusals of access.
    pub alarms: Vec<AccessAlarm>,
    /// Fields that our user does not see, or may not write.
    pub hidden: Vec<HiddenField>,
}

impl HealthStats {
    /// Whether the system refuses everything that we ask of it.
    #[must_use]
    pub fn refuses_everything(&self) -> bool {
        self.alarms.iter().any(|alarm| alarm.everything)
    }
}

/// Observations of the last hour; bounded size, whatever the load.
#[derive(Debug)]
pub(crate) struct RecentHealth(Mutex<State>);

#[derive(Debug)]
struct State {
    minutes: [MinuteSlot; MINUTES],
    answers: VecDeque<Duration>,
    last_good: Option<Timestamp>,
    last_error: Option<(String, Timestamp)>,
}

/// Slot of one minute: data of an older minute counts as nothing.
#[derive(Clone, Copy, Debug, Default)]
struct MinuteSlot {
    number: i64,
    calls: u64,
    troubled: u64,
}

impl RecentHealth {
    pub(crate) fn new() -> Self {
        let minutes = [MinuteSlot::default(); MINUTES];
        Self(Mutex::new(State {
            minutes,
            answers: VecDeque::with_capacity(ANSWERS),
            last_good: None,
            last_error: None,
        }))
    }

    /// Records the result of one exchange, or the code of its failure.
    pub(crate) fn record_exchange(&self, now: Timestamp, failure: Option<&str>) {
        let (number, troubled) = (minute(now), failure.is_some());
        let mut state = self.state();
        match failure {
            None => state.last_good = Some(now),
            Some(code) => state.last_error = Some((code.to_owned(), now)),
        }
        let slot = usize::try_from(number.rem_euclid(MINUTES as i64)).unwrap_or_default();
        if let Some(slot) = state.minutes.get_mut(slot) {
            if slot.number != number {
                *slot = MinuteSlot {
                    number,
                    ..MinuteSlot::default()
                };
            }
            slot.calls += 1;
            slot.troubled += u64::from(troubled);
        }
    }

    pub(crate) fn record_duration(&self, time: Duration) {
        let mut state = self.state();
        if state.answers.len() == ANSWERS {
            state.answers.pop_front();
        }
        state.answers.push_back(time);
    }

    /// Statistics without the breaker's state.
    pub(crate) fn health_stats(&self, now: Timestamp) -> HealthStats {
        let state = self.state();
        let number = minute(now);
        let within = |minutes: i64| {
            let recent = state
                .minutes
                .iter()
                .filter(move |m| m.number > number - minutes && m.number <= number);
            recent.fold((0, 0), |(calls, troubled), m| {
                (calls + m.calls, troubled + m.troubled)
            })
        };
        let (calls_last_hour, troubled_last_hour) = within(MINUTES as i64);
        let mut times: Vec<Duration> = state.answers.iter().copied().collect();
        times.sort_unstable();
        HealthStats {
            circuit_open_until: None,
            tripped: false,
            calls_last_hour,
            troubled_last_hour,
            troubled_lately: within(RECENT_MINUTES).1,
            median: times.get(times.len() / 2).copied(),
            last_good: state.last_good,
            last_error: state.last_error.clone(),
            alarms: Vec::new(),
            hidden: Vec::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn minute(at: Timestamp) -> i64 {
    at.as_second().div_euclid(60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64, second: i64) -> Timestamp {
        Timestamp::from_second(1_773_144_000 + 60 * minute + second).unwrap()
    }

    #[test]
    fn statistics_cover_one_hour() {
        let recent = RecentHealth::new();
        assert_eq!(recent.health_stats(at(0, 0)), HealthStats::default());
        for minute in 0..90 {
            recent.record_exchange(at(minute, 1), (minute % 10 == 0).then_some("timeout"));
            recent.record_exchange(at(minute, 59), None);
        }
        let health_stats = recent.health_stats(at(89, 59));
        assert_eq!(
            (
                health_stats.calls_last_hour,
                health_stats.troubled_last_hour,
                health_stats.troubled_lately
            ),
            (120, 6, 0)
        );
        assert_eq!(health_stats.last_good, Some(at(89, 59)));
        let error = ("timeout".to_owned(), at(80, 1));
        assert_eq!(health_stats.last_error, Some(error));
        let quiet = recent.health_stats(at(200, 0));
        assert_eq!((quiet.calls_last_hour, quiet.troubled_last_hour), (0, 0));
        assert_eq!(
            quiet.last_good,
            Some(at(89, 59)),
            "however long ago that was"
        );
        recent.record_exchange(at(200, 0), Some("connect"));
        assert_eq!(recent.health_stats(at(204, 59)).troubled_lately, 1);
        assert_eq!(recent.health_stats(at(205, 0)).troubled_lately, 0);
    }

    #[test]
    fn the_median_covers_the_latest_answers() {
        let recent = RecentHealth::new();
        for _ in 0..1000 {
            recent.record_duration(Duration::from_secs(9));
        }
        for ms in 0..64 {
            recent.record_duration(Duration::from_millis(ms));
        }
        assert_eq!(
            recent.health_stats(at(0, 0)).median,
            Some(Duration::from_millis(32))
        );
    }
}
