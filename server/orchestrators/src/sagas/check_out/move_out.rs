//! Moves booking, room and opportunity in one composite, identified by its marker row. Never sent
//! twice without a check: the outcome is looked up, and before "not applied" is accepted the
//! booking is touched, so that a late effect fails.

use async_trait::async_trait;
use dewy_domain::{
    ports::{CheckOutOrder, CheckOutRecords, Crm, RecordedPayment},
    stay::Stay,
    upstream_request::{Call, Outcome},
};
use dewy_saga::Context;

use super::facts::{EXTEND, Facts, PAY};
use crate::saga_parts::{reconciled_write::stay_write::StayWrite, refund_and_revert::paid_by};

pub(super) struct MoveOut;

#[async_trait]
impl StayWrite for MoveOut {
    type Facts = Facts;

    fn stay(facts: &Facts) -> &Stay {
        &facts.stay
    }

    fn call(&self, crm: &dyn Crm, cx: &Context<'_>, facts: Facts, stay: Stay) -> Call {
        crm.check_out(&CheckOutOrder {
            execution_id: cx.id.to_string(),
            stay,
            payment: cx.output(PAY).map(paid_by),
            held: held(cx, &facts),
            at: cx.now,
        })
    }

    async fn send(&self, crm: &dyn Crm, call: &Call) -> Outcome<CheckOutRecords> {
        crm.send_check_out(call).await
    }

    fn is_applied(&self, _: &Context<'_>, _: &Facts, now: &CheckOutRecords) -> bool {
        now.marker.is_some()
    }
}

/// What each hold will pay.
fn held(cx: &Context<'_>, facts: &Facts) -> Vec<RecordedPayment> {
    let Some(first) = facts.captured() else {
        return Vec::new();
    };
    let first = RecordedPayment {
        payment_intent: first.id,
        amount: facts.first_part(),
        last4: first.last4,
        receipt_url: None,
    };
    let second = cx.output(EXTEND).map(|held| RecordedPayment {
        amount: held.amount,
        ..paid_by(held)
    });
    std::iter::once(first).chain(second).collect()
}
