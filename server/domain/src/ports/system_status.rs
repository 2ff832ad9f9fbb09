//! The outside systems as staff see them, and the fault injection that makes the sandbox misbehave.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{caller::Caller, installation::InstallationId, mode::Mode};

/// How an outside system is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// Nobody has asked it anything for a while.
    Quiet,
    /// It answers.
    Good,
    /// It answers late, or not always.
    Slow,
    /// It does not answer; new work waits outside while the circuit is open.
    Down,
}

/// What a system's calls go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// The system itself.
    Real,
    /// The sandbox in its place.
    Sandbox,
    /// Nothing: it is not configured.
    Off,
}

/// Something that a system refuses our key; an operator has to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessAlarm {
    /// `refund_create`, …
    pub operation: String,
    /// `stripe_key_refused`: the key is not accepted; `stripe_permission_missing`: a good one that
    /// may not do this; `stripe_other_account`: it opens another account than the one this store's
    /// payments are on.
    pub code: &'static str,
    /// Since when.
    pub since: Timestamp,
}

/// One outside system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemView {
    /// `Salesforce`.
    pub name: &'static str,
    /// What its calls go to.
    pub connection: Connection,
    /// How it is.
    pub health: Health,
    /// Until when the circuit is open; nothing new is sent before.
    pub circuit_open_until: Option<Timestamp>,
    /// Calls within the last hour.
    pub calls_last_hour: u64,
    /// Those of them that got no answer, or one that says the system is in trouble.
    pub troubled_last_hour: u64,
    /// The median time of the latest answers.
    pub median: Option<Duration>,
    /// The latest good answer.
    pub last_good: Option<Timestamp>,
    /// What our key is refused; for an operator.
    pub alarms: Vec<AccessAlarm>,
    /// Calls used and allowed per day, where the system tells it.
    pub quota: Option<(u64, u64)>,
}

/// A fault the sandbox is to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultOrder {
    /// `salesforce`, `stripe`, `twilio`, `llm`.
    pub system: String,
    /// `composite`, `refund_create`, …
    pub operation: String,
    /// `timeout_after_effect`, `status`, …
    pub kind: String,
    /// How many calls; 0 until it is taken back.
    pub count: u32,
    /// How many calls are let through first.
    pub skip: u32,
    /// For the kind `status`: which.
    pub status: Option<u16>,
    /// How long, in milliseconds, for kinds that take time.
    pub ms: Option<u64>,
}

/// The sandbox's fault injection as it is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultInjectionView {
    /// Faults that are still to come.
    pub faults: Vec<FaultOrder>,
    /// `none`, `reference`, or `own` when single operations were set.
    pub latency: String,
    /// The day the sandbox's world was made for; on a later day its arrivals are no longer of
    /// today.
    pub seed_day: Option<String>,
}

/// Why the fault injection did not move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultInjectionError {
    /// This is no demo, or the caller is not a manager.
    #[error("Fault injection is not available here.")]
    None,
    /// The order has a fault; the field and what is wrong with it.
    #[error("{0}: {1}")]
    Wrong(String, String),
    /// The sandbox does not answer.
    #[error("The sandbox does not answer.")]
    Silent,
}

/// Behind the scenes. The fault injection exists for managers, and only in mode `demo`.
#[async_trait]
pub trait SystemStatus: Send + Sync + std::fmt::Debug {
    /// In which mode the hotel is served.
    fn mode(&self) -> Mode;

    /// Which installation this is.
    fn installation(&self) -> InstallationId;

    /// Every outside system, always in the same order; empty for who is not staff.
    async fn systems(&self, caller: &Caller) -> Vec<SystemView>;

    /// The fault injection.
    ///
    /// # Errors
    /// Why there is none.
    async fn fault_injection(
        &self,
        caller: &Caller,
    ) -> Result<FaultInjectionView, FaultInjectionError>;

    /// Orders a fault.
    ///
    /// # Errors
    /// Why not.
    async fn order(&self, caller: &Caller, fault: FaultOrder) -> Result<(), FaultInjectionError>;

    /// Takes all faults back; how many there were.
    ///
    /// # Errors
    /// Why not.
    async fn calm(&self, caller: &Caller) -> Result<u64, FaultInjectionError>;

    /// `none` or `reference`.
    ///
    /// # Errors
    /// Why not.
    async fn latency(&self, caller: &Caller, profile: &str) -> Result<(), FaultInjectionError>;

    /// Makes the sandbox's world anew, as of today.
    ///
    /// # Errors
    /// Why not.
    async fn reset(&self, caller: &Caller) -> Result<(), FaultInjectionError>;
}
