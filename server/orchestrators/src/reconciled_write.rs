//! Writing under guards: what became of a write is looked up, and before "not applied" is believed
//! a row that it is guarded by is touched, so that a straggler fails its own guard.
//!
//! ```text
//! order ─► send ─┬─ done
//!                └─ unknown, guard failed ─► look ─┬─ applied ─► done
//!                                                  ├─ somebody else was there ─► refused
//!                                                  └─ nothing yet ─► fence up? no ─► touch, look again
//!                                                                           yes ─► ordered anew
//! ```

pub(crate) mod stay;

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::{
    call::{Call, Reply},
    ports::Crm,
};
use dewy_saga::{
    Activity, Context, Direction, Fault, Outcome, Plan, Request, Resolved,
    progress::{Guard, Side},
    saga::NOT_APPLIED,
};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::bridge;

/// What a write orders.
pub(crate) enum WriteRequest {
    /// This, under the guard of a row with this stamp; without one it is recognized by something
    /// unique.
    Send(Call, Option<Timestamp>),
    /// Nothing has to be written.
    Skip(Value),
}

/// What there is of a write.
pub(crate) enum Seen {
    /// It was applied.
    Applied(Value),
    /// It was not, and cannot be any more.
    Refused(Fault),
    /// It was not, as far as one can see.
    Not {
        /// What there is instead; what is ordered next is built from it.
        found: Value,
        /// Whether a straggler could still take effect.
        fence: Precondition,
    },
}

/// What keeps a straggler from taking effect.
pub(crate) enum Precondition {
    /// Our reference is unique: however often it is sent, it is applied once.
    Unique,
    /// A row with a stamp: once it is later than the one that was sent, the straggler fails. The
    /// call moves it.
    Row(Timestamp, Call),
    /// A row that is missing, and has to be missing for a straggler to succeed. The call makes it.
    Missing(Call),
}

/// One write: what to send, how, and how to recognize it.
#[async_trait]
pub(crate) trait Write: Send + Sync {
    /// Which step it is.
    fn step(&self) -> &'static str;

    /// In which direction.
    fn way(&self) -> Direction {
        Direction::Forward
    }

    /// What is sent, from the journaled facts or from what the last look found.
    fn order(&self, cx: &Context<'_>, found: Option<&Value>) -> Result<WriteRequest, Fault>;

    /// Sends it.
    async fn write(&self, call: &Call) -> Reply<Value>;

    /// What is there of it.
    async fn look(&self, cx: &Context<'_>) -> Reply<Seen>;

    /// Moves, or makes, the row of a fence.
    async fn raise(&self, call: &Call) -> Reply<()>;
}

/// A [`Write`] as a step's activity.
pub(crate) struct ReconciledWrite<W> {
    write: W,
    deadline: Duration,
}

impl<W: Write> ReconciledWrite<W> {
    /// With the deadline of one call.
    pub(crate) const fn new(write: W, deadline: Duration) -> Self {
        Self { write, deadline }
    }

    fn side<'a>(&self, cx: &Context<'a>) -> Option<&'a Side> {
        cx.progress.side(self.write.step(), self.write.way())
    }
}

#[async_trait]
impl<W: Write> Activity for ReconciledWrite<W> {
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        // After a look that found nothing applied, the guards are those of the rows as they were
        // found.
        let fault = self
            .side(&cx)
            .and_then(|side| side.fault.as_ref())
            .filter(|fault| fault.code == NOT_APPLIED);
        Some(
            match self
                .write
                .order(&cx, fault.map(|fault| &fault.details["found"]))
            {
                Ok(WriteRequest::Send(call, stamp)) => {
                    let beside = json!({ "guard_second": stamp.map(second) });
                    Plan::Send(bridge::request(&call, self.deadline, beside))
                }
                Ok(WriteRequest::Skip(why)) => Plan::Skip(why),
                Err(fault) => Plan::Refuse(fault),
            },
        )
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome {
        let call = match bridge::call(request) {
            Ok(call) => call,
            Err(fault) => return Outcome::Refused { fault },
        };
        match self.write.write(&call).await {
            // Our own earlier write may be what tripped the guard, or what is there already: look
            // before believing.
            Reply::Refused(trouble)
                if matches!(trouble.code.as_str(), "guard_failed" | "duplicate") =>
            {
                Outcome::Unknown {
                    fault: bridge::fault(trouble),
                }
            }
            other => bridge::outcome(other, |value| Outcome::Done { value }),
        }
    }

