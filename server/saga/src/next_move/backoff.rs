//! Pauses between attempts: they double, and last as long as a vendor asks for, within limits.

use std::time::Duration;

use jiff::Timestamp;

use super::{
    Move,
    retry_limits::{Budget, elapsed, is_found_not_applied},
};
use crate::progress::DirectionProgress;

/// The act, or the wait before it.
pub(super) fn pause_or(
    direction_progress: &DirectionProgress,
    budget: &Budget,
    first: Duration,
    longest: Duration,
    now: Timestamp,
    due: bool,
    act: Move,
) -> Move {
    // A request that a check found not applied is sent again at once. After a request that applied
    // nothing, a pause is needed, or a fast answer would cause a busy loop.
    if due || is_found_not_applied(direction_progress) {
        return act;
    }
    let doubled = first.saturating_mul(
        1_u32
            .checked_shl(
                (direction_progress.sends + direction_progress.outcome_checks)
                    .saturating_sub(1)
                    .min(16),
            )
            .unwrap_or(u32::MAX),
    );
    let asked = direction_progress
        .fault
        .as_ref()
        .and_then(|f| f.retry_after_ms)
        .map_or(Duration::ZERO, Duration::from_millis);
    // The pause a vendor, or a proxy before it, asks for is granted only within the budget: money
    // may be waiting behind it.
    let asked = asked.min(longest.max(budget.forward_window));
    let pause = doubled.min(longest).max(asked);
    match direction_progress.last_at {
        // A row dated in the future was written by a clock that was ahead.
        Some(last) if elapsed(last, now) < pause => Move::Sleep((last + pause).min(now + pause)),
        _ => act,
    }
}
