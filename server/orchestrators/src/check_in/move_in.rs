//! Moving booking, room and opportunity in one composite. There is no marker: what became of it is seen by its effect.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    call::Reply,
    ports::{CheckInOrder, Crm, Trace},
    stay::Stay,
};
use dewy_saga::{Activity, Context, Fault, Outcome, Plan, Request, Resolved, Way, saga::NOT_APPLIED};
use serde_json::{Value, json};

use crate::{
    bridge,
    guarded::{Fence, fence, foreign_edit, guard_second, missing, query, refreshed, same_second, second, touch},
    settings::Settings,
};

pub(super) struct MoveIn {
    crm: Arc<dyn Crm>,
    settings: Settings,
}

impl MoveIn {
    pub(super) const fn new(crm: Arc<dyn Crm>, settings: Settings) -> Self {
        Self { crm, settings }
    }
}

/// The stay as it was read.
pub(super) fn stay(cx: &Context<'_>) -> Option<Stay> {
    cx.progress.facts.as_ref().and_then(bridge::read)
}

/// Whether the guest is in: by us, or by somebody who did the very same meanwhile.
fn applied(read: &Stay, now: &Trace) -> bool {
    now.booking.status == "Checked In"
        && now.room.id == read.room.id
        && now.room.status == "Occupied"
        && now.room.current_guest.as_deref() == Some(read.booking.guest_id.as_str())
}

#[async_trait]
impl Activity for MoveIn {
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some(stay) = stay(&cx) else { return Some(Plan::Refuse(missing("the facts"))) };
        let stay = refreshed(stay, cx.progress.side("move", Way::Forward).and_then(|s| s.fault.as_ref()));
        let guard = second(stay.booking.stamp.at);
        let call = self.crm.check_in(&CheckInOrder { stay });
        Some(Plan::Send(bridge::request(&call, self.settings.salesforce_deadline, json!({ "guard_second": guard }))))
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome {
        let call = match bridge::call(request) {
            Ok(call) => call,
            Err(fault) => return Outcome::Refused { fault },
        };
        match self.crm.send_check_in(&call).await {
            // Our own earlier write may be what tripped the guard: look before believing.
            Reply::Refused(trouble) if trouble.code == "guard_failed" => {
                Outcome::Unknown { fault: bridge::fault(trouble) }
            }
            other => bridge::outcome(other, |trace| Outcome::Done { value: bridge::value(&trace) }),
        }
    }

    async fn resolve(&self, cx: Context<'_>, request: &Request) -> Resolved {
        let Some(stay) = stay(&cx) else {
            return Resolved::Outcome(Outcome::Refused { fault: missing("the facts") });
        };
        let trace = match self.crm.trace(&query(cx.id.to_string(), &stay)).await.answered() {
            Ok(Some(trace)) => trace,
            Ok(None) => {
                let fault = Fault::new("booking_gone", "the booking or its opportunity no longer exists");
                return Resolved::Outcome(Outcome::Refused { fault });
            }
            Err(trouble) => return Resolved::Outcome(Outcome::Unknown { fault: bridge::fault(trouble) }),
        };
        if applied(&stay, &trace) {
            return Resolved::Outcome(Outcome::Done { value: bridge::value(&trace) });
        }
        if let Some(difference) = foreign_edit(&stay, &trace) {
            let fault = Fault::new("foreign_edit", "somebody else changed the stay meanwhile")
                .with(json!({ "difference": difference }));
            return Resolved::Outcome(Outcome::Refused { fault });
        }
        let guard = cx.progress.side("move", Way::Forward).and_then(|s| s.guard.as_ref());
        match fence(&cx, guard, guard_second(request, &stay), &trace) {
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
