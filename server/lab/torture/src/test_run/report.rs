//! Report of a run.

use std::{collections::BTreeMap, time::Duration};

use super::Plan;
use crate::{
    fault_schedule::FaultCounts,
    proxy::{LinkFault, System},
};

/// Result of the run.
#[derive(Debug)]
pub struct Report {
    pub plan: Plan,
    /// Faults that were applied to the hotel.
    pub deeds: FaultCounts,
    /// Requests in progress at the kills, and requests without an answer.
    pub hardships: (u32, u32),
    pub states: BTreeMap<&'static str, usize>,
    /// Executions by tool and state.
    pub tools: BTreeMap<(String, &'static str), usize>,
    /// Executions that were taken over at least once.
    pub taken_over: usize,
    /// Zombie workers that found their lease gone.
    pub fenced: usize,
    /// Captured payments.
    pub charges: usize,
    pub refunds: usize,
    /// Completed orphan checks.
    pub sweeps: usize,
    /// Injected payments, and the compensations they caused.
    pub planted: (usize, usize),
    /// Text messages, and those still being searched for at the carrier.
    pub texts: (usize, usize),
    /// Calls of the outside systems.
    pub calls: usize,
    pub answers: usize,
    /// Number of network faults by system.
    pub link: BTreeMap<(System, LinkFault), u32>,
    /// Violated invariants, and faults that should have occurred but never did.
    pub violations: Vec<String>,
    /// Time from the last fault to rest.
    pub rest: Duration,
    pub took: Duration,
}