    async fn resolve(&self, cx: Context<'_>, request: &Request) -> Resolved {
        let (found, fence) = match self.write.look(&cx).await.answered() {
            Ok(Seen::Applied(value)) => return Resolved::Outcome(Outcome::Done { value }),
            Ok(Seen::Refused(fault)) => return Resolved::Outcome(Outcome::Refused { fault }),
            Ok(Seen::Not { found, fence }) => (found, fence),
            // A look that did not tell leaves it open, whatever the look failed on.
            Err(trouble) => {
                return Resolved::Outcome(Outcome::Unknown {
                    fault: bridge::fault(trouble),
                });
            }
        };
        let stand = match &fence {
            Precondition::Unique => Stand::Up,
            Precondition::Missing(_) => Stand::Down,
            Precondition::Row(written, _) => {
                let guard = self.side(&cx).and_then(|side| side.guard.as_ref());
                stand(
                    &cx,
                    guard,
                    request.payload["beside"]["guard_second"]
                        .as_i64()
                        .unwrap_or_default(),
                    *written,
                )
            }
        };
        match (stand, fence) {
            (Stand::Down, Precondition::Row(_, call) | Precondition::Missing(call)) => {
                Resolved::Guard(bridge::request(&call, self.deadline, Value::Null))
            }
            (Stand::SameSecond, _) => Resolved::Outcome(Outcome::Unknown {
                fault: same_second(),
            }),
            (Stand::Up | Stand::Down, _) => {
                let fault = Fault::new(NOT_APPLIED, "looked up, and not applied")
                    .with(json!({ "found": found }));
                Resolved::Outcome(Outcome::TryLater { fault })
            }
        }
    }

    async fn send_guard(&self, _: Context<'_>, request: &Request) -> Outcome {
        match bridge::call(request) {
            Ok(call) => raised(self.write.raise(&call).await),
            Err(fault) => Outcome::Refused { fault },
        }
    }
}

fn raised(reply: Reply<()>) -> Outcome {
    match reply {
        // Somebody else has made the row: it is there.
        Reply::Refused(trouble) if trouble.code == "duplicate" => {
            Outcome::Done { value: Value::Null }
        }
        other => bridge::outcome(other, |()| Outcome::Done { value: Value::Null }),
    }
}

/// Whether a straggler can still apply.
pub(crate) enum Stand {
    /// No: the row was written after the straggler's guard.
    Up,
    /// The row was written in the very second of the guard, which compares no finer; a second must
    /// pass.
    SameSecond,
    /// The row has to be touched.
    Down,
}

/// Whether a request guarded by `guard` (a second) can still apply to a row written at that moment.
pub(crate) fn stand(
    cx: &Context<'_>,
    last: Option<&Guard>,
    guard: i64,
    written: Timestamp,
) -> Stand {
    let touched = matches!(
        last.and_then(|g| g.outcome.as_ref()),
        Some(Outcome::Done { .. })
    );
    let written = second(written);
    if written > guard {
        Stand::Up
    } else if touched && second(cx.now) <= written {
        Stand::SameSecond
    } else {
        Stand::Down
    }
}

/// The second that a guard compares with.
fn second(at: Timestamp) -> i64 {
    at.as_second()
}

/// Waits for the next second.
pub(crate) fn same_second() -> Fault {
    Fault {
        retry_after_ms: Some(1100),
        ..Fault::new(
            "same_second",
            "the touch falls into the second of the guard",
        )
    }
}

/// Sends a touch. A failed guard means that somebody else wrote the row, which stops a straggler as
/// well: look again.
pub(crate) async fn touch(crm: &dyn Crm, request: &Request) -> Outcome {
    match bridge::call(request) {
        Ok(call) => raised(crm.send_touch(&call).await),
        Err(fault) => Outcome::Refused { fault },
    }
}

/// A journal written by this program never lacks it.
pub(crate) fn missing(what: &str) -> Fault {
    Fault::new("missing_fact", format!("the journal lacks {what}"))
}

/// Somebody else was there meanwhile.
pub(crate) fn overtaken(words: &str, difference: Value) -> Fault {
    Fault::new("foreign_edit", words).with(json!({ "difference": difference }))
}
