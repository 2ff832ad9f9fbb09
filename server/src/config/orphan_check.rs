//! Settings of the orphan check and of refunds by staff.

use std::time::Duration;

use super::variable_reader::Reader;

/// Settings of the orphan check and of refunds by staff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrphanCheckConfig {
    /// `SWEEP_INTERVAL_SECONDS`.
    pub interval: Duration,
    /// `SWEEP_GRACE_SECONDS`.
    pub grace: Duration,
    /// `REFUND_APPROVAL_LIMIT_CENTS`.
    pub refund_approval_limit_cents: u64,
}

impl OrphanCheckConfig {
    pub(super) fn read(from: &mut Reader<'_>) -> Self {
        Self {
            interval: from.seconds("SWEEP_INTERVAL_SECONDS", 300, 1..=86_400),
            grace: from.seconds("SWEEP_GRACE_SECONDS", 600, 1..=86_400),
            refund_approval_limit_cents: from.number(
                "REFUND_APPROVAL_LIMIT_CENTS",
                100_000,
                0..=99_999_999,
            ),
        }
    }
}
