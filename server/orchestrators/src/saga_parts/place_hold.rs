//! Places a hold on a saved card with one create-and-confirm call. The outcome is queried until it is
//! known, as for a payment.

use async_trait::async_trait;
use dewy_domain::{
    card_id::CardId,
    money::{Cents, Currency},
    payment::{Payment, PaymentStatus},
    saved_card_order::SavedCardOrder,
    stay::Stay,
};
use dewy_saga::{Activity, Context, Fault, Outcome, OutcomeCheck, Plan, Request};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    live_holds::hold_metadata,
    payment_attempt::{PaymentAttempt, PaymentKind},
    payment_refusal::PaymentRefusal,
};

/// Hold to place, as journaled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HoldTerms {
    /// Amount to reserve.
    pub amount: Cents,
    /// Currency.
    pub currency: Currency,
    /// Customer id.
    pub customer: String,
    /// The customer's saved card.
    pub card: CardId,
}

/// The stay and what to hold for it, from the journal.
///
/// # Errors
/// The plan where there is nothing to hold.
type Wanted = fn(&Context<'_>) -> Result<(Stay, HoldTerms), Plan>;

/// The step that places a hold.
pub(crate) struct PlaceHold {
    attempt: PaymentAttempt,
    wanted: Wanted,
}

impl PlaceHold {
    pub(crate) fn new(parts: &HotelDependencies, wanted: Wanted) -> Self {
        Self {
            attempt: PaymentAttempt::new(parts, PaymentKind::Hold),
            wanted,
        }
    }

    /// The hold of this execution, by its metadata; `None` if there is none.
    ///
    /// # Errors
    /// The payments could not be read.
    pub(crate) async fn find(&self, cx: &Context<'_>) -> Result<Option<Payment>, Fault> {
        match (self.wanted)(cx) {
            Ok((_, terms)) => self.attempt.find(cx, Some(&terms.customer)).await,
            Err(_) => Ok(None),
        }
    }

    fn of_payment(payment: Payment) -> Outcome<Payment> {
        match payment.status {
            // Also if somebody has captured it since.
            PaymentStatus::RequiresCapture | PaymentStatus::Succeeded => Outcome::Done(payment),
            PaymentStatus::Processing => Outcome::Unknown(PaymentAttempt::not_taken(&payment)),
            _ => Outcome::Refused(PaymentAttempt::not_taken(&payment)),
        }
    }
}

#[async_trait]
impl Activity for PlaceHold {
    type Output = Payment;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let (stay, terms) = match (self.wanted)(&cx) {
            Ok(wanted) => wanted,
            Err(plan) => return Some(plan),
        };
        let settings = &self.attempt.settings;
        // Nothing is paid yet, so that Stripe has no receipt to send
        let texts = (settings.payment_texts).texts(&settings.hotel.name, &stay, None);
        let order = SavedCardOrder {
            amount: terms.amount,
            currency: terms.currency,
            customer: terms.customer,
            payment_method: terms.card,
            texts,
            metadata: hold_metadata(settings, cx.id, &stay),
            key: format!("{}:{}:hold", settings.installation, cx.id),
        };
        let call = self.attempt.payments.hold(&order);
        let deadline = settings.stripe_deadline;
        Some(Plan::Send(engine_conversions::request(
            &call,
            deadline,
            Value::Null,
        )))
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome<Payment> {
        let send = |call| async move { self.attempt.payments.send_pay(&call).await };
        engine_conversions::send(request, send)
            .await
            .and_then(Self::of_payment)
    }

    async fn determine_outcome(&self, cx: Context<'_>, _: &Request) -> OutcomeCheck<Payment> {
        if let Some(payment) = PaymentAttempt::canceled(&cx) {
            return Self::of_payment(payment).into();
        }
        let may_send = PaymentAttempt::may_send(&cx);
        if may_send && !PaymentAttempt::is_inherited(&cx) {
            return OutcomeCheck::SendAgain;
        }
        match self.find(&cx).await {
            Err(error) => Outcome::Unknown(error).into(),
            Ok(Some(payment)) => match payment.status {
                PaymentStatus::RequiresCapture
                | PaymentStatus::Succeeded
                | PaymentStatus::Processing
                | PaymentStatus::Canceled => Self::of_payment(payment).into(),
                // Neither held nor going to be: canceled, so that nobody can confirm it later.
                _ => OutcomeCheck::Guard(self.attempt.cancel(&cx, &payment.id)),
            },
            Ok(None) if may_send => OutcomeCheck::SendAgain,
            Ok(None) => PaymentAttempt::not_found(&cx).into(),
        }
    }

    /// A decline contains the declined payment, so it is the original response to this key and
    /// holds for every send.
    fn is_replayed_refusal(&self, fault: &Fault) -> bool {
        PaymentRefusal::of(fault).payment_intent.is_some()
    }

    async fn send_guard(&self, _: Context<'_>, request: &Request) -> Outcome {
        self.attempt.send_cancel(request).await
    }
}
