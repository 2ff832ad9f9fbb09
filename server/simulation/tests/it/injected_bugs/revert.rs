//! A revert that does not look: it overwrites what others edited, or writes a refund without its
//! payment.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    payment::Refund,
    ports::{Crm, RefundLine, RevertOrder, Trace, TraceQuery},
    stay::Stay,
    vocabulary::LineStatus,
};
use dewy_saga::{Activity, Context, Direction, Fault, Outcome, Plan, Request, Resolved};
use serde_json::json;

use super::Bug;

/// The revert step with a bug around it.
pub struct CarelessRevert {
    pub bug: Bug,
    pub inner: Arc<dyn Activity>,
    pub crm: Arc<dyn Crm>,
}

impl CarelessRevert {
    /// The stay before the check-out, and its current state.
    async fn both(&self, cx: &Context<'_>) -> Option<(Stay, Trace)> {
        let stay = cx.progress.facts.as_ref()?["stay"].clone();
        let stay: Stay = serde_json::from_value(stay).ok()?;
        let query = TraceQuery {
            execution_id: cx.id.to_string(),
            opportunity_id: stay.opportunity.id.clone(),
            booking_id: stay.booking.id.clone(),
        };
        let trace = self.crm.trace(&query).await.answered().ok()??;
        Some((stay, trace))
    }

    fn plan(&self, cx: &Context<'_>, stay: Stay, now: Trace) -> Plan {
        let refund = cx.progress.side("pay", Direction::Back);
        let refund = refund.and_then(|side| side.value.as_ref());
        let refund =
            refund.and_then(|v| serde_json::from_value::<Refund>(v["refund"].clone()).ok());
        let applied = now.marker.is_some();
        let order = RevertOrder {
            execution_id: cx.id.to_string(),
            opportunity_id: stay.opportunity.id.clone(),
            booking: applied.then_some((now.booking, stay.booking)),
            room: applied.then_some((now.room, stay.room)),
            opportunity: applied.then_some((now.opportunity, stay.opportunity)),
            missing_payment: None,
            refund: refund
                .filter(|_| !now.compensated)
                .map(|refund| RefundLine {
                    refund_id: refund.id,
                    amount: refund.amount,
                    status: LineStatus::Completed,
                }),
            at: cx.now,
        };
        let reverted: &[&str] = if applied {
            &["booking", "room", "opportunity"]
        } else {
            &[]
        };
        let report = json!({ "applied": applied, "reverted": reverted, "left": [] });
        let call = self.crm.revert(&order);
        Plan::Send(Request {
            key: call.idempotency_key.clone(),
            deadline_ms: 5_000,
            payload: json!({ "call": call, "beside": report }),
        })
    }
}

#[async_trait]
impl Activity for CarelessRevert {
    async fn prepare(&self, cx: Context<'_>) -> Plan {
        let plan = self.inner.prepare(cx).await;
        if matches!(plan, Plan::Guard(_) | Plan::TryLater(_)) {
            return plan;
        }
        let overwrites = self.bug == Bug::UnconditionalRevert;
        match self.both(&cx).await {
            Some((stay, now)) if now.marker.is_some() == overwrites => self.plan(&cx, stay, now),
            _ => plan,
        }
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.inner.send(cx, request).await
    }

    async fn resolve(&self, cx: Context<'_>, request: &Request) -> Resolved {
        self.inner.resolve(cx, request).await
    }

    fn speaks_of_all(&self, fault: &Fault) -> bool {
        self.inner.speaks_of_all(fault)
    }

    async fn send_guard(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.inner.send_guard(cx, request).await
    }
}
