//! What a connector records of its exchanges: counters, recent health, access alarms, and failures in
//! a row.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    ports::Clock,
    upstream_request::{Fault, Outcome, System},
};

use crate::{
    access_alarms::Alarms,
    breaker::Breaker,
    health_stats::{HealthStats, RecentHealth},
    request_counters::{Count, RequestCounters, outcome},
};

#[derive(Debug)]
pub(crate) struct ExchangeLog {
    clock: Arc<dyn Clock>,
    counts: RequestCounters,
    recent: RecentHealth,
    alarms: Alarms,
    breaker: Breaker,
}

impl ExchangeLog {
    /// Creates the records. After `failures` in a row the system counts as down; the breaker then
    /// permits one call per `pause`.
    pub(crate) fn new(
        system: System,
        failures: u32,
        pause: Duration,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            clock,
            counts: RequestCounters::new(system),
            recent: RecentHealth::new(),
            alarms: Alarms::default(),
            breaker: Breaker::new(failures, pause),
        }
    }

    pub(crate) const fn system(&self) -> System {
        self.counts.system()
    }

    /// Whether the breaker lets a call through now; `Err` with the time left.
    pub(crate) fn permit(&self) -> Result<(), Duration> {
        self.breaker.permit(self.clock.uptime())
    }

    /// Records the result of one exchange.
    pub(crate) fn note<T>(&self, operation: &str, reply: &Outcome<T>) {
        let now = self.clock.now();
        self.counts.add(operation, outcome(reply));
        self.recent
            .record_exchange(now, failure(self.system(), reply));
        self.alarms.note(self.system(), operation, reply, now);
        if is_system_failure(reply) {
            self.breaker.record_failure(self.clock.uptime());
        } else {
            self.breaker.record_success();
        }
    }

    /// Raises or clears an alarm that only an operator can resolve; counts no exchange.
    pub(crate) fn alarm(&self, operation: &str, refused: Option<&Fault>) {
        let reply = refused.map_or(Outcome::Done(()), |error| Outcome::TryLater(error.clone()));
        let now = self.clock.now();
        self.alarms.note(self.system(), operation, &reply, now);
    }

    /// Counts an exchange that is repeated at once: an expired session says nothing about the
    /// system's health, a host that is not the org's any more does.
    pub(crate) fn count_aside(&self, operation: &str, outcome: &'static str) {
        self.counts.add(operation, outcome);
        let failure = Some(outcome).filter(|outcome| *outcome != "expired_session");
        self.recent.record_exchange(self.clock.now(), failure);
    }

    /// Records how long an answer took.
    pub(crate) fn record_duration(&self, took: Duration) {
        self.recent.record_duration(took);
    }

    pub(crate) fn counts(&self) -> Vec<Count> {
        self.counts.all()
    }

    /// Recent health of the system.
    pub(crate) fn health_stats(&self) -> HealthStats {
        let now = self.clock.now();
        let probe = self.breaker.next_probe();
        let left = probe
            .and_then(|at| at.checked_sub(self.clock.uptime()))
            .filter(|left| !left.is_zero());
        HealthStats {
            circuit_open_until: left.and_then(|left| now.checked_add(left).ok()),
            tripped: probe.is_some(),
            alarms: self.alarms.standing(),
            ..self.recent.health_stats(now)
        }
    }
}

/// Whether the system itself failed, as opposed to refusing a request.
fn is_system_failure<T>(reply: &Outcome<T>) -> bool {
    match reply {
        Outcome::Unknown(error) => error.code != "idempotency_key_in_use",
        Outcome::TryLater(error) => matches!(
            error.code.as_str(),
            "connect" | "SERVER_UNAVAILABLE" | "smtp_unreachable" | "timeout"
        ),
        Outcome::Done(_) | Outcome::Refused(_) | Outcome::Waiting(_) => false,
    }
}

/// Code of what staff should know: no answer, one that says the system can't work at present, or a
/// message that was refused. A briefly locked row or object doesn't count.
fn failure<T>(system: System, reply: &Outcome<T>) -> Option<&str> {
    match reply {
        Outcome::TryLater(error) => Some(error.code.as_str())
            .filter(|code| !matches!(*code, "UNABLE_TO_LOCK_ROW" | "lock_timeout")),
        Outcome::Unknown(error) if is_system_failure(reply) => Some(&error.code),
        Outcome::Refused(error) if matches!(system, System::Twilio | System::Smtp) => {
            Some(&error.code)
        }
        _ => None,
    }
}
