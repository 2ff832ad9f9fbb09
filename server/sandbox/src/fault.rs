//! Failures to order.

use serde::{Deserialize, Serialize};

use crate::System;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The connection is held, then dropped; nothing is applied.
    TimeoutBeforeEffect,
    /// Applied at once; the connection is held, then dropped.
    TimeoutAfterEffect,
    /// The connection is held, then dropped; applied `ms` after arrival, by the rules of that
    /// moment.
    LateEffect,
    /// The connection breaks; nothing is applied.
    ResetBeforeEffect,
    /// Applied; the connection breaks instead of an answer.
    ResetAfterEffect,
    /// Applied; the answer says 200 and its body is cut in the middle.
    GarbageBody,
    /// Nothing is applied; the answer has `status` and the system's own error body.
    Status,
    /// Everything as usual, `ms` later.
    Slow,
    /// Salesforce: a row is locked by someone else.
    UnableToLockRow,
    /// Salesforce: all tokens given out so far are worthless.
    ExpiredSession,
    /// Salesforce: the day's calls are used up.
    RequestLimit,
    /// Stripe: the object is busy.
    LockTimeout,
    /// The request arrives twice at once and is handled twice; the caller gets the first answer, or
    /// the second.
    DeliveredTwice,
    /// The request is handled and answered; the same bytes arrive again `ms` later, by the rules of
    /// that moment, and nobody hears that answer.
    ReplayedLater,
}

impl FaultKind {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Self; 14] = [
        Self::TimeoutBeforeEffect,
        Self::TimeoutAfterEffect,
        Self::LateEffect,
        Self::ResetBeforeEffect,
        Self::ResetAfterEffect,
        Self::GarbageBody,
        Self::Status,
        Self::Slow,
        Self::UnableToLockRow,
        Self::ExpiredSession,
        Self::RequestLimit,
        Self::LockTimeout,
        Self::DeliveredTwice,
        Self::ReplayedLater,
    ];

    /// Its name, as the admin API spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TimeoutBeforeEffect => "timeout_before_effect",
            Self::TimeoutAfterEffect => "timeout_after_effect",
            Self::LateEffect => "late_effect",
            Self::ResetBeforeEffect => "reset_before_effect",
            Self::ResetAfterEffect => "reset_after_effect",
            Self::GarbageBody => "garbage_body",
            Self::Status => "status",
            Self::Slow => "slow",
            Self::UnableToLockRow => "unable_to_lock_row",
            Self::ExpiredSession => "expired_session",
            Self::RequestLimit => "request_limit",
            Self::LockTimeout => "lock_timeout",
            Self::DeliveredTwice => "delivered_twice",
            Self::ReplayedLater => "replayed_later",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether a system can fail in this way.
    #[must_use]
    pub fn fits(self, system: System) -> bool {
        match self {
            Self::UnableToLockRow | Self::ExpiredSession | Self::RequestLimit => {
                system == System::Salesforce
            }
            Self::LockTimeout => system == System::Stripe,
            _ => true,
        }
    }
}

/// One ordered failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The system that fails.
    pub system: System,
    /// The operation that fails; `*` for all.
    pub operation: String,
    /// How it fails.
    pub kind: FaultKind,
    /// How many calls; 0 until it is removed.
    pub count: u32,
    /// How many matching calls pass first.
    pub skip: u32,
    /// For [`FaultKind::Status`].
    pub status: Option<u16>,
    /// How long, in milliseconds, where the kind has a length.
    pub ms: Option<u64>,
    /// For [`FaultKind::DeliveredTwice`]: the caller gets the answer to the second delivery.
    #[serde(default)]
    pub second_answer: bool,
}

impl Fault {
    /// The next call of `operation` fails.
    #[must_use]
    pub fn new(system: System, operation: &str, kind: FaultKind) -> Self {
        Self {
            system,
            operation: operation.to_owned(),
            kind,
            count: 1,
            skip: 0,
            status: None,
            ms: None,
            second_answer: false,
        }
    }

    /// So many calls fail; 0 means until it is removed.
    #[must_use]
    pub fn count(mut self, count: u32) -> Self {
        self.count = count;
        self
    }

    /// So many calls pass first.
    #[must_use]
    pub fn skip(mut self, skip: u32) -> Self {
        self.skip = skip;
        self
    }

    /// The status to answer with.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// The length in milliseconds.
    #[must_use]
    pub fn ms(mut self, ms: u64) -> Self {
        self.ms = Some(ms);
        self
    }

    /// The caller gets the answer to the second delivery.
    #[must_use]
    pub fn second_answer(mut self) -> Self {
        self.second_answer = true;
        self
    }

    /// Whether a call is one of those meant.
    #[must_use]
    pub fn matches(&self, system: System, operation: &str) -> bool {
        self.system == system && (self.operation == "*" || self.operation == operation)
    }
}
