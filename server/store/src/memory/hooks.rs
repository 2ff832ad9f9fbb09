//! What a test lets go wrong.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// An operation of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Op {
    /// `begin`
    Begin,
    /// `append`
    Append,
    /// `renew`
    Renew,
    /// `take`
    Take,
    /// `hand_over`
    HandOver,
    /// `wake`
    Wake,
    /// `signal`
    Signal,
    /// Everything that only reads.
    Read,
}

/// How an operation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Definitely not committed; may be tried again.
    Busy,
    /// Committed, but the answer is lost.
    LostApplied,
    /// Not committed, and the answer is lost as well.
    LostNotApplied,
    /// Definitely not committed: the disk is full.
    Full,
}

/// A mistake that a store could make. A suite that does not notice it is worth nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bug {
    /// Appends do not look at the fence.
    NoFenceCheck,
    /// The fence is looked at before the transaction begins.
    FenceOutsideTransaction,
    /// The audit rows are written after the journal rows are committed.
    AuditOutsideTransaction,
    /// A claim is given although something changed since its mark.
    NoStaleCheck,
}

/// What goes wrong, and when. Nothing does by default.
#[derive(Clone, Debug, Default)]
pub struct Hooks {
    planned: BTreeMap<(Op, u64), Fault>,
    counted: BTreeMap<Op, u64>,
    /// Planted bugs.
    pub bugs: BTreeSet<Bug>,
    /// How long every operation takes, by the journal's clock.
    pub delay: Duration,
}

impl Hooks {
    /// Lets the `nth` operation of its kind fail, counted from 1 from the journal's beginning.
    pub fn fail(&mut self, op: Op, nth: u64, fault: Fault) {
        self.planned.insert((op, nth), fault);
    }

    /// Lets the next operation of its kind fail.
    pub fn fail_next(&mut self, op: Op, fault: Fault) {
        self.fail(op, self.count(op) + 1, fault);
    }

    /// How many operations of a kind there were.
    #[must_use]
    pub fn count(&self, op: Op) -> u64 {
        self.counted.get(&op).copied().unwrap_or(0)
    }

    /// Counts an operation and says what is planned for it.
    pub(super) fn due(&mut self, op: Op) -> Option<Fault> {
        let count = self.counted.entry(op).or_default();
        *count += 1;
        self.planned.remove(&(op, *count))
    }
}
