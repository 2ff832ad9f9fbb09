//! Signals to an execution from a person, a webhook or the scheduler. A signal is stored before
//! anyone acts on it, so a crash loses none; the execution itself decides the consequences, in its
//! own journal.

use serde::{Deserialize, Serialize};

/// The request a signal makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignalAction {
    /// Recheck the outside systems: something about the execution was reported.
    #[serde(rename = "look")]
    Recheck,
    /// Compensate, as far as anything is left to compensate.
    Compensate,
    /// Retry what was given up.
    RetryNow,
    /// Go forward after all.
    FinishForward,
    /// A person has resolved it by hand.
    MarkSolved,
}

impl SignalAction {
    /// Name used everywhere.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recheck => "look",
            Self::Compensate => "compensate",
            Self::RetryNow => "retry_now",
            Self::FinishForward => "finish_forward",
            Self::MarkSolved => "mark_solved",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// Key, unique per execution: the requesting execution's id, the webhook event's id. A repeated
    /// key is the same signal.
    pub key: String,
    /// Request.
    #[serde(rename = "ask")]
    pub action: SignalAction,
    /// Sender's stable key: `staff:frontdesk@…`, `sweep`, `webhook`.
    pub by: String,
    /// Reason, in the words of the person or the system.
    pub why: String,
}
