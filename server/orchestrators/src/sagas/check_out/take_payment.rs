//! Takes the payment with one create-and-confirm call. The outcome is queried until it is known;
//! the status of a payment is never assumed.

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::{
    money::Cents,
    payment::{Payment, PaymentOrder, PaymentStatus},
    payment_intent_id::PaymentIntentId,
};
use dewy_saga::{
    Activity, Context, Fault, Outcome, OutcomeCheck, Phase, Plan, Request,
    progress::DirectionProgress,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::facts::{self, Facts};
use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    payment_attempt::{PaymentAttempt, PaymentKind},
    payment_refusal::PaymentRefusal,
    reconciled_write::missing_fact,
};

/// A payment that the guest has to confirm with their bank, as journaled.
#[derive(Debug, Deserialize)]
pub(super) struct BankConfirmation {
    pub payment_intent_id: PaymentIntentId,
    pub next_action_url: Option<String>,
}

pub(super) struct TakePayment(PaymentAttempt);

impl TakePayment {
    pub(super) fn new(parts: &HotelDependencies) -> Self {
        Self(PaymentAttempt::new(parts, PaymentKind::Charge))
    }

    fn of_payment(payment: Payment) -> Outcome<Payment> {
        match payment.status {
            PaymentStatus::Succeeded => Outcome::Done(payment),
            PaymentStatus::RequiresAction | PaymentStatus::Processing => Outcome::Waiting(
                json!({ "payment_intent_id": payment.id, "next_action_url": payment.next_action_url, "payment": payment }),
            ),
            _ => Outcome::Refused(PaymentAttempt::not_taken(&payment)),
        }
    }

    /// Finds the payment by its metadata; `None` when there is none.
    async fn find(&self, cx: Context<'_>) -> Option<OutcomeCheck<Payment>> {
        Some(match find(&self.0, &cx).await {
            Err(error) => Outcome::Unknown(error).into(),
            Ok(None) => return None,
            Ok(Some(payment)) => match payment.status {
                PaymentStatus::Succeeded
                | PaymentStatus::RequiresAction
                | PaymentStatus::Processing
                | PaymentStatus::Canceled => Self::of_payment(payment).into(),
                // Neither captured nor going to be: canceled, so that nobody can confirm it later.
                _ => OutcomeCheck::Guard(self.0.cancel(&cx, &payment.id)),
            },
        })
    }

    /// The guest must act at their bank; after a timeout the payment is canceled.
    async fn poll_bank_confirmation(&self, cx: Context<'_>) -> OutcomeCheck<Payment> {
        let direction_progress = cx.direction_progress();
        let waiting = direction_progress.and_then(DirectionProgress::read::<BankConfirmation>);
        let still = |code: &str, message: String| {
            let mut value = direction_progress
                .and_then(|s| s.value.clone())
                .unwrap_or(Value::Null);
            value["last_trouble"] = json!({ "code": code, "message": message });
            Outcome::Waiting(value).into()
        };
        let Some(BankConfirmation {
            payment_intent_id: id,
            ..
        }) = waiting
        else {
            return still("payment_unknown", "the journal names no payment".to_owned());
        };
        let payment = match self.0.payments.payment(&id).await.answered() {
            Ok(Some(payment)) => payment,
            Ok(None) => return still("payment_not_found", "the payment cannot be read".to_owned()),
            Err(error) => return still(&error.code, error.message),
        };
        let since = direction_progress
            .and_then(|s| s.first_at)
            .unwrap_or(cx.now);
        let waited = Duration::try_from(cx.now.duration_since(since)).unwrap_or_default();
        let open = matches!(
            payment.status,
            PaymentStatus::RequiresAction
                | PaymentStatus::RequiresConfirmation
                | PaymentStatus::RequiresPaymentMethod
        );
        if open
            && (waited > self.0.settings.payment_action_timeout
                || payment.status == PaymentStatus::RequiresPaymentMethod)
        {
            return OutcomeCheck::Guard(self.0.cancel(&cx, &id));
        }
        Self::of_payment(payment).into()
    }
}

/// The payment of this execution.
pub(super) async fn find(
    attempt: &PaymentAttempt,
    cx: &Context<'_>,
) -> Result<Option<Payment>, Fault> {
    let customer = facts::customer(cx.progress);
    attempt.find(cx, customer.as_deref()).await
}

#[async_trait]
impl Activity for TakePayment {
    type Output = Payment;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some(facts) = cx.facts::<Facts>() else {
            return Some(Plan::Refuse(missing_fact("the facts")));
        };
        if facts.balance == Cents(0) {
            return Some(Plan::Skip(json!({ "note": "nothing to pay" })));
        }
        let Some(payment_method) = facts.payment_method else {
            return Some(Plan::Refuse(missing_fact("the card")));
        };
        let mut metadata = self.0.settings.stripe_metadata(&cx.id.to_string());
        metadata.insert(
            "booking_number".to_owned(),
            facts.stay.booking.number.to_string(),
        );
        metadata.insert("room_number".to_owned(), facts.stay.room.number.to_string());
        let order = PaymentOrder {
            amount: facts.balance,
            currency: facts.currency,
            customer: facts::customer(cx.progress),
            payment_method,
            save_card: facts.save_card,
            return_url: format!(
                "{}/guest/pay/return?execution={}",
                self.0.settings.public_url, cx.id
            ),
            texts: self.0.settings.payment_texts.texts(
                &self.0.settings.hotel.name,
                &facts.stay,
                engine_conversions::guest_of(&cx).email,
            ),
            metadata,
            key: format!("{}:{}:pay", self.0.settings.installation, cx.id),
        };
        let call = self.0.payments.pay(&order);
        Some(Plan::Send(engine_conversions::request(
            &call,
            self.0.settings.stripe_deadline,
            Value::Null,
        )))
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome<Payment> {
        let send = |call| async move { self.0.payments.send_pay(&call).await };
        engine_conversions::send(request, send)
            .await
            .and_then(Self::of_payment)
    }

    async fn determine_outcome(&self, cx: Context<'_>, _: &Request) -> OutcomeCheck<Payment> {
        let Some(direction_progress) = cx.direction_progress() else {
            return OutcomeCheck::SendAgain;
        };
        // A payment we canceled, or that succeeded before
        if let Some(payment) = PaymentAttempt::canceled(&cx) {
            return Self::of_payment(payment).into();
        }
        if direction_progress.phase == Phase::Waiting {
            return self.poll_bank_confirmation(cx).await;
        }
        let may_send = PaymentAttempt::may_send(&cx);
        if may_send && !PaymentAttempt::is_inherited(&cx) {
            return OutcomeCheck::SendAgain;
        }
        match self.find(cx).await {
            Some(found) => found,
            None if may_send => OutcomeCheck::SendAgain,
            None => PaymentAttempt::not_found(&cx).into(),
        }
    }

    /// A decline contains the declined payment, so it is the original response to this key and
    /// holds for every send.
    fn is_replayed_refusal(&self, fault: &Fault) -> bool {
        PaymentRefusal::of(fault).payment_intent.is_some()
    }

    async fn send_guard(&self, _: Context<'_>, request: &Request) -> Outcome {
        self.0.send_cancel(request).await
    }
}
