//! The payment review saga: a person must check a payment because something happened to its money
//! that this program did not do and does not undo.
//!
//! ```text
//! webhook ─┐                      ┌─ refunded elsewhere · refund failed later
//!          ├─► findings (pure) ───┤  disputed · dispute lost          ─► one execution per fact ─► needs a person
//! sweep ───┘                      └─ second payment · could not be judged                          (marked as solved)
//! ```
//! It makes no outside calls. The evidence is journaled as it was read from Stripe.

mod detect_findings;
mod evidence;
mod finding;
mod presentation;

use async_trait::async_trait;
use dewy_domain::{error_code::ErrorCode, tool_answer::ToolError, vocabulary::FaultCode};
use dewy_saga::{
    Activity, Context, End, Fault, Plan, Prerequisites, PrerequisitesResult, Saga, StepId,
};
use serde_json::{Value, json};

use crate::saga_parts::{
    hotel_dependencies::HotelDependencies, reconciled_write::missing_fact, tool_answer,
};

pub(crate) use detect_findings::{PaymentState, findings};
pub(crate) use evidence::Evidence;
pub(crate) use finding::Finding;
pub(crate) use presentation::Labels;

/// Label that identifies the fact; each fact has one execution.
pub(crate) const FACT_LABEL: &str = "fact";
/// Label with Stripe's deadline for evidence, on the execution of a dispute.
pub(crate) const DUE_BY: &str = "due_by";

/// Name of the payment review saga.
pub const REVIEW_PAYMENT: &str = "review_payment";

const REVIEW: StepId = StepId::new("review");

pub(crate) fn saga(_: &HotelDependencies) -> Saga {
    Saga::new(REVIEW_PAYMENT, 1, "Review a payment")
        .prepare(ReadEvidence)
        .retriable(REVIEW, "Flag for staff review", Review)
        .no_undo("it sends nothing")
        .answer(answer)
}

struct ReadEvidence;

#[async_trait]
impl Prerequisites for ReadEvidence {
    async fn read(&self, cx: Context<'_>) -> PrerequisitesResult {
        match Evidence::of_input(cx.input) {
            Some(evidence) => PrerequisitesResult::Ready {
                facts: evidence.value(),
                claims: Vec::new(),
                labels: Vec::new(),
            },
            None => tool_answer::refused(ToolError::new(ErrorCode::Internal)),
        }
    }
}

fn answer(cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
    let payment = Evidence::of(cx.progress).map(|evidence| evidence.payment_intent_id);
    match end {
        End::NeedsAttention => tool_answer::failed(
            ErrorCode::NeedsAttention,
            json!({ "payment_intent_id": payment, "reason": reason }),
        ),
        _ => tool_answer::succeeded(json!({ "payment_intent_id": payment, "status": "reviewed" })),
    }
}

/// Hands the payment to a person.
struct Review;

#[async_trait]
impl Activity for Review {
    type Output = Value;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some(evidence) = Evidence::of(cx.progress) else {
            return Some(Plan::Refuse(missing_fact("the evidence")));
        };
        let fault = Fault::new(FaultCode::Found, "a person has to look into this payment");
        Some(Plan::Refuse(
            fault.with(json!({ "attention": evidence.finding.reason() })),
        ))
    }
}
