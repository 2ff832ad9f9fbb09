//! Revert without a precondition: it overwrites other users' edits, or writes a refund line without
//! its payment line.

use async_trait::async_trait;
use dewy_domain::{
    payment::Refund,
    ports::{CheckOutRecords, CheckOutRecordsQuery, Crm, RefundLine, RevertOrder},
    stay::Stay,
    vocabulary::LineStatus,
};
use dewy_saga::{
    Activity, Context, Fault, JournaledActivity, Outcome, OutcomeCheck, Plan, Request,
};

use super::Bug;
use crate::prelude::*;

/// The revert step with a bug around it.
pub struct CarelessRevert {
    pub bug: Bug,
    pub inner: Arc<JournaledActivity>,
    pub crm: Arc<dyn Crm>,
}

impl CarelessRevert {
    /// The stay before the check-out, and its current state.
    async fn both(&self, cx: &Context<'_>) -> Option<(Stay, CheckOutRecords)> {
        let stay = cx.progress.facts.as_ref()?["stay"].clone();
        let stay: Stay = serde_json::from_value(stay).ok()?;
        let query = CheckOutRecordsQuery {
            execution_id: cx.id.to_string(),
            opportunity_id: stay.opportunity.id.clone(),
            booking_id: stay.booking.id.clone(),
        };
        let trace = self.crm.check_out_records(&query).await.answered().ok()??;
        Some((stay, trace))
    }

    fn plan(&self, cx: &Context<'_>, stay: Stay, now: CheckOutRecords) -> Plan {
        let refund = cx.progress.direction_progress("pay", Direction::Back);
        let refund = refund.and_then(|s| s.value.as_ref());
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
            unpaid: vec![],
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
    type Output = Value;

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

    async fn determine_outcome(&self, cx: Context<'_>, request: &Request) -> OutcomeCheck {
        self.inner.determine_outcome(cx, request).await
    }

    fn is_replayed_refusal(&self, fault: &Fault) -> bool {
        self.inner.is_replayed_refusal(fault)
    }

    async fn send_guard(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.inner.send_guard(cx, request).await
    }
}
