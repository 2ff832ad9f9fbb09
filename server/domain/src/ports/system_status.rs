//! Status of the outside systems for staff, and the sandbox's fault injection.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{caller::Caller, deployment_mode::DeploymentMode, installation_id::InstallationId};

/// Health of an outside system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// No recent requests.
    Quiet,
    /// Answering normally.
    Good,
    /// Slow or unreliable.
    Slow,
    /// Not answering; new work is held back while the circuit is open.
    Down,
}

/// What a system's calls go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// The system itself.
    Real,
    /// The sandbox in its place.
    Sandbox,
    /// Nothing: not configured.
    Off,
}

/// A refusal of access; an operator must fix it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessAlarm {
    /// Operation: `refund_create`, `token`, …
    pub operation: String,
    /// The system's code: `inactive_user`, `twilio_21606`, `http_401`. `stripe_key_refused`: the key
    /// is not accepted; `stripe_permission_missing`: a valid key lacks this permission;
    /// `stripe_other_account`: the key belongs to another account than this store's payments;
    /// `salesforce_field_hidden`: our user does not see a field that we need.
    pub code: String,
    /// The system's own words, without personal data.
    pub message: Option<String>,
    /// Everything is refused, not only this operation.
    pub everything: bool,
    pub since: Timestamp,
}

/// A field of Salesforce that our user does not see, or may not write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenField {
    /// API name of the object.
    pub object: &'static str,
    /// API name of the field.
    pub field: &'static str,
    /// Whether the field can be read but not written.
    pub read_only: bool,
    /// What is not possible without it.
    pub without: WithoutField,
}

/// What is not possible while a field is hidden from our user, or may not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithoutField {
    /// Nothing: pages and requests leave it out.
    Nothing,
    /// Acts: pages leave it out, and what sets it or looks for it is not possible.
    Acts,
    /// Everything that reads or writes its records.
    Everything,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemView {
    /// Name: `Salesforce`.
    pub name: &'static str,
    /// What its calls go to.
    pub connection: Connection,
    pub health: Health,
    /// End of the open circuit; no new request is sent before.
    pub circuit_open_until: Option<Timestamp>,
    pub calls_last_hour: u64,
    /// Calls in the last hour without an answer, or answered with a server error.
    pub troubled_last_hour: u64,
    /// Median latency of recent answers.
    pub median: Option<Duration>,
    /// Time of the last successful answer.
    pub last_good: Option<Timestamp>,
    /// Code and time of the last call that failed: `smtp_535`, `timeout`.
    pub last_error: Option<(String, Timestamp)>,
    /// Refusals of access; for an operator.
    pub alarms: Vec<AccessAlarm>,
    /// Fields that our user does not see, or may not write.
    pub hidden: Vec<HiddenField>,
    /// Daily quota as (used, allowed), if the system reports it.
    pub quota: Option<(u64, u64)>,
}

/// A fault for the sandbox to inject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultSpec {
    /// System: `salesforce`, `stripe`, `twilio`, `llm`.
    pub system: String,
    /// Operation: `composite`, `refund_create`, …
    pub operation: String,
    /// Kind: `timeout_after_effect`, `status`, …
    pub kind: String,
    /// Number of affected calls; 0 means until removed.
    pub count: u32,
    /// Number of calls to let through first.
    pub skip: u32,
    /// HTTP status for the kind `status`.
    pub status: Option<u16>,
    /// Duration in milliseconds, for kinds that take time.
    pub ms: Option<u64>,
}

/// The sandbox's current fault injection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultInjectionView {
    /// Remaining faults.
    pub faults: Vec<FaultSpec>,
    /// `none`, `reference`, or `own` when individual operations were set.
    pub latency: String,
    /// The day the sandbox's data was generated for; later, its arrivals are no longer today's.
    pub seed_day: Option<String>,
}

/// Why fault injection is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultInjectionError {
    /// Not a demo, or the caller is not a manager.
    #[error("Fault injection is not available here.")]
    Unavailable,
    /// Invalid order: the field and the problem.
    #[error("{0}: {1}")]
    Wrong(String, String),
    /// The sandbox does not answer.
    #[error("The sandbox does not answer.")]
    Silent,
}

/// System status. Fault injection exists only for managers, and only in mode `demo`.
#[async_trait]
pub trait SystemStatus: Send + Sync + std::fmt::Debug {
    fn mode(&self) -> DeploymentMode;

    fn installation(&self) -> InstallationId;

    /// The first refusal of access without which the hotel can't work, as a sentence: no request can
    /// be served by another process either.
    fn access_refused(&self) -> Option<String>;

    /// Every outside system, always in the same order; empty for callers who are not staff.
    async fn systems(&self, caller: &Caller) -> Vec<SystemView>;

    /// The current fault injection.
    ///
    /// # Errors
    /// Returns a [`FaultInjectionError`] when there is none.
    async fn fault_injection(
        &self,
        caller: &Caller,
    ) -> Result<FaultInjectionView, FaultInjectionError>;

    /// Adds a fault.
    ///
    /// # Errors
    /// Returns a [`FaultInjectionError`] when the fault is refused.
    async fn inject_fault(
        &self,
        caller: &Caller,
        fault: FaultSpec,
    ) -> Result<(), FaultInjectionError>;

    /// Removes all faults and returns how many there were.
    ///
    /// # Errors
    /// Returns a [`FaultInjectionError`] when refused.
    async fn clear_faults(&self, caller: &Caller) -> Result<u64, FaultInjectionError>;

    /// Sets the latency profile: `none` or `reference`.
    ///
    /// # Errors
    /// Returns a [`FaultInjectionError`] when refused.
    async fn latency(&self, caller: &Caller, profile: &str) -> Result<(), FaultInjectionError>;

    /// Regenerates the sandbox's data as of today.
    ///
    /// # Errors
    /// Returns a [`FaultInjectionError`] when refused.
    async fn reset(&self, caller: &Caller) -> Result<(), FaultInjectionError>;
}
