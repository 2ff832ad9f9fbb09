//! Conditional writes: the outcome of a write is looked up, and before "not applied" is accepted a
//! row of its precondition is touched, so that a late effect fails.
//!
//! ```text
//! order ─► send ─┬─ done
//!                └─ unknown, precondition failed ─► look up ─┬─ applied ─► done
//!                                                            ├─ someone else was faster ─► refused
//!                                                            └─ nothing yet ─► late effect possible? yes ─► touch, look up again
//!                                                                                                    no ─► order again
//! ```

pub(crate) mod stay_write;

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::{
    ports::Crm,
    upstream_request::{Call, Reply},
    vocabulary::FaultCode,
};
use dewy_saga::{
    Activity, Context, Fault, NOT_APPLIED, Outcome, OutcomeCheck, Plan, Request, SAME_SECOND,
    progress::Guard,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::saga_parts::{engine_conversions, settings::Settings};

/// A write to perform.
pub(crate) enum WriteRequest {
    /// Send this call, with a row of this stamp as precondition; without one, something unique
    /// identifies it.
    Send(Call, Option<Timestamp>),
    /// Nothing has to be written.
    Skip(Value),
}

/// Stored with a write: the row's timestamp in seconds, which distinguishes a late effect from a
/// new write.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct SentPrecondition {
    pub guard_second: Option<i64>,
}

/// What a lookup found of a write.
pub(crate) enum LookupResult {
    /// Applied.
    Applied(Value),
    /// Not applied, and it cannot be any more.
    Refused(Fault),
    /// Not applied so far.
    NotApplied {
        /// Current state, from which the next order is built.
        found: Value,
        /// Whether a late effect is still possible.
        precondition: Precondition,
    },
}

/// What prevents a late effect.
pub(crate) enum Precondition {
    /// Our reference is unique: it is applied once however often it is sent.
    Unique,
    /// A row with a stamp: once it is later than the one sent, a late effect fails. The call
    /// updates it.
    Row(Timestamp, Call),
    /// A row that must be missing for a late effect to succeed. The call creates it.
    Missing(Call),
}

