//! Faults and bugs a test can inject.

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
    /// Any read.
    Read,
}

/// How an operation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Definitely not committed; may be retried.
    Busy,
    /// Committed, but the answer is lost.
    LostApplied,
    /// Not committed, and the answer is lost too.
    LostNotApplied,
    /// Definitely not committed: the disk is full.
    Full,
}

/// A bug a store could have. The test suite must detect each one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bug {
    /// Appends do not check the fencing token.
    NoFenceCheck,
    /// The fencing token is checked before the transaction begins.
    FenceOutsideTransaction,
    /// The audit rows are written after the journal rows are committed.
    AuditOutsideTransaction,
    /// A claim is granted although something changed since its mark.
    NoStaleCheck,
}

/// Faults to inject, and when. None by default.
#[derive(Clone, Debug, Default)]
pub struct InjectedFaults {
    planned: BTreeMap<(Op, u64), Fault>,
    counted: BTreeMap<Op, u64>,
    pub bugs: BTreeSet<Bug>,
    /// Duration of every operation, by the journal's clock.
    pub delay: Duration,
}

impl InjectedFaults {
    /// Makes the `nth` operation of its kind fail, counted from 1 since the journal's creation.
    pub fn fail(&mut self, op: Op, nth: u64, fault: Fault) {
        self.planned.insert((op, nth), fault);
    }

    /// Makes the next operation of its kind fail.
    pub fn fail_next(&mut self, op: Op, fault: Fault) {
        self.fail(op, self.count(op) + 1, fault);
    }

    /// Number of operations of a kind so far.
    #[must_use]
    pub fn count(&self, op: Op) -> u64 {
        self.counted.get(&op).copied().unwrap_or(0)
    }

    /// Counts an operation and returns its planned fault.
    pub(super) fn due(&mut self, op: Op) -> Option<Fault> {
        let count = self.counted.entry(op).or_default();
        *count += 1;
        self.planned.remove(&(op, *count))
    }
}
