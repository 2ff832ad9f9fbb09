//! The payment review saga: a person must check a payment because something happened to its money
//! that this program did not do and does not undo.
//!
//! ```text
//! webhook ─┐                      ┌─ refunded elsewhere · refund failed later
//!          ├─► findings (pure) ───┤  disputed · dispute lost          ─► one execution per fact ─► needs a person
//! sweep ───┘                      └─ second payment · could not be judged                          (marked as solved)
//! ```
//! It sends nothing. The evidence is journaled as it was read from Stripe.

mod evidence;
mod find;
mod finding;
mod presentation;

use async_trait::async_trait;
use dewy_domain::error_code::ErrorCode;
use dewy_saga::{
    Activity, Context, Definition, Direction, End, ExecutionId, Fault, Kind, Outcome, Patience,
    Plan, Read, Request, Saga, Step,
};
use serde_json::{Value, json};

use crate::{reconciled_write::missing, tool_answer};

pub(crate) use evidence::Evidence;
pub(crate) use find::{OfPayment, findings};
pub(crate) use finding::Finding;
pub(crate) use presentation::Labels;

/// Label that identifies the fact; each fact has one execution.
pub(crate) const FACT: &str = "fact";
/// Label with Stripe's deadline for evidence, on the execution of a dispute.
pub(crate) const DUE_BY: &str = "due_by";

/// Definition of the payment review saga.
pub static REVIEW_PAYMENT: Definition = Definition {
    name: "review_payment",
    version: 1,
    title: "Look into a payment",
    steps: &[Step {
        name: "review",
        title: "Have a person look",
        undo_title: None,
        kind: Kind::Retriable,
        money: false,
        patience: Patience::Budget,
        why_no_undo: "it sends nothing",
    }],
    looks: &[],
};

/// The payment review saga; it needs no port.
#[derive(Debug)]
pub struct ReviewPayment(Review);

impl ReviewPayment {
    /// Creates the saga.
    #[must_use]
    pub const fn new() -> Self {
        Self(Review)
    }
}

impl Default for ReviewPayment {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Debug)]
struct Review;

#[async_trait]
impl Activity for Review {
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some(evidence) = Evidence::of(cx.progress) else {
            return Some(Plan::Refuse(missing("the evidence")));
        };
        let fault = Fault::new("found", "a person has to look into this payment");
        Some(Plan::Refuse(
            fault.with(json!({ "attention": evidence.finding.reason() })),
        ))
    }

    async fn send(&self, _: Context<'_>, _: &Request) -> Outcome {
        Outcome::Refused {
            fault: Fault::new("nothing_to_send", "looking sends nothing"),
        }
    }
}

#[async_trait]
impl Saga for ReviewPayment {
    fn definition(&self) -> &'static Definition {
        &REVIEW_PAYMENT
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        match Evidence::of_input(cx.input) {
            Some(evidence) => Read::Ready {
                facts: evidence.value(),
                claims: Vec::new(),
                labels: Vec::new(),
            },
            None => tool_answer::refused(dewy_domain::answer::ToolError::new(ErrorCode::Internal)),
        }
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        (step == "review" && way == Direction::Forward).then_some(&self.0 as &dyn Activity)
    }

    fn answer(&self, cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
        let payment = Evidence::of(cx.progress).map(|evidence| evidence.payment_intent_id);
        match end {
            End::NeedsAttention => tool_answer::failed(
                ErrorCode::NeedsAttention,
                json!({ "payment_intent_id": payment, "reason": reason }),
            ),
            _ => {
                tool_answer::settled(json!({ "payment_intent_id": payment, "status": "reviewed" }))
            }
        }
    }

    fn answer_held(&self, by: ExecutionId) -> Value {
        tool_answer::held(by)
    }

    fn answer_unavailable(&self, fault: &Fault) -> Value {
        tool_answer::unavailable(fault)
    }
}
