//! Writes the line and touches the booking in one composite. Our reference on the line shows
//! whether it was applied.

use async_trait::async_trait;
use dewy_domain::{
    ports::{ChargeOrder, CheckOutRecords, Crm, VoidOrder},
    stay::{Line, Stay},
    upstream_request::{Call, Outcome},
    vocabulary::{FaultCode, LineStatus},
};
use dewy_saga::{Context, Fault, Plan};
use serde_json::json;

use super::facts::Facts;
use crate::saga_parts::reconciled_write::stay_write::StayWrite;

/// Write of the step; the charge is from the execution's facts.
pub(crate) struct WriteLine(pub fn(&Context<'_>) -> Result<Facts, Plan>);

/// The line as the write leaves it, if present.
pub(super) fn applied<'a>(
    cx: &Context<'_>,
    facts: &Facts,
    now: &'a CheckOutRecords,
) -> Option<&'a Line> {
    let id = cx.id.to_string();
    now.lines.iter().find(|line| match &facts.void {
        Some((void, _)) => line.id == *void && line.status == LineStatus::Cancelled,
        None => line.external_id.as_deref() == Some(&id),
    })
}

#[async_trait]
impl StayWrite for WriteLine {
    type Facts = Facts;

    fn stay(facts: &Facts) -> &Stay {
        &facts.stay
    }

    fn facts(&self, cx: &Context<'_>) -> Result<Facts, Plan> {
        (self.0)(cx)
    }

    fn call(&self, crm: &dyn Crm, cx: &Context<'_>, facts: Facts, stay: Stay) -> Call {
        match facts.void {
            Some((line_id, _)) => crm.void_charge(&VoidOrder { stay, line_id }),
            None => crm.charge(&ChargeOrder {
                execution_id: cx.id.to_string(),
                stay,
                amount: facts.amount,
                at: cx.now,
            }),
        }
    }

    async fn send(&self, crm: &dyn Crm, call: &Call) -> Outcome<CheckOutRecords> {
        crm.send_charge(call).await
    }

    fn is_applied(&self, cx: &Context<'_>, facts: &Facts, now: &CheckOutRecords) -> bool {
        applied(cx, facts, now).is_some()
    }

    fn conflict(&self, facts: &Facts, now: &CheckOutRecords) -> Option<Fault> {
        let words = "the stay is not checked in any more";
        let details = json!({ "booking_status": now.booking.status });
        (now.booking.status != facts.stay.booking.status)
            .then(|| Fault::new(FaultCode::ForeignEdit, words).with(details))
    }
}
