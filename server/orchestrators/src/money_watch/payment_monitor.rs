//! Monitors the money of payments after their check-outs have ended: checks one payment, or those
//! the orphan check lists, and creates one record for each fact a person should see.

use dewy_domain::{
    money::Cents,
    payment::{FraudWarning, Payment, PaymentStatus, Refund},
    payment_intent_id::PaymentIntentId,
    upstream_request::Fault,
    vocabulary::{CompensationStatus, FaultCode},
};
use dewy_saga::{
    StartRequest, State, StoreError,
    journal::{ExecutionFilter, ExecutionRecord},
};

use crate::{
    hotel::{
        hotel_service::Hotel,
        start_by_clock::{NotStarted, by_clock},
    },
    saga_parts::{
        compensation_record::{COMPENSATION, CompensationRecord},
        live_holds::is_hold,
        not_ready::label,
        payment_owner::{Installations, Owner, adopted},
    },
    sagas::{
        check_out,
        review_payment::{
            DUE_BY, Evidence, FACT_LABEL, Finding, PaymentState, REVIEW_PAYMENT, findings,
        },
    },
};

/// One of our payments, with the execution that took it.
struct OurPayment {
    /// As far as it is readable.
    payment: Option<Payment>,
    /// As far as the journal knows it.
    record: Option<ExecutionRecord>,
}

/// One caller for all sources of facts, so that each fact has one record.
pub(super) const CALLER: &str = "clock:watch";

/// Label that holds an execution's payment intent.
const PAYMENT: &str = "payment_intent_id";

/// Why a check failed.
#[derive(Debug, thiserror::Error)]
pub enum PaymentCheckError {
    /// The payment system did not answer.
    #[error("{0}")]
    Upstream(Fault),
    /// Our own store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No free worker.
    #[error("all workers are busy")]
    Busy,
}

