//! Timeouts and limits of the engine.

use std::time::Duration;

use super::variable_reader::Reader;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// `REQUEST_WAIT_SECONDS`: how long a caller waits before the answer is *pending*.
    pub request_wait: Duration,
    /// `FORWARD_BUDGET_SECONDS`: how long a write after the charge is retried before it is
    /// compensated.
    pub forward_budget: Duration,
    /// `LEASE_SECONDS`: how long a dead worker's execution waits for another worker; a live worker
    /// renews its lease halfway through.
    pub lease: Duration,
    /// `WORKERS`: number of executions that run at once.
    pub workers: usize,
    /// `STRIPE_DEADLINE_SECONDS`: timeout of one POST.
    pub stripe_deadline: Duration,
    /// `SALESFORCE_DEADLINE_SECONDS`: timeout of one call.
    pub salesforce_deadline: Duration,
    /// `SALESFORCE_CALLS_PER_GUEST`: calls that one guest may cause in 24 hours.
    pub calls_per_guest: u32,
    /// `PAYMENT_ACTION_TIMEOUT_SECONDS`: how long a guest has for 3-D Secure.
    pub payment_action_timeout: Duration,
}

impl EngineConfig {
    pub(super) fn read(from: &mut Reader<'_>) -> Self {
        Self {
            request_wait: from.seconds("REQUEST_WAIT_SECONDS", 25, 0..=300),
            forward_budget: from.seconds("FORWARD_BUDGET_SECONDS", 20, 1..=600),
            lease: from.seconds("LEASE_SECONDS", 8, 1..=600),
            workers: usize::try_from(from.number("WORKERS", 64, 1..=4096)).unwrap_or(64),
            stripe_deadline: from.seconds("STRIPE_DEADLINE_SECONDS", 30, 1..=300),
            salesforce_deadline: from.seconds("SALESFORCE_DEADLINE_SECONDS", 5, 1..=300),
            calls_per_guest: u32::try_from(from.number(
                "SALESFORCE_CALLS_PER_GUEST",
                2000,
                8..=100_000_000,
            ))
            .unwrap_or(2000),
            payment_action_timeout: from.seconds("PAYMENT_ACTION_TIMEOUT_SECONDS", 900, 1..=86_400),
        }
    }
}
