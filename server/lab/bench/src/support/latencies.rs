//! Measured requests.

use std::time::Duration;

/// Measurement.
#[derive(Debug)]
pub struct Round {
    /// Sorted durations of the calls in microseconds.
    pub micros: Vec<u64>,
    /// Time from the first call to the last response.
    pub took: Duration,
}

impl Round {
    /// Percentile in microseconds.
    pub fn percentile(&self, percent: usize) -> u64 {
        let place = (self.micros.len() * percent)
            .div_ceil(100)
            .saturating_sub(1);
        self.micros.get(place).copied().unwrap_or(0)
    }
}
