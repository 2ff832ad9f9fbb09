//! Crash points: where a test may end a worker, as a crash would.

use crate::event::Direction;

/// A crash point in the life of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CrashPoint {
    /// Planned, not journaled (C1).
    BeforeIntent,
    /// Journaled, not sent (C2).
    AfterIntent,
    /// Sent, with the response lost (C3).
    AfterSend,
    /// Response read, not journaled (C4).
    BeforeOutcome,
    /// Outcome journaled, nothing started after it (C5).
    AfterOutcome,
}

impl CrashPoint {
    /// Every crash point, in order.
    pub const ALL: [Self; 5] = [
        Self::BeforeIntent,
        Self::AfterIntent,
        Self::AfterSend,
        Self::BeforeOutcome,
        Self::AfterOutcome,
    ];
}

/// Decides at every crash point whether the worker ends.
pub trait CrashPoints: Send + Sync {
    /// True ends the worker immediately: nothing it holds in memory survives.
    fn ends(&self, point: CrashPoint, step: &str, direction: Direction) -> bool;
}

/// Never ends a worker; used outside tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCrashPoints;

impl CrashPoints for NoCrashPoints {
    fn ends(&self, _: CrashPoint, _: &str, _: Direction) -> bool {
        false
    }
}
