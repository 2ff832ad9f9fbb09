//! Usage of the CRM's quota of calls, which it counts over the last 24 hours.

use jiff::{SignedDuration, Timestamp};

/// Share of the quota, in percent, above which deferrable calls are refused. The rest is reserved
/// for running executions, payments and staff.
const RESERVED_FROM_PERCENT: u64 = 85;

/// How long a report stays current. After that, a call is let through to refresh it.
const CURRENT: SignedDuration = SignedDuration::from_mins(15);

/// Usage as the CRM last reported it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApiUsage {
    /// Calls in the last 24 hours.
    pub used: u64,
    /// Calls allowed in 24 hours.
    pub allowed: u64,
    /// When it was reported.
    pub at: Timestamp,
}

impl ApiUsage {
    /// How long a deferrable call must wait; `None` while usage is below the reserved share, or the
    /// report is outdated.
    #[must_use]
    pub fn wait(&self, now: Timestamp) -> Option<SignedDuration> {
        let left = (CURRENT - now.duration_since(self.at)).min(CURRENT);
        let reserved =
            self.used.saturating_mul(100) >= self.allowed.saturating_mul(RESERVED_FROM_PERCENT);
        (reserved && left.is_positive()).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_share_is_reserved_while_the_report_is_current() {
        let at = Timestamp::UNIX_EPOCH;
        let usage = |used| ApiUsage {
            used,
            allowed: 1000,
            at,
        };
        let minutes = SignedDuration::from_mins;
        assert_eq!(usage(849).wait(at), None);
        assert_eq!(usage(850).wait(at), Some(CURRENT));
        assert_eq!(usage(2000).wait(at + minutes(14)), Some(minutes(1)));
        assert_eq!(usage(2000).wait(at + minutes(15)), None);
        assert_eq!(
            usage(850).wait(at - minutes(60)),
            Some(CURRENT),
            "a clock set back"
        );
    }
}
