//! How hard one outside system may be leaned on.

use std::time::Duration;

/// Bounds of one connector. The defaults suit a hotel: Stripe's test mode takes 25 requests a
/// second, and Salesforce counts calls by the day, so width is never what is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Forward work under way at once.
    pub at_once: usize,
    /// Further places that only refunds, reverts and look-ups may take, so that a crowd going
    /// forward never delays them.
    pub reserved: usize,
    /// So many failures of the system in a row open the circuit breaker.
    pub failures: u32,
    /// How long the breaker stays open before one call may try.
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
