//! Where a test may end a worker, as a crash would: between any two things that matter.

use crate::event::Direction;

/// A moment in the life of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// Decided, not journaled (C1).
    BeforeIntent,
    /// Journaled, not sent (C2).
    AfterIntent,
    /// Sent, and the answer is lost with the worker (C3).
    AfterSend,
    /// The answer was read and is not journaled (C4).
    BeforeOutcome,
    /// Journaled, and nothing after it was begun (C5).
    AfterOutcome,
}

impl Point {
    /// All of them, in order.
    pub const ALL: [Self; 5] = [
        Self::BeforeIntent,
        Self::AfterIntent,
        Self::AfterSend,
        Self::BeforeOutcome,
        Self::AfterOutcome,
    ];
}

/// Asked at every such moment.
pub trait CrashPoints: Send + Sync {
    /// True ends the worker here and now: nothing of what it holds in memory survives.
    fn ends(&self, point: Point, step: &str, way: Direction) -> bool;
}

/// Never ends anything: life outside tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl CrashPoints for NoProbe {
    fn ends(&self, _: Point, _: &str, _: Direction) -> bool {
        false
    }
}
