//! Moving booking, room and opportunity in one composite, recognised by its marker row. It is never sent blindly twice:
//! what became of it is looked up, and before "not applied" is believed the booking is touched, so that a straggler fails.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    call::Reply,
    ports::{CheckOutOrder, Crm, Trace, TraceQuery},
    stay::Stay,
};
use dewy_saga::{Activity, Context, Fault, Outcome, Plan, Request, Resolved, Way, saga::NOT_APPLIED};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{customer, facts, facts::Facts};
use crate::{bridge, settings::Settings};

pub(super) struct MoveOut {
    crm: Arc<dyn Crm>,
    settings: Settings,
}

impl MoveOut {
    pub(super) const fn new(crm: Arc<dyn Crm>, settings: Settings) -> Self {
        Self { crm, settings }
    }
}

/// What to look for.
pub(super) fn query(cx: &Context<'_>, facts: &Facts) -> TraceQuery {
    TraceQuery {
        execution_id: cx.id.to_string(),
        opportunity_id: facts.stay.opportunity.id.clone(),
        booking_id: facts.stay.booking.id.clone(),
    }
}

/// Whole seconds: guards compare no finer.
fn second(at: Timestamp) -> i64 {
    at.as_second()
}

/// What the straggler of a request would have to find unchanged.
fn guard_second(request: &Request, stay: &Stay) -> i64 {
    request.payload["beside"]["guard_second"].as_i64().unwrap_or_else(|| second(stay.booking.stamp.at))
}

/// The first field in which the rows differ from what we read, if any does.
fn foreign_edit(read: &Stay, now: &Trace) -> Option<Value> {
    let pairs = [
        ("booking", "Status__c", read.booking.status.as_str(), now.booking.status.as_str()),
        ("room", "Status__c", &read.room.status, &now.room.status),
        (
            "room",
            "Current_Guest__c",
            read.room.current_guest.as_deref().unwrap_or(""),
            now.room.current_guest.as_deref().unwrap_or(""),
        ),
        ("room", "Id", &read.room.id, &now.room.id),
        ("opportunity", "StageName", &read.opportunity.stage, &now.opportunity.stage),
    ];
    pairs
        .into_iter()
        .find(|(_, _, ours, found)| ours != found)
        .map(|(object, field, ours, found)| json!({ "object": object, "field": field, "ours": ours, "found": found }))
}

#[async_trait]
impl Activity for MoveOut {
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some(facts) = facts::facts(cx.progress) else {
            return Some(Plan::Refuse(customer::missing("the facts")));
        };
        let mut stay = facts.stay;
        // After a look-up that found nothing applied, the guards are those of the rows as they were found.
        let fresh = cx.progress.side("move", Way::Forward).and_then(|s| s.fault.as_ref()).map(|f| &f.details["trace"]);
        if let Some(trace) = fresh.and_then(bridge::read::<Trace>) {
            stay = Stay { booking: trace.booking, room: trace.room, opportunity: trace.opportunity, ..stay };
        }
        let guard = second(stay.booking.stamp.at);
        let order =
            CheckOutOrder { execution_id: cx.id.to_string(), stay, payment: facts::paid_by(cx.progress), at: cx.now };
        let call = self.crm.check_out(&order);
        Some(Plan::Send(bridge::request(&call, self.settings.salesforce_deadline, json!({ "guard_second": guard }))))
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome {
        let call = match bridge::call(request) {
            Ok(call) => call,
            Err(fault) => return Outcome::Refused { fault },
        };
        match self.crm.send_check_out(&call).await {
            // Our own earlier write may be what tripped the guard: look before believing.
            Reply::Refused(trouble) if trouble.code == "guard_failed" => {
                Outcome::Unknown { fault: bridge::fault(trouble) }
            }
            other => bridge::outcome(other, |trace| Outcome::Done { value: bridge::value(&trace) }),
        }
    }

    async fn resolve(&self, cx: Context<'_>, request: &Request) -> Resolved {
        let Some(facts) = facts::facts(cx.progress) else {
            return Resolved::Outcome(Outcome::Refused { fault: customer::missing("the facts") });
        };
        let trace = match self.crm.trace(&query(&cx, &facts)).await.answered() {
            Ok(Some(trace)) => trace,
            Ok(None) => {
                let fault = Fault::new("booking_gone", "the booking or its opportunity no longer exists");
                return Resolved::Outcome(Outcome::Refused { fault });
            }
            Err(trouble) => return Resolved::Outcome(Outcome::Unknown { fault: bridge::fault(trouble) }),
        };
        if trace.marker.is_some() {
            return Resolved::Outcome(Outcome::Done { value: bridge::value(&trace) });
        }
        if let Some(difference) = foreign_edit(&facts.stay, &trace) {
            let fault = Fault::new("foreign_edit", "somebody else changed the stay meanwhile")
                .with(json!({ "difference": difference }));
            return Resolved::Outcome(Outcome::Refused { fault });
        }
        match fence(
            &cx,
            cx.progress.side("move", Way::Forward).and_then(|s| s.guard.as_ref()),
            guard_second(request, &facts.stay),
            &trace,
        ) {
            Fence::Up => {
                let fault = Fault::new(NOT_APPLIED, "looked up, and not applied").with(json!({ "trace": trace }));
                Resolved::Outcome(Outcome::TryLater { fault })
            }
            Fence::SameSecond => Resolved::Outcome(Outcome::Unknown { fault: same_second() }),
            Fence::Down => {
                let call = self.crm.touch(&trace.booking);
                Resolved::Guard(bridge::request(&call, self.settings.salesforce_deadline, Value::Null))
            }
        }
    }

    async fn send_guard(&self, _: Context<'_>, request: &Request) -> Outcome {
        touch(self.crm.as_ref(), request).await
    }
}

/// Whether a straggler can still apply.
pub(super) enum Fence {
    /// No: the booking was written after the straggler's guard.
    Up,
    /// The booking was written in the very second of the guard, which compares no finer; a second must pass.
    SameSecond,
    /// The booking has to be touched.
    Down,
}

/// Whether a request guarded by `guard` (a second) can still apply to the booking of `trace`.
pub(super) fn fence(cx: &Context<'_>, last: Option<&dewy_saga::progress::Guard>, guard: i64, trace: &Trace) -> Fence {
    let touched = matches!(last.and_then(|g| g.outcome.as_ref()), Some(Outcome::Done { .. }));
    let written = second(trace.booking.stamp.at);
    if written > guard {
        Fence::Up
    } else if touched && second(cx.now) <= written {
        Fence::SameSecond
    } else {
        Fence::Down
    }
}

/// Waits for the next second.
pub(super) fn same_second() -> Fault {
    Fault { retry_after_ms: Some(1100), ..Fault::new("same_second", "the touch falls into the second of the guard") }
}

/// Sends a touch. A failed guard means that somebody else wrote the row, which stops a straggler as well: look again.
pub(super) async fn touch(crm: &dyn Crm, request: &Request) -> Outcome {
    match bridge::call(request) {
        Ok(call) => bridge::outcome(crm.send_touch(&call).await, |()| Outcome::Done { value: Value::Null }),
        Err(fault) => Outcome::Refused { fault },
    }
}