impl From<NotStarted> for PaymentCheckError {
    fn from(why: NotStarted) -> Self {
        match why {
            NotStarted::Busy => Self::Busy,
            NotStarted::Store(error) => Self::Store(error),
        }
    }
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
        let Some(OurPayment { payment, record }) = self.our_payment(payment_intent).await? else {
            return Ok(0);
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

    /// Reports a card network's warning about one of our payments to a person, once; true when it
    /// was new. Payments of others are ignored.
    ///
    /// # Errors
    /// Returns a [`PaymentCheckError`] when its owner could not be determined.
    pub async fn review_fraud_warning(
        &self,
        payment_intent: &PaymentIntentId,
        warning: FraudWarning,
    ) -> Result<bool, PaymentCheckError> {
        let Some(OurPayment { payment, record }) = self.our_payment(payment_intent).await? else {
            return Ok(false);
        };
        let evidence = Evidence {
            finding: Finding::FraudWarning { warning },
            payment_intent_id: payment_intent.clone(),
            payment,
            execution: record.map(|r| r.id),
        };
        self.review(&evidence, "webhook").await
    }

    /// One of our payments; `None` if it is not ours, or nothing is known of it.
    async fn our_payment(
        &self,
        payment_intent: &PaymentIntentId,
    ) -> Result<Option<OurPayment>, PaymentCheckError> {
        let payment = match self.payments.payment(payment_intent).await.answered() {
            Ok(Some(payment)) => payment,
            Ok(None) => return Ok(None),
            // What cannot be read cannot say whose it is; the journal can.
            Err(error) if error.code == FaultCode::UnreadableResponse => {
                let record = self.check_out_of(payment_intent).await?;
                return Ok(record.map(|record| OurPayment {
                    payment: None,
                    record: Some(record),
                }));
            }
            Err(error) => return Err(PaymentCheckError::Upstream(error)),
        };
        let owner = self.installations().await?.owner(&payment.metadata);
        let Some(id) = owner.execution() else {
            return Ok(None);
        };
        // A hold names the check-in that placed it, not the check-out that captured it
        let captured_by = match is_hold(&payment.metadata) {
            true => self.check_out_of(payment_intent).await?,
            false => None,
        };
        let record = match captured_by {
            Some(record) => Some(record),
            None => self.engine.journal().load(id).await?,
        };
        if record.is_none() && matches!(owner, Owner::Unsigned(_)) {
            return Ok(None);
        }
        Ok(Some(OurPayment {
            payment: Some(payment),
            record,
        }))
    }

    /// Check-out that knows this payment.
    async fn check_out_of(
        &self,
        payment_intent: &PaymentIntentId,
    ) -> Result<Option<ExecutionRecord>, StoreError> {
        let journal = self.engine.journal();
        let filter = ExecutionFilter {
            saga: Some(check_out::CHECK_OUT.to_owned()),
            labels: vec![label(PAYMENT, payment_intent)],
            limit: 1,
            ..ExecutionFilter::default()
        };
        match journal.list(&filter).await?.pop() {
            Some(head) => journal.load(head.id).await,
            None => Ok(None),
        }
    }

    /// Creates the record of one fact; true when there was none yet. A dispute that a person knows
    /// as an inquiry, which takes no money, is another fact.
    pub(crate) async fn review(
        &self,
        evidence: &Evidence,
        by: &str,
    ) -> Result<bool, PaymentCheckError> {
        if self.start_review(evidence, by).await? {
            return Ok(true);
        }
        let Finding::Disputed { dispute } = &evidence.finding else {
            return Ok(false);
        };
        if dispute.is_inquiry() || !self.is_known_as_inquiry(evidence).await? {
            return Ok(false);
        }
        let withdrawn = Evidence {
            finding: Finding::FundsWithdrawn {
                dispute: dispute.clone(),
            },
            ..evidence.clone()
        };
        self.start_review(&withdrawn, by).await
    }

    /// Whether the record of a dispute was made while it was an inquiry.
    async fn is_known_as_inquiry(&self, evidence: &Evidence) -> Result<bool, StoreError> {
        let journal = self.engine.journal();
        let fact = evidence.finding.fact(&evidence.payment_intent_id);
        let filter = ExecutionFilter {
            saga: Some(REVIEW_PAYMENT.to_owned()),
            labels: vec![label(FACT_LABEL, fact)],
            limit: 1,
            ..ExecutionFilter::default()
        };
        let Some(head) = journal.list(&filter).await?.pop() else {
            return Ok(false);
        };
        let known = journal
            .load(head.id)
            .await?
            .and_then(|record| Evidence::of_input(&record.input));
        Ok(known.is_some_and(|known| match known.finding {
            Finding::Disputed { dispute } => dispute.is_inquiry(),
            _ => false,
        }))
    }

    async fn start_review(&self, evidence: &Evidence, by: &str) -> Result<bool, PaymentCheckError> {
        let fact = evidence.finding.fact(&evidence.payment_intent_id);
        let mut labels = vec![
            label(FACT_LABEL, &fact),
            label(PAYMENT, &evidence.payment_intent_id),
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
            let of_it = |name| Some(label(name, heads.first()?.label(name)?));
            labels.extend(names.into_iter().filter_map(of_it));
        }
        if let Finding::Disputed { dispute } | Finding::FundsWithdrawn { dispute } =
            &evidence.finding
        {
            labels.extend(dispute.due_by.map(|due| label(DUE_BY, due)));
        }
        let order = StartRequest {
            labels,
            ..by_clock(REVIEW_PAYMENT, CALLER, fact, evidence.input(by))
        };
        Ok(self.start_once(order).await?)
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
    let first = record.label(PAYMENT).map(ToOwned::to_owned);
    let other = match &first {
        Some(_) => !check_out::is_paid_by(record, &payment.id),
        None => record.state == State::Completed,
    };
    (taken && other && record.state.has_ended()).then_some(Finding::SecondPayment { first })
}

/// A failed refund that leaves the guest with less money returned than the compensation record
/// states.
pub(crate) fn failed_refund(reported: Cents, refunds: &[Refund]) -> Option<Finding> {
    let failed = refunds.iter().filter(|one| !one.status.is_effective());
    let refund = failed.max_by_key(|refund| refund.created)?.clone();
    (Refund::effective_sum(refunds) < reported).then_some(Finding::RefundFailed { refund })
}
