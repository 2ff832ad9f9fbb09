//! Precision of the timestamps that the org sets automatically.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// Policy for timestamps of rows; by default as in a real org.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimestampPrecision {
    /// Whether timestamps are truncated to whole seconds.
    pub whole_seconds: bool,
    /// Seconds between the writes of one composite. The last write has the time of the response.
    pub step_seconds: u32,
}

impl TimestampPrecision {
    /// Behavior of a real org: whole seconds, and each row of a composite gets the time of its own
    /// write, so that a composite which takes five seconds leaves stamps five seconds apart.
    pub const REAL: Self = Self {
        whole_seconds: true,
        step_seconds: 1,
    };

    /// One time to the millisecond for all rows of a composite: more precise than any org.
    pub const EXACT: Self = Self {
        whole_seconds: false,
        step_seconds: 0,
    };

    /// Stamp of a write at this time, when this many writes of the same composite follow it.
    #[must_use]
    pub fn of(self, now: Timestamp, writes_after: usize) -> Timestamp {
        let whole = if self.whole_seconds {
            Timestamp::from_second(now.as_second())
        } else {
            Timestamp::from_millisecond(now.as_millisecond())
        };
        let earlier = i64::try_from(writes_after)
            .unwrap_or(0)
            .saturating_mul(i64::from(self.step_seconds));
        let at = whole.unwrap_or(now);
        at.checked_sub(SignedDuration::from_secs(earlier))
            .unwrap_or(at)
    }
}

impl Default for TimestampPrecision {
    fn default() -> Self {
        Self::REAL
    }
}
