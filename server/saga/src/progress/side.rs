//! One direction of one step: where it stands, and what was sent for it.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    event::{Fault, Outcome, Request},
    injected_bugs::{self, Bug},
};

/// Where a step stands in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Phase {
    /// Nothing was done yet.
    #[default]
    Untouched,
    /// An intent is committed and no outcome: the request may or may not have been sent.
    Intended,
    /// It took effect.
    Done,
    /// It was refused.
    Refused,
    /// It was definitely not applied and may be sent again.
    TryLater,
    /// Nobody knows yet.
    Unknown,
    /// Somebody outside has to act.
    Waiting,
    /// No request was needed.
    Skipped,
}

/// A guard of a step: the write that makes a late effect of the main request impossible.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// Its exact bytes.
    pub request: Request,
    /// What became of it; `None` while that is open.
    pub outcome: Option<Outcome>,
}

/// One direction of one step.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Side {
    /// Where it stands.
    pub phase: Phase,
    /// How many requests were built.
    pub intents: u32,
    /// How often a main request was sent, as far as its answers (or their absence) are journaled.
    pub sends: u32,
    /// How often in a row its outcome was looked up since.
    pub looks: u32,
    /// How often it was refused for good, over all: a refusal that its key keeps giving again is
    /// left behind by the next key.
    pub refusals: u32,
    /// True once any try was open-ended, so that a straggler of ours may still be under way.
    pub ever_unknown: bool,
    /// The latest main request.
    pub request: Option<Request>,
    /// The latest guard.
    pub guard: Option<Guard>,
    /// Of `Done`, `Waiting` and `Skipped`.
    pub value: Option<Value>,
    /// Of `Refused`, `TryLater` and `Unknown`.
    pub fault: Option<Fault>,
    /// When the first intent was committed.
    pub first_at: Option<Timestamp>,
    /// When its present holder committed the first row about it, by that holder's clock.
    pub held_at: Option<Timestamp>,
    /// When the latest intent of a main request was committed: no sending is younger.
    pub intended_at: Option<Timestamp>,
    /// Upper bound of the time of the latest sending of a main request: when its intent or its
    /// answer was committed.
    pub sent_at: Option<Timestamp>,
    /// The idempotency key in use, and when its first intent was committed. Nothing resets it: the
    /// outside counts from the first time it saw the key.
    pub key: Option<(String, Timestamp)>,
    /// Fencing token under which the latest row about it was written; 0 once a person has it tried
    /// again.
    pub fence: i64,
    /// When the latest row about it was.
    pub last_at: Option<Timestamp>,
}

impl Side {
    /// Age of the idempotency key in use, from its first intent on; zero where there is none.
    #[must_use]
    pub fn key_age(&self, now: Timestamp) -> Duration {
        let first = if injected_bugs::on(Bug::ForgottenKeyAge) {
            self.first_at
        } else {
            self.key.as_ref().map(|(_, at)| *at)
        };
        first.map_or(Duration::ZERO, |at| {
            Duration::try_from(now.duration_since(at)).unwrap_or_default()
        })
    }

    /// Nothing of it is left but the counts that keys are made from, and the age of the key.
    pub(super) fn anew(&self) -> Self {
        Self {
            intents: self.intents,
            refusals: self.refusals,
            key: self.key.clone(),
            ..Self::default()
        }
    }

    /// A row about it was appended by the holder of this fencing token.
    pub(super) fn touched(&mut self, at: Timestamp, fence: i64) {
        self.last_at = Some(at);
        if self.fence != fence || self.held_at.is_none() {
            self.held_at = Some(at);
        }
        self.fence = fence;
    }

    pub(super) fn settle(&mut self, outcome: &Outcome, looked: bool) {
        let fault = match outcome {
            Outcome::Done { value } => {
                self.phase = Phase::Done;
                self.value = Some(value.clone());
                None
            }
            Outcome::Waiting { value } => {
                self.phase = Phase::Waiting;
                self.value = Some(value.clone());
                None
            }
            Outcome::Refused { fault } => {
                self.phase = Phase::Refused;
                self.refusals += 1;
                Some(fault)
            }
            Outcome::TryLater { fault } => {
                self.phase = Phase::TryLater;
                Some(fault)
            }
            Outcome::Unknown { fault } => {
                self.phase = Phase::Unknown;
                self.ever_unknown = true;
                Some(fault)
            }
        };
        if looked {
            self.looks += 1;
        } else {
            self.sends += 1;
            self.looks = 0;
        }
        self.fault = fault.cloned();
    }
}
