//! Monitors the Stripe account itself: creates one record for each fact a person should see.

use dewy_domain::payment::{Account, Payout};
use dewy_saga::{StartRequest, StoreError, journal::ExecutionFilter};
use serde_json::json;

use crate::{
    hotel::{hotel_service::Hotel, start_by_clock::by_clock},
    money_watch::payment_monitor::{CALLER, PaymentCheckError},
    saga_parts::{not_ready::label, started_by},
    sagas::{
        review_account::{AccountFinding, REVIEW_ACCOUNT},
        review_payment::FACT_LABEL,
    },
};

/// More reviews of one restriction than anybody leaves open.
const MOST_REVIEWS: usize = 100;

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
            labels: vec![label(FACT_LABEL, fact)],
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
        let input = json!({ "finding": finding, "_by": started_by::clock("webhook") });
        let order = StartRequest {
            labels: vec![label(FACT_LABEL, finding.fact())],
            ..by_clock(REVIEW_ACCOUNT, CALLER, token, input)
        };
        Ok(self.start_once(order).await?)
    }
}
