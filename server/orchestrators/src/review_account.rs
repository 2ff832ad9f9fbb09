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
use dewy_domain::{
    error_code::ErrorCode,
    payment::{Account, Payout},
    tool_answer::ToolError,
    vocabulary::FaultCode,
};
use dewy_saga::{
    Activity, Context, End, Fault, Plan, Prerequisites, PrerequisitesResult, Saga, StartRequest,
    StartResult, StepId, StoreError, journal::ExecutionFilter,
};
use serde_json::{Value, json};

use crate::{
    engine_conversions, hotel_service::Hotel, payment_monitor::PaymentCheckError,
    reconciled_write::missing_fact, review_payment::FACT_LABEL, tool_answer,
};
use account_finding::AccountFinding;

pub(crate) use presentation::Labels;

/// Name of the account review saga.
pub const REVIEW_ACCOUNT: &str = "review_account";

const REVIEW: StepId = StepId::new("review");
/// More reviews of one restriction than anybody leaves open.
const MOST_REVIEWS: usize = 100;

/// The account review saga.
pub(crate) fn saga() -> Saga {
    Saga::new(REVIEW_ACCOUNT, 1, "Review the Stripe account")
        .prepare(ReadFinding)
        .retriable(REVIEW, "Flag for staff review", Review)
        .no_undo("it sends nothing")
        .answer(answer)
}

/// The finding is the input.
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

impl Hotel {
    /// Reports a failed payout to a person, once; true when it was new.
    ///
    /// # Errors
    /// Returns a [`PaymentCheckError`] when it could not be stored.
    pub async fn review_payout(&self, payout: &Payout) -> Result<bool, PaymentCheckError> {
        let finding = AccountFinding::PayoutFailed {
            payout: payout.clone(),
        };
        let token = finding.fact();
        self.review_account_finding(&finding, token).await
    }

    /// Reads the account now, and reports what Stripe restricts to a person: once until it is marked
    /// as solved, and again if it is still, or again, so afterward. True when it was new.
    ///
    /// # Errors
    /// Returns a [`PaymentCheckError`] when the account could not be read, or nothing stored.
    pub async fn check_account(&self) -> Result<bool, PaymentCheckError> {
        let account: Account = self
            .payments
            .account()
            .await
            .answered()
            .map_err(PaymentCheckError::Upstream)?;
        let Some(finding) = AccountFinding::of_account(&account) else {
            return Ok(false);
        };
        let fact = finding.fact();
        let earlier = self.reviews_of(&fact).await?;
        if earlier.iter().any(|open| *open) {
            return Ok(false);
        }
        // The number makes one record of two events that arrive at once.
        let token = format!("{fact}:{}", earlier.len());
        self.review_account_finding(&finding, token).await
    }

    /// Whether each earlier review of this fact is still open.
    async fn reviews_of(&self, fact: &str) -> Result<Vec<bool>, StoreError> {
        let filter = ExecutionFilter {
            saga: Some(REVIEW_ACCOUNT.to_owned()),
            labels: vec![(FACT_LABEL.to_owned(), fact.to_owned())],
            limit: MOST_REVIEWS,
            ..ExecutionFilter::default()
        };
        let found = self.engine.journal().list(&filter).await?;
        Ok(found
            .iter()
            .map(|record| record.state != dewy_saga::State::SettledByHand)
            .collect())
    }

    async fn review_account_finding(
        &self,
        finding: &AccountFinding,
        token: String,
    ) -> Result<bool, PaymentCheckError> {
        let order = StartRequest {
            saga: REVIEW_ACCOUNT,
            caller: "clock:watch".to_owned(),
            interface: "clock".to_owned(),
            token: Some(token.clone()),
            input_digest: token,
            input: json!({
                "finding": finding,
                "_by": { "key": "webhook", "role": "clock", "clock": true },
            }),
            labels: vec![(FACT_LABEL.to_owned(), finding.fact())],
        };
        match self.engine.start(order).await {
            StartResult::Started(_) => Ok(true),
            StartResult::Known(_) | StartResult::Mismatch(_) => Ok(false),
            StartResult::Overloaded => Err(PaymentCheckError::Busy),
            StartResult::Failed(error) => Err(PaymentCheckError::Store(error)),
        }
    }
}
