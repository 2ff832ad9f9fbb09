//! Fault injection.

use dewy_domain::ports::HttpResponse;
use serde::{Deserialize, Serialize};

use crate::System;

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
    /// The connection is reset; nothing is applied.
    ResetBeforeEffect,
    /// Applied; the connection is reset instead of a response.
    ResetAfterEffect,
    /// Applied; the response has status 200 and a truncated body.
    GarbageBody,
    /// Nothing is applied; the response has `status` and the system's own error body.
    Status,
    /// Normal processing, `ms` later.
    Slow,
    /// Salesforce: another transaction holds a row lock.
    UnableToLockRow,
    /// Salesforce: revokes all tokens issued so far.
    ExpiredSession,
    /// Salesforce: the daily call limit is exhausted.
    RequestLimit,
    /// Stripe: the object is locked.
    LockTimeout,
    /// The request arrives twice at once and is processed twice; the caller gets the first
    /// response, or the second.
    DeliveredTwice,
    /// The request is processed and answered; the same bytes arrive again `ms` later, by the rules
    /// of that moment, and that response is lost.
    ReplayedLater,
}

impl FaultKind {
    /// All kinds, in the order of the documentation.
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

    /// Whether the kind applies to a system.
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub system: System,
    /// Operation; `*` for all.
    pub operation: String,
    pub kind: FaultKind,
    /// Number of calls; 0 means until it is removed.
    pub count: u32,
    /// Number of matching calls to skip first.
    pub skip: u32,
    /// Status for [`FaultKind::Status`].
    pub status: Option<u16>,
    /// Duration in milliseconds, for kinds that have one.
    pub ms: Option<u64>,
    /// For [`FaultKind::DeliveredTwice`]: the caller gets the response to the second delivery.
    #[serde(default)]
    pub second_answer: bool,
    /// Seconds in a `Retry-After` header, for kinds that answer with an error. Vendors and the
    /// proxies before them send any number.
    #[serde(default)]
    pub retry_after: Option<u64>,
}

impl Fault {
    /// Fault for the next call of `operation`.
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
            retry_after: None,
        }
    }

    /// Sets the number of calls; 0 means until it is removed.
    #[must_use]
    pub fn count(mut self, count: u32) -> Self {
        self.count = count;
        self
    }

    #[must_use]
    pub fn skip(mut self, skip: u32) -> Self {
        self.skip = skip;
        self
    }

    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// Sets the duration in milliseconds.
    #[must_use]
    pub fn ms(mut self, ms: u64) -> Self {
        self.ms = Some(ms);
        self
    }

    /// Returns the response to the second delivery.
    #[must_use]
    pub fn second_answer(mut self) -> Self {
        self.second_answer = true;
        self
    }

    /// Sends a `Retry-After` header with this many seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Adds the `Retry-After` header to an error response.
    #[must_use]
    pub(crate) fn with_retry_after(&self, mut response: HttpResponse) -> HttpResponse {
        if let Some(seconds) = self.retry_after {
            let header = ("retry-after".to_owned(), seconds.to_string());
            response.headers.push(header);
        }
        response
    }

    #[must_use]
    pub fn matches(&self, system: System, operation: &str) -> bool {
        self.system == system && (self.operation == "*" || self.operation == operation)
    }
}
