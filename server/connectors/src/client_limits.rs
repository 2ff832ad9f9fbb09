//! Concurrency and breaker limits of an outside system.

use std::time::Duration;

/// Limits of one connector. The defaults suit a hotel: Stripe's test mode accepts 25 requests a
/// second, and Salesforce counts calls by the day, so concurrency is never the bottleneck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of concurrent forward calls.
    pub at_once: usize,
    /// Additional slots reserved for refunds, reverts and look-ups, so that forward load never
    /// delays them.
    pub reserved: usize,
    /// Number of consecutive failures that opens the circuit breaker.
    pub failures: u32,
    /// Time between probes while the breaker is open.
    pub pause: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            at_once: 32,
            reserved: 16,
            failures: 5,
            pause: Duration::from_secs(10),
        }
    }
}
