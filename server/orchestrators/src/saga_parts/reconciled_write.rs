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

mod condition;
pub(crate) mod stay_write;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{ports::Crm, upstream_request::Call, vocabulary::FaultCode};
use dewy_saga::{
    Activity, Context, Fault, NOT_APPLIED, Outcome, OutcomeCheck, Plan, Request, SAME_SECOND,
    progress::Guard,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

pub(crate) use condition::Condition;

use crate::saga_parts::{engine_conversions, hotel_dependencies::HotelDependencies};

/// Stored with a write: the row's timestamp in seconds, which distinguishes a late effect from a
/// new write.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct SentPrecondition {
    pub guard_second: Option<i64>,
}

pub(crate) enum LookupResult<F, O> {
    Applied(O),
    /// Not applied, and it cannot be any more.
    Refused(Fault),
    /// Not applied so far.
    NotApplied {
        /// Current state, from which the next order is built.
        found: F,
        /// Whether a late effect is still possible.
        precondition: Precondition,
    },
}

/// What a lookup of this write finds.
pub(crate) type Lookup<W> = LookupResult<<W as Write>::Found, <W as Write>::Output>;

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
    type Facts: DeserializeOwned + Send + Sync;

    /// Current state that a lookup found.
    type Found: Serialize + DeserializeOwned + Send;

    /// What the step journals.
    type Output: Serialize + Send;

    /// What the journal says about it; otherwise the plan of a step that has nothing to write.
    fn facts(&self, cx: &Context<'_>) -> Result<Self::Facts, Plan> {
        cx.facts()
            .ok_or_else(|| Plan::Refuse(missing_fact("the facts")))
    }

    /// Builds the call, from the facts or from what the last lookup found, with the stamp of the
    /// row that is its precondition; without one, something unique identifies it.
    fn build_request(
        &self,
        crm: &dyn Crm,
        cx: &Context<'_>,
        facts: Self::Facts,
        found: Option<Self::Found>,
    ) -> Result<(Call, Option<Timestamp>), Fault>;

    async fn write(&self, crm: &dyn Crm, call: &Call) -> Outcome<Self::Output>;

    async fn look_up(
        &self,
        crm: &dyn Crm,
        cx: &Context<'_>,
        facts: Self::Facts,
    ) -> Result<Lookup<Self>, Fault>;

    /// Touches, or creates, the row of a precondition.
    async fn touch_guard_row(&self, crm: &dyn Crm, call: &Call) -> Outcome<()> {
        crm.send_touch(call).await
    }
}

/// A [`Write`] as a step's activity.
pub(crate) struct ReconciledWrite<W> {
    write: W,
    crm: Arc<dyn Crm>,
    deadline: Duration,
    condition: Option<Box<dyn Condition>>,
}

impl<W: Write> ReconciledWrite<W> {
    pub(crate) fn new(parts: &HotelDependencies, write: W) -> Self {
        Self {
            write,
            crm: Arc::clone(&parts.crm),
            deadline: parts.settings.salesforce_deadline,
            condition: None,
        }
    }

    /// The same write, made only while the condition holds.
    pub(crate) fn only_while(self, condition: impl Condition + 'static) -> Self {
        Self {
            condition: Some(Box::new(condition)),
            ..self
        }
    }

    fn plan(&self, cx: &Context<'_>) -> Plan {
        let facts = match self.write.facts(cx) {
            Ok(facts) => facts,
            Err(plan) => return plan,
        };
        // After a lookup found nothing applied, the preconditions are those of the rows as found.
        let fault = cx
            .direction_progress()
            .and_then(|s| s.fault.as_ref())
            .filter(|fault| fault.code == NOT_APPLIED);
        let found = fault.and_then(|fault| engine_conversions::read(&fault.details["found"]));
        match (self.write).build_request(self.crm.as_ref(), cx, facts, found) {
            Ok((call, stamp)) => {
                let beside = engine_conversions::value(&SentPrecondition {
                    guard_second: stamp.map(second),
                });
                Plan::Send(engine_conversions::request(&call, self.deadline, beside))
            }
            Err(fault) => Plan::Refuse(fault),
        }
    }

    async fn look_up(&self, cx: &Context<'_>) -> Result<Lookup<W>, Fault> {
        match self.write.facts(cx) {
            Ok(facts) => self.write.look_up(self.crm.as_ref(), cx, facts).await,
            Err(Plan::Refuse(fault)) => Ok(LookupResult::Refused(fault)),
            Err(_) => Ok(LookupResult::Refused(missing_fact("the facts"))),
        }
    }
}

