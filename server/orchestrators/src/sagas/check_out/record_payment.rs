//! Writes to the folio what became of the holds: each pending line of the check-out is completed by
//! what paid it, or failed, so that its part of the balance is open again.

use async_trait::async_trait;
use dewy_domain::{
    payment_intent_id::PaymentIntentId,
    ports::{CheckOutRecords, Crm, RecordedPayment, SettleOrder},
    stay::Line,
    upstream_request::{Call, Outcome},
    vocabulary::{AttentionReason, FaultCode, LineStatus},
};
use dewy_saga::{Context, Fault, Plan};
use jiff::Timestamp;
use serde_json::json;

use super::facts::{CAPTURE, CAPTURE_REST, CHARGE, Facts, MOVE};
use crate::saga_parts::{
    reconciled_write::{
        Lookup, LookupResult, Precondition, Write, missing_fact, stay_write::query,
    },
    refund_and_revert::paid_by,
};

pub(super) struct RecordPayment;

/// A pending line, and what paid it.
type Settled = (Line, Option<RecordedPayment>);

/// The check-out's pending lines, in order. What the card was charged in place of a hold goes to the
/// first line that no hold paid.
fn settled(cx: &Context<'_>) -> Option<Vec<Settled>> {
    let written = cx.output(MOVE)?;
    let [marker, second] = [cx.id.to_string(), format!("{}#2", cx.id)];
    let line = |reference: &str| {
        let mut lines = written.lines.iter();
        let own = lines.find(|line| line.external_id.as_deref() == Some(reference));
        own.filter(|line| line.status == LineStatus::Pending)
            .cloned()
    };
    let captured = [CAPTURE, CAPTURE_REST].map(|step| cx.output(step));
    let mut charged = cx.output(CHARGE).and_then(|charged| charged.payment);
    let lines = [line(&marker), line(&second)];
    let pairs = lines.into_iter().zip(captured);
    let settled = pairs.filter_map(|(line, captured)| {
        let taken = captured.filter(|payment| payment.received.0 > 0);
        Some((line?, taken.or_else(|| charged.take()).map(paid_by)))
    });
    Some(settled.collect())
}

/// The hold that the opportunity names, and what it has to name instead: what paid first, otherwise what
/// it named before.
fn renamed(facts: &Facts, lines: &[Settled]) -> Option<(PaymentIntentId, Option<String>)> {
    let hold = facts.captured()?.id;
    let mut paid = lines.iter().filter_map(|(_, paid)| paid.as_ref());
    let paid = paid.next().map(|paid| paid.payment_intent.clone());
    let before = || facts.stay.opportunity.payment_id.clone();
    match paid {
        Some(paid) if paid == hold => None,
        paid => Some((hold, paid.map(Into::into).or_else(before))),
    }
}

#[async_trait]
impl Write for RecordPayment {
    type Facts = (Facts, Vec<Settled>);
    /// Whether the opportunity still names the hold.
    type Found = bool;
    type Output = CheckOutRecords;

    fn facts(&self, cx: &Context<'_>) -> Result<Self::Facts, Plan> {
        let facts = cx.facts::<Facts>().zip(settled(cx));
        let facts = facts.ok_or_else(|| Plan::Refuse(missing_fact("the check-out")))?;
        match facts.1.is_empty() {
            true => Err(Plan::Skip(json!({ "note": "nothing to record" }))),
            false => Ok(facts),
        }
    }

    fn build_request(
        &self,
        crm: &dyn Crm,
        _: &Context<'_>,
        (facts, lines): Self::Facts,
        names_hold: Option<bool>,
    ) -> Result<(Call, Option<Timestamp>), Fault> {
        let renamed = renamed(&facts, &lines).filter(|_| names_hold != Some(false));
        let lines = lines.into_iter().map(|(line, paid)| (line.id, paid));
        let order = SettleOrder {
            booking_id: facts.stay.booking.id,
            opportunity_id: facts.stay.opportunity.id,
            lines: lines.collect(),
            renamed,
        };
        Ok((crm.settle_check_out(&order), None))
    }

    async fn write(&self, crm: &dyn Crm, call: &Call) -> Outcome<CheckOutRecords> {
        crm.send_charge(call).await
    }

    async fn look_up(
        &self,
        crm: &dyn Crm,
        cx: &Context<'_>,
        (facts, lines): Self::Facts,
    ) -> Result<Lookup<Self>, Fault> {
        let query = query(cx.id.to_string(), &facts.stay);
        let gone = || {
            let fault = Fault::new(FaultCode::ForeignEdit, "the payment's line is gone");
            LookupResult::Refused(fault.with(json!({ "attention": AttentionReason::ForeignEdit })))
        };
        let Some(now) = crm.check_out_records(&query).await.answered()? else {
            return Ok(gone());
        };
        // Another name was written by us, or by somebody who knows better
        let named = now.opportunity.payment_id.as_deref();
        let hold = renamed(&facts, &lines).map(|(hold, _)| hold);
        let names_hold = hold.is_some_and(|hold| named == Some(hold.as_str()));
        let mut applied = !names_hold;
        for (line, paid) in &lines {
            let Some(found) = now.lines.iter().find(|found| found.id == line.id) else {
                return Ok(gone());
            };
            let wanted = match paid {
                Some(paid) => {
                    found.status == LineStatus::Completed
                        && found.stripe_id.as_deref() == Some(paid.payment_intent.as_str())
                }
                None => found.status == LineStatus::Failed,
            };
            applied &= wanted;
        }
        Ok(if applied {
            LookupResult::Applied(now)
        } else {
            LookupResult::NotApplied {
                found: names_hold,
                precondition: Precondition::Unique,
            }
        })
    }
}
