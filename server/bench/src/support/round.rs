//! Many measured requests.

use std::time::Duration;

/// What was measured.
#[derive(Debug)]
pub struct Round {
    /// Of each call, sorted.
    pub micros: Vec<u64>,
    /// From the first call to the last answer.
    pub took: Duration,
}

impl Round {
    /// So many percent of the calls took at most so many microseconds.
    pub fn percentile(&self, percent: usize) -> u64 {
        let place = (self.micros.len() * percent)
            .div_ceil(100)
            .saturating_sub(1);
        self.micros.get(place).copied().unwrap_or(0)
    }
}
