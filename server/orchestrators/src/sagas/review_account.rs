//! The account review saga: a person must look at the Stripe account itself, because money does not
//! reach the hotel, or soon will not.
//!
//! ```text
//! payout.failed ───► the payout, as the event shows it ──┐
//!                                                        ├─► one execution per fact ─► needs a person (marked as solved)
//! account.updated ─► the account, read again ────────────┘
//! ```
//! It makes no outside calls. Events are the only source: Stripe repeats them for three days.

mod account_finding;
mod presentation;

use async_trait::async_trait;
use dewy_domain::{error_code::ErrorCode, tool_answer::ToolError, vocabulary::FaultCode};
use dewy_saga::{
    Activity, Context, End, Fault, Plan, Prerequisites, PrerequisitesResult, Saga, StepId,
};
use serde_json::{Value, json};

use crate::saga_parts::{
    engine_conversions, hotel_dependencies::HotelDependencies, reconciled_write::missing_fact,
    tool_answer,
};

pub(crate) use account_finding::AccountFinding;
pub(crate) use presentation::Labels;

/// Name of the account review saga.
pub const REVIEW_ACCOUNT: &str = "review_account";

const REVIEW: StepId = StepId::new("review");

pub(crate) fn saga(_: &HotelDependencies) -> Saga {
    Saga::new(REVIEW_ACCOUNT, 1, "Review the Stripe account")
        .prepare(ReadFinding)
        .retriable(REVIEW, "Flag for staff review", Review)
        .no_undo("it sends nothing")
        .answer(answer)
}

struct ReadFinding;

#[async_trait]
impl Prerequisites for ReadFinding {
    async fn read(&self, cx: Context<'_>) -> PrerequisitesResult {
        match engine_conversions::read::<AccountFinding>(&cx.input["finding"]) {
            Some(finding) => PrerequisitesResult::Ready {
                facts: engine_conversions::value(&finding),
                claims: Vec::new(),
                labels: Vec::new(),
            },
            None => tool_answer::refused(ToolError::new(ErrorCode::Internal)),
        }
    }
}

fn answer(_: Context<'_>, end: End, reason: Option<&str>) -> Value {
    match end {
        End::NeedsAttention => {
            tool_answer::failed(ErrorCode::NeedsAttention, json!({ "reason": reason }))
        }
        _ => tool_answer::succeeded(json!({ "status": "reviewed" })),
    }
}

/// Hands the account to a person.
struct Review;

#[async_trait]
impl Activity for Review {
    type Output = Value;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some(finding) = cx.facts::<AccountFinding>() else {
            return Some(Plan::Refuse(missing_fact("the finding")));
        };
        let fault = Fault::new(FaultCode::Found, "a person has to look at the account");
        Some(Plan::Refuse(
            fault.with(json!({ "attention": finding.reason() })),
        ))
    }
}
