//! Monitors the money of payments after their check-outs have ended: checks one payment, or those
//! the orphan check lists, and creates one record for each fact a person should see.

use dewy_domain::{
    call::UpstreamError,
    payment::{Payment, PaymentStatus},
};
use dewy_saga::{Accepted, StartRequest, State, StoreError, journal::Record};

use crate::{
    check_out,
    hotel::Hotel,
    ownership::{Installations, Owner, adopted},
    review_payment::{DUE_BY, Evidence, FACT, Finding, OfPayment, REVIEW_PAYMENT, findings},
};

/// Label that holds an execution's payment intent.
const PAYMENT: &str = "payment_intent_id";

/// Why a check failed.
#[derive(Debug, thiserror::Error)]
pub enum PaymentCheckError {
    /// The payment system did not answer.
    #[error("{0}")]
    Upstream(UpstreamError),
    /// Our own store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No free worker.
    #[error("all workers are busy")]
    Busy,
}

impl Hotel {
    /// Installations whose payments belong to us.
    pub(crate) async fn installations(&self) -> Result<Installations, StoreError> {
        Ok(Installations {
            own: self.settings.installation,
            adopted: adopted(self.key_value_store.as_ref()).await?,
        })
    }

    /// Checks one payment now, and reports to a person what others did to its money. Payments of
    /// others are left alone. Returns the number of new facts.
    ///
    /// # Errors
    /// Returns a [`PaymentCheckError`] when it could not be checked; the orphan check retries.
    pub async fn check_payment(
        &self,
        payment_intent: &str,
        by: &str,
    ) -> Result<u32, PaymentCheckError> {
        let Some(payment) = self
            .payments
            .payment(payment_intent)
            .await
            .answered()
            .map_err(PaymentCheckError::Upstream)?
        else {
            return Ok(0);
        };
        let owner = self.installations().await?.owner(&payment.metadata);
        let Some(id) = owner.execution() else {
            return Ok(0);
        };
        let record = self.engine.journal().load(id).await?;
        if record.is_none() && matches!(owner, Owner::Unsigned(_)) {
            return Ok(0);
        }
        let (refunds, disputes) = futures::join!(
            self.payments.refunds(payment_intent),
            self.payments.disputes(payment_intent)
        );
        let refunds = refunds.answered().map_err(PaymentCheckError::Upstream)?;
        let disputes = disputes.answered().map_err(PaymentCheckError::Upstream)?;
        let mut found = findings(OfPayment {
            state: record.as_ref().map(|r| r.state),
            stands: record.as_ref().is_some_and(stands),
            refunds: &refunds,
            disputes: &disputes,
        });
        found.extend(
            record
                .as_ref()
                .and_then(|record| second_payment(record, &payment)),
        );
        let mut new = 0;
        for finding in found {
            let evidence = Evidence {
                finding,
                payment_intent_id: payment.id.clone(),
                payment: Some(payment.clone()),
                execution: record.as_ref().map(|r| r.id),
            };
            new += u32::from(self.review(&evidence, by).await?);
        }
        Ok(new)
    }

    /// Creates the record of one fact; true when there was none yet.
    pub(crate) async fn review(
        &self,
        evidence: &Evidence,
        by: &str,
    ) -> Result<bool, PaymentCheckError> {
        let fact = evidence.finding.fact(&evidence.payment_intent_id);
        let mut labels = vec![
            (FACT.to_owned(), fact.clone()),
            (PAYMENT.to_owned(), evidence.payment_intent_id.clone()),
        ];
        let metadata = evidence
            .payment
            .iter()
            .flat_map(|payment| &payment.metadata);
        labels.extend(
            metadata
                .filter(|(name, _)| matches!(name.as_str(), "booking_number" | "room_number"))
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        if let Some(id) = evidence.execution {
            let heads = self.engine.journal().heads(&[id]).await?;
            let guest = heads.first().and_then(|head| label(head, "guest_email"));
            labels.extend(guest.map(|email| ("guest_email".to_owned(), email)));
        }
        if let Finding::Disputed { dispute } = &evidence.finding {
            labels.extend(
                dispute
                    .due_by
                    .map(|due| (DUE_BY.to_owned(), due.to_string())),
            );
        }
        let order = StartRequest {
            saga: REVIEW_PAYMENT,
            // One caller for all sources of facts, so that each fact has one record.
            caller: "clock:watch".to_owned(),
            interface: "clock".to_owned(),
            token: Some(fact.clone()),
            input_digest: fact,
            input: evidence.input(by),
            labels,
        };
        match self.engine.start(order).await {
            Accepted::Started(_) => Ok(true),
            Accepted::Known(_) | Accepted::Mismatch(_) => Ok(false),
            Accepted::Overloaded => Err(PaymentCheckError::Busy),
            Accepted::Failed(error) => Err(PaymentCheckError::Store(error)),
        }
    }
}

/// Whether an execution's check-out stands: its pivot is journaled, and nothing was compensated.
pub(crate) fn stands(record: &Record) -> bool {
    match record.progress() {
        Ok(progress) => check_out::stands(&progress),
        Err(_) => record.state == State::Completed,
    }
}

/// A captured payment that is not the one its execution knows.
pub(crate) fn second_payment(record: &Record, payment: &Payment) -> Option<Finding> {
    let taken = payment.status == PaymentStatus::Succeeded && payment.received > payment.refunded;
    let first = label(record, PAYMENT);
    let other = match &first {
        Some(first) => *first != payment.id,
        None => record.state == State::Completed,
    };
    (taken && other && record.state.has_ended()).then_some(Finding::SecondPayment { first })
}

fn label(record: &Record, name: &str) -> Option<String> {
    record
        .labels
        .iter()
        .find(|(n, _)| n == name)
        .map(|(_, value)| value.clone())
}