#[async_trait]
impl<W: Write> Activity for ReconciledWrite<W> {
    type Output = W::Output;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        match &self.condition {
            Some(condition) => match condition.journaled(&cx)? {
                Ok(()) => Some(self.plan(&cx)),
                Err(objection) => Some(objection),
            },
            None => Some(self.plan(&cx)),
        }
    }

    async fn prepare(&self, cx: Context<'_>) -> Plan {
        if let Some(condition) = &self.condition
            && let Err(objection) = condition.check(&cx).await
        {
            return objection;
        }
        self.plan(&cx)
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome<W::Output> {
        let write = |call| async move { self.write.write(self.crm.as_ref(), &call).await };
        let failed = [FaultCode::GuardFailed, FaultCode::Duplicate];
        unknown_if(engine_conversions::send(request, write).await, &failed)
    }

    async fn determine_outcome(
        &self,
        cx: Context<'_>,
        request: &Request,
    ) -> OutcomeCheck<W::Output> {
        let (found, precondition) = match self.look_up(&cx).await {
            Ok(LookupResult::Applied(output)) => return Outcome::Done(output).into(),
            Ok(LookupResult::Refused(fault)) => return Outcome::Refused(fault).into(),
            Ok(LookupResult::NotApplied {
                found,
                precondition,
            }) => (found, precondition),
            // An inconclusive lookup leaves it open, whatever the cause.
            Err(error) => return Outcome::Unknown(error).into(),
        };
        let late_effect = match &precondition {
            Precondition::Unique => LateEffect::Impossible,
            Precondition::Missing(_) => LateEffect::Possible,
            Precondition::Row(written, _) => {
                let guard = cx.direction_progress().and_then(|s| s.guard.as_ref());
                let sent = engine_conversions::stored_with_call::<SentPrecondition>(request)
                    .and_then(|sent| sent.guard_second);
                late_effect(&cx, guard, sent.unwrap_or_default(), *written)
            }
        };
        match (late_effect, precondition) {
            (LateEffect::Possible, Precondition::Row(_, call) | Precondition::Missing(call)) => {
                let guard = engine_conversions::request(&call, self.deadline, Value::Null);
                OutcomeCheck::Guard(guard)
            }
            (LateEffect::SameSecond, _) => Outcome::Unknown(same_second()).into(),
            (LateEffect::Impossible | LateEffect::Possible, _) => {
                let fault = Fault::new(NOT_APPLIED, "looked up, and not applied");
                Outcome::TryLater(fault.with(json!({ "found": found }))).into()
            }
        }
    }

    async fn send_guard(&self, _: Context<'_>, request: &Request) -> Outcome {
        let touch = |call| async move {
            let crm = self.crm.as_ref();
            self.write.touch_guard_row(crm, &call).await
        };
        guard_outcome(engine_conversions::send(request, touch).await)
    }
}

/// The outcome of a write, unknown if it was refused for one of these reasons: our own earlier
/// write may have failed the precondition, or be the current state, so it is looked up first.
pub(crate) fn unknown_if<T>(outcome: Outcome<T>, codes: &[FaultCode]) -> Outcome<T> {
    match outcome {
        Outcome::Refused(fault) if codes.iter().any(|code| fault.code == *code) => {
            Outcome::Unknown(Fault {
                permanent: false,
                ..fault
            })
        }
        other => other,
    }
}

fn guard_outcome(outcome: Outcome<()>) -> Outcome {
    match outcome {
        // Someone else created the row: it exists.
        Outcome::Refused(fault) if fault.code == FaultCode::Duplicate => Outcome::Done(Value::Null),
        other => other.journaled(),
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
        .filter(|touch| matches!(touch.outcome, Some(Outcome::Done(_))))
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
    let touch = |call| async move { crm.send_touch(&call).await };
    guard_outcome(engine_conversions::send(request, touch).await)
}

/// Fault: a fact is missing. A journal written by this program always has it.
pub(crate) fn missing_fact(what: &str) -> Fault {
    Fault::new(FaultCode::MissingFact, format!("the journal lacks {what}"))
}

/// Fault: someone else was faster.
pub(crate) fn conflict_fault(words: &str, difference: Value) -> Fault {
    Fault::new(FaultCode::ForeignEdit, words).with(json!({ "difference": difference }))
}
