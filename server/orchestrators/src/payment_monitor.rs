//! Monitors the money of payments after their check-outs have ended: checks one payment, or those
//! the orphan check lists, and creates one record for each fact a person should see.

use dewy_domain::{
    money::Cents,
    payment::{Payment, PaymentStatus, Refund},
    payment_intent_id::PaymentIntentId,
    upstream_request::UpstreamError,
    vocabulary::{CompensationStatus, FaultCode},
};
use dewy_saga::{
    StartRequest, StartResult, State, StoreError,
    journal::{ExecutionFilter, ExecutionRecord},
};

use crate::{
    check_out,
    compensation_record::{COMPENSATION, CompensationRecord},
    hotel_service::Hotel,
    payment_owner::{Installations, Owner, adopted},
    review_payment::{
        DUE_BY, Evidence, FACT_LABEL, Finding, PaymentState, REVIEW_PAYMENT, findings,
    },
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

    /// Checks one payment now and reports outside changes to its money to a person. Payments of
    /// other installations are ignored. Returns the number of new facts.
    ///
    /// # Errors
    /// Returns a [`PaymentCheckError`] when it could not be checked; the orphan check retries.
    pub async fn check_payment(
        &self,
        payment_intent: &PaymentIntentId,
        by: &str,
    ) -> Result<u32, PaymentCheckError> {
        let payment = match self.payments.payment(payment_intent).await.answered() {
            Ok(Some(payment)) => Some(payment),
            Ok(None) => return Ok(0),
            Err(error) if error.code == FaultCode::UnreadableResponse => None,
            Err(error) => return Err(PaymentCheckError::Upstream(error)),
        };
        let record = match &payment {
            Some(payment) => {
                let owner = self.installations().await?.owner(&payment.metadata);
                let Some(id) = owner.execution() else {
                    return Ok(0);
                };
                let record = self.engine.journal().load(id).await?;
                if record.is_none() && matches!(owner, Owner::Unsigned(_)) {
                    return Ok(0);
                }
                record
            }
            // What cannot be read cannot say whose it is; the journal can.
            None => match self.check_out_of(payment_intent).await? {
                Some(record) => Some(record),
                None => return Ok(0),
            },
        };
        let (refunds, disputes) = futures::join!(
            self.payments.refunds(payment_intent),
            self.payments.disputes(payment_intent)
        );
        let refunds = refunds.answered().map_err(PaymentCheckError::Upstream)?;
        let disputes = disputes.answered().map_err(PaymentCheckError::Upstream)?;
        let mut found = findings(PaymentState {
            state: record.as_ref().map(|r| r.state),
            is_completed: record.as_ref().is_some_and(is_completed),
            refunds: &refunds,
            disputes: &disputes,
        });
        if let (Some(record), Some(payment)) = (&record, &payment) {
            found.extend(second_payment(record, payment));
        }
        if refunds.iter().any(|refund| !refund.status.is_effective()) {
            let journal = self.engine.journal();
            let row = journal
                .projection_row(COMPENSATION, payment_intent.as_str())
                .await?;
            // One that has ended well is asked to recheck instead.
            let record = row.as_ref().and_then(CompensationRecord::of);
            let record =
                record.filter(|record| record.status == CompensationStatus::NeedsAttention);
            found.extend(record.and_then(|record| failed_refund(record.refunded, &refunds)));
        }
        let mut new = 0;
        for finding in found {
            let evidence = Evidence {
                finding,
                payment_intent_id: payment_intent.clone(),
                payment: payment.clone(),
                execution: record.as_ref().map(|r| r.id),
            };
            new += u32::from(self.review(&evidence, by).await?);
        }
        Ok(new)
    }

    /// Check-out that knows this payment.
    async fn check_out_of(
        &self,
        payment_intent: &PaymentIntentId,
    ) -> Result<Option<ExecutionRecord>, StoreError> {
        let journal = self.engine.journal();
        let filter = ExecutionFilter {
            saga: Some(check_out::CHECK_OUT.to_owned()),
            labels: vec![(PAYMENT.to_owned(), payment_intent.to_string())],
            limit: 1,
            ..ExecutionFilter::default()
        };
        match journal.list(&filter).await?.pop() {
            Some(head) => journal.load(head.id).await,
            None => Ok(None),
        }
    }

    /// Creates the record of one fact; true when there was none yet.
    pub(crate) async fn review(
        &self,
        evidence: &Evidence,
        by: &str,
    ) -> Result<bool, PaymentCheckError> {
        let fact = evidence.finding.fact(&evidence.payment_intent_id);
        let mut labels = vec![
            (FACT_LABEL.to_owned(), fact.clone()),
            (PAYMENT.to_owned(), evidence.payment_intent_id.to_string()),
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
            let mut names = vec!["guest_email"];
            if evidence.payment.is_none() {
                names.extend(["booking_number", "room_number"]);
            }
            let of_it = |name| Some((String::from(name), label(heads.first()?, name)?));
            labels.extend(names.into_iter().filter_map(of_it));
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
            StartResult::Started(_) => Ok(true),
            StartResult::Known(_) | StartResult::Mismatch(_) => Ok(false),
            StartResult::Overloaded => Err(PaymentCheckError::Busy),
            StartResult::Failed(error) => Err(PaymentCheckError::Store(error)),
        }
    }
}

/// Whether an execution's check-out stands: its pivot is journaled, and nothing was compensated.
pub(crate) fn is_completed(record: &ExecutionRecord) -> bool {
    match record.progress() {
        Ok(progress) => check_out::is_completed(&progress),
        Err(_) => record.state == State::Completed,
    }
}

/// A captured payment that is not the one its execution knows.
pub(crate) fn second_payment(record: &ExecutionRecord, payment: &Payment) -> Option<Finding> {
    let taken = payment.status == PaymentStatus::Succeeded && payment.received > payment.refunded;
    let first = label(record, PAYMENT);
    let other = match &first {
        Some(first) => payment.id != first.as_str(),
        None => record.state == State::Completed,
    };
    (taken && other && record.state.has_ended()).then_some(Finding::SecondPayment { first })
}

/// A failed refund that leaves the guest with less money returned than the compensation record
/// states.
pub(crate) fn failed_refund(reported: Cents, refunds: &[Refund]) -> Option<Finding> {
    let (standing, failed): (Vec<&Refund>, Vec<_>) = refunds
        .iter()
        .partition(|refund| refund.status.is_effective());
    let given_back: Cents = standing.iter().map(|refund| refund.amount).sum();
    let latest = failed.into_iter().max_by_key(|refund| refund.created)?;
    let refund = latest.clone();
    (given_back < reported).then_some(Finding::RefundFailed { refund })
}

fn label(record: &ExecutionRecord, name: &str) -> Option<String> {
    record
        .labels
        .iter()
        .find(|(n, _)| n == name)
        .map(|(_, value)| value.clone())
}
