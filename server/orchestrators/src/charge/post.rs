//! The line and the touched booking in one composite; what became of it is seen by our reference on the line.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    call::Reply,
    ports::{ChargeOrder, Crm, Trace, VoidOrder},
    stay::Line,
};
use dewy_saga::{Activity, Context, Fault, Outcome, Plan, Request, Resolved, Way, saga::NOT_APPLIED};
use serde_json::{Value, json};

use super::{Facts, facts};
use crate::{
    bridge,
    guarded::{Fence, fence, guard_second, missing, query, refreshed, same_second, second, touch},
    settings::Settings,
};

pub(super) struct Post {
    crm: Arc<dyn Crm>,
    settings: Settings,
}

impl Post {
    pub(super) const fn new(crm: Arc<dyn Crm>, settings: Settings) -> Self {
        Self { crm, settings }
    }
}

/// The line as it is now, if what was wanted is so.
pub(super) fn applied<'a>(cx: &Context<'_>, facts: &Facts, now: &'a Trace) -> Option<&'a Line> {
    let id = cx.id.to_string();
    now.lines.iter().find(|line| match &facts.void {
        Some((void, _)) => line.id == *void && line.status == "Cancelled",
        None => line.external_id.as_deref() == Some(&id),
    })
}

#[async_trait]
impl Activity for Post {
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some(facts) = facts(&cx) else { return Some(Plan::Refuse(missing("the facts"))) };
        let stay = refreshed(facts.stay, cx.progress.side("post", Way::Forward).and_then(|s| s.fault.as_ref()));
        let guard = second(stay.booking.stamp.at);
        let call = match facts.void {
            Some((line_id, _)) => self.crm.void_charge(&VoidOrder { stay, line_id }),
            None => {
                let execution_id = cx.id.to_string();
                self.crm.charge(&ChargeOrder { execution_id, stay, amount: facts.amount, at: cx.now })
            }
        };
        Some(Plan::Send(bridge::request(&call, self.settings.salesforce_deadline, json!({ "guard_second": guard }))))
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome {
        let call = match bridge::call(request) {
            Ok(call) => call,
            Err(fault) => return Outcome::Refused { fault },
        };
        match self.crm.send_charge(&call).await {
            Reply::Refused(trouble) if trouble.code == "guard_failed" => {
                Outcome::Unknown { fault: bridge::fault(trouble) }
            }
            other => bridge::outcome(other, |trace| Outcome::Done { value: bridge::value(&trace) }),
        }
    }

    async fn resolve(&self, cx: Context<'_>, request: &Request) -> Resolved {
        let Some(facts) = facts(&cx) else {
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
        if applied(&cx, &facts, &trace).is_some() {
            return Resolved::Outcome(Outcome::Done { value: bridge::value(&trace) });
        }
        if trace.booking.status != facts.stay.booking.status {
            let fault = Fault::new("foreign_edit", "the stay is not checked in any more")
                .with(json!({ "booking_status": trace.booking.status }));
            return Resolved::Outcome(Outcome::Refused { fault });
        }
        let guard = cx.progress.side("post", Way::Forward).and_then(|s| s.guard.as_ref());
        match fence(&cx, guard, guard_second(request, &facts.stay), &trace) {
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
