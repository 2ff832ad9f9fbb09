//! Decides whether a payment may be refunded without a person: what the orphan check flagged stops
//! here until someone resumes it.

use async_trait::async_trait;
use dewy_domain::vocabulary::FaultCode;
use dewy_saga::{Activity, Context, Fault, Plan};
use serde_json::{Value, json};

use super::facts::Facts;
use crate::saga_parts::reconciled_write::missing_fact;

pub(super) struct RefundCheck;

#[async_trait]
impl Activity for RefundCheck {
    type Output = Value;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some(facts) = cx.facts::<Facts>() else {
            return Some(Plan::Refuse(missing_fact("the facts")));
        };
        Some(match (&facts.flag, &cx.progress.resumed) {
            (None, _) => Plan::Skip(json!({ "note": "it may be given back" })),
            (Some(_), Some(by)) => Plan::Skip(json!({ "note": format!("released by {by}") })),
            (Some(flag), None) => Plan::Refuse(
                Fault::new(
                    FaultCode::Flagged,
                    "a person has to decide about this payment",
                )
                .with(json!({ "attention": flag })),
            ),
        })
    }
}
