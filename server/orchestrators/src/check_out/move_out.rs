//! Moving booking, room and opportunity in one composite, recognised by its marker row. It is never sent blindly twice:
//! what became of it is looked up, and before "not applied" is believed the booking is touched, so that a straggler fails.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    call::Reply,
    ports::{CheckOutOrder, Crm},
};
use dewy_saga::{Activity, Context, Fault, Outcome, Plan, Request, Resolved, Way, saga::NOT_APPLIED};
use serde_json::{Value, json};

use super::facts;
use crate::{
    bridge,
    guarded::{Fence, fence, foreign_edit, guard_second, missing, query, refreshed, same_second, second, touch},
    settings::Settings,
};

pub(super) struct MoveOut {
    crm: Arc<dyn Crm>,
    settings: Settings,
}

impl MoveOut {
    pub(super) const fn new(crm: Arc<dyn Crm>, settings: Settings) -> Self {
        Self { crm, settings }
    }
}

#[async_trait]
impl Activity for MoveOut {
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some(facts) = facts::facts(cx.progress) else {
            return Some(Plan::Refuse(missing("the facts")));
        };
        // After a look-up that found nothing applied, the guards are those of the rows as they were found.
        let stay = refreshed(facts.stay, cx.progress.side("move", Way::Forward).and_then(|s| s.fault.as_ref()));
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
            return Resolved::Outcome(Outcome::Refused { fault: missing("the facts") });
        };
        let trace = match self.crm.trace(&query(cx.id.to_string(), &facts.stay)).await.answered() {
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