/// One write: what to send, how, and how to identify it.
#[async_trait]
pub(crate) trait Write: Send + Sync {
    /// Builds the call, from the journaled facts or from what the last lookup found.
    fn build_request(&self, cx: &Context<'_>, found: Option<&Value>)
    -> Result<WriteRequest, Fault>;

    /// Sends the call.
    async fn write(&self, call: &Call) -> Reply<Value>;

    /// Looks up whether it was applied.
    async fn look_up(&self, cx: &Context<'_>) -> Reply<LookupResult>;

    /// Touches, or creates, the row of a precondition.
    async fn touch_guard_row(&self, call: &Call) -> Reply<()>;
}

/// A [`Write`] as a step's activity.
pub(crate) struct ReconciledWrite<W> {
    write: W,
    deadline: Duration,
}

impl<W: Write> ReconciledWrite<W> {
    /// Wraps a write; `settings` have the deadline of one call.
    pub(crate) const fn new(write: W, settings: &Settings) -> Self {
        Self {
            write,
            deadline: settings.salesforce_deadline,
        }
    }
}

#[async_trait]
impl<W: Write> Activity for ReconciledWrite<W> {
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        // After a lookup found nothing applied, the preconditions are those of the rows as found.
        let fault = cx
            .direction_progress()
            .and_then(|side| side.fault.as_ref())
            .filter(|fault| fault.code == NOT_APPLIED);
        Some(
            match self
                .write
                .build_request(&cx, fault.map(|fault| &fault.details["found"]))
            {
                Ok(WriteRequest::Send(call, stamp)) => {
                    let beside = engine_conversions::value(&SentPrecondition {
                        guard_second: stamp.map(second),
                    });
                    Plan::Send(engine_conversions::request(&call, self.deadline, beside))
                }
                Ok(WriteRequest::Skip(why)) => Plan::Skip(why),
                Err(fault) => Plan::Refuse(fault),
            },
        )
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome {
        let call = match engine_conversions::call(request) {
            Ok(call) => call,
            Err(fault) => return Outcome::Refused { fault },
        };
        match self.write.write(&call).await {
            // Our own earlier write may have failed the precondition, or be the current state: look
            // it up first.
            Reply::Refused(error)
                if error.code == FaultCode::GuardFailed || error.code == FaultCode::Duplicate =>
            {
                Outcome::Unknown {
                    fault: engine_conversions::fault(error),
                }
            }
            other => engine_conversions::outcome(other, |value| Outcome::Done { value }),
        }
    }

    async fn determine_outcome(&self, cx: Context<'_>, request: &Request) -> OutcomeCheck {
        let (found, precondition) = match self.write.look_up(&cx).await.answered() {
            Ok(LookupResult::Applied(value)) => {
                return OutcomeCheck::Outcome(Outcome::Done { value });
            }
            Ok(LookupResult::Refused(fault)) => {
                return OutcomeCheck::Outcome(Outcome::Refused { fault });
            }
            Ok(LookupResult::NotApplied {
                found,
                precondition,
            }) => (found, precondition),
            // An inconclusive lookup leaves it open, whatever the cause.
            Err(error) => {
                return OutcomeCheck::Outcome(Outcome::Unknown {
                    fault: engine_conversions::fault(error),
                });
            }
        };
        let late_effect = match &precondition {
            Precondition::Unique => LateEffect::Impossible,
            Precondition::Missing(_) => LateEffect::Possible,
            Precondition::Row(written, _) => {
                let guard = cx.direction_progress().and_then(|side| side.guard.as_ref());
                let sent = engine_conversions::stored_with_call::<SentPrecondition>(request)
                    .and_then(|sent| sent.guard_second);
                late_effect(&cx, guard, sent.unwrap_or_default(), *written)
            }
        };
        match (late_effect, precondition) {
            (LateEffect::Possible, Precondition::Row(_, call) | Precondition::Missing(call)) => {
                OutcomeCheck::Guard(engine_conversions::request(
                    &call,
                    self.deadline,
                    Value::Null,
                ))
            }
            (LateEffect::SameSecond, _) => OutcomeCheck::Outcome(Outcome::Unknown {
                fault: same_second(),
            }),
            (LateEffect::Impossible | LateEffect::Possible, _) => {
                let fault = Fault::new(NOT_APPLIED, "looked up, and not applied")
                    .with(json!({ "found": found }));
                OutcomeCheck::Outcome(Outcome::TryLater { fault })
            }
        }
    }

    async fn send_guard(&self, _: Context<'_>, request: &Request) -> Outcome {
        match engine_conversions::call(request) {
            Ok(call) => guard_outcome(self.write.touch_guard_row(&call).await),
            Err(fault) => Outcome::Refused { fault },
        }
    }
}

fn guard_outcome(reply: Reply<()>) -> Outcome {
    match reply {
        // Someone else created the row: it exists.
        Reply::Refused(error) if error.code == FaultCode::Duplicate => {
            Outcome::Done { value: Value::Null }
        }
        other => engine_conversions::outcome(other, |()| Outcome::Done { value: Value::Null }),
    }
}

/// Whether a late effect can still apply.
pub(crate) enum LateEffect {
    /// No: the row was written after the late request's precondition.
    Impossible,
    /// The row was just touched in the same second as the precondition, which compares whole
    /// seconds; wait for the next one.
    SameSecond,
    /// Yes: the row has to be touched.
    Possible,
}

/// Whether a request with precondition `guard` (a second) can still apply to a row written at that
/// time. Our clock only measures the time since the touch: it may differ from Salesforce's.
pub(crate) fn late_effect(
    cx: &Context<'_>,
    last: Option<&Guard>,
    guard: i64,
    written: Timestamp,
) -> LateEffect {
    let just_touched = last
        .filter(|touch| matches!(touch.outcome, Some(Outcome::Done { .. })))
        .and_then(|touch| touch.settled_at)
        .is_some_and(|at| (0..1000).contains(&cx.now.duration_since(at).as_millis()));
    if second(written) > guard {
        LateEffect::Impossible
    } else if just_touched {
        LateEffect::SameSecond
    } else {
        LateEffect::Possible
    }
}

/// The second a precondition compares with.
fn second(at: Timestamp) -> i64 {
    at.as_second()
}

/// Fault: wait for the next second.
pub(crate) fn same_second() -> Fault {
    Fault {
        retry_after_ms: Some(1100),
        ..Fault::new(SAME_SECOND, "the touch falls into the second of the guard")
    }
}

/// Sends a touch. A failed precondition means that someone else wrote the row, which also stops a
/// late effect: look it up again.
pub(crate) async fn touch(crm: &dyn Crm, request: &Request) -> Outcome {
    match engine_conversions::call(request) {
        Ok(call) => guard_outcome(crm.send_touch(&call).await),
        Err(fault) => Outcome::Refused { fault },
    }
}

/// Fault: a fact is missing. A journal written by this program always has it.
pub(crate) fn missing_fact(what: &str) -> Fault {
    Fault::new(FaultCode::MissingFact, format!("the journal lacks {what}"))
}

/// Fault: someone else was faster.
pub(crate) fn conflict_fault(words: &str, difference: Value) -> Fault {
    Fault::new(FaultCode::ForeignEdit, words).with(json!({ "difference": difference }))
}
