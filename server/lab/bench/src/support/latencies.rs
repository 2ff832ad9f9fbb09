//! Measured requests.

use std::time::Duration;

#[derive(Debug)]
pub struct Round {
    sorted: Vec<Duration>,
    /// Time from the first call to the last response.
    pub took: Duration,
}

impl Round {
    pub fn new(mut times: Vec<Duration>, took: Duration) -> Self {
        times.sort_unstable();
        Self {
            sorted: times,
            took,
        }
    }

    /// Percentile in milliseconds.
    pub fn ms(&self, percent: usize) -> f64 {
        let place = (self.sorted.len() * percent).div_ceil(100);
        let time = self.sorted.get(place.saturating_sub(1));
        time.map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    }

    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// Calls per second.
    pub fn per_second(&self) -> f64 {
        self.count() as f64 / self.took.as_secs_f64()
    }
}
