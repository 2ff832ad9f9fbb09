//! What is said to an execution from outside it: by a person, a webhook, the clock. It is stored
//! before anybody acts on it, so a crash loses none; the execution itself decides what follows, in
//! its own journal.

use serde::{Deserialize, Serialize};

/// What is asked of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Look at the outside again: something about it was reported.
    Look,
    /// Turn back, or compensate what is still there.
    Compensate,
    /// Try again what was given up.
    RetryNow,
    /// Go forward after all.
    FinishForward,
    /// A person has settled it by hand.
    MarkSolved,
}

impl Ask {
    /// As it is written everywhere.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::Compensate => "compensate",
            Self::RetryNow => "retry_now",
            Self::FinishForward => "finish_forward",
            Self::MarkSolved => "mark_solved",
        }
    }
}

/// One thing said to one execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// Unique per execution: the asking execution's id, the webhook event's id. The same key again
    /// is the same signal.
    pub key: String,
    /// What is asked.
    pub ask: Ask,
    /// Who asks, as a stable key: `staff:frontdesk@…`, `sweep`, `webhook`.
    pub by: String,
    /// Why, in the person's words or the system's.
    pub why: String,
}
