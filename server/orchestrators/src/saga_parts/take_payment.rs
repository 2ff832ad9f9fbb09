//! Takes a payment, or reserves it on a card, with one create-and-confirm call while the guest is there
//! to answer their bank. The outcome is queried until it is known; the status of a payment is never
//! assumed.

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::{
    payment::{Payment, PaymentOrder, PaymentStatus},
    payment_intent_id::PaymentIntentId,
};
use dewy_saga::{
    Activity, Context, Fault, Outcome, OutcomeCheck, Phase, Plan, Progress, Request, State, StepId,
    progress::DirectionProgress,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    payment_attempt::{PaymentAttempt, PaymentKind},
    payment_refusal::PaymentRefusal,
    settings::Settings,
};

/// A payment that the guest has to confirm with their bank, as journaled.
#[derive(Debug, Deserialize)]
struct BankConfirmation {
    payment_intent_id: PaymentIntentId,
    next_action_url: Option<String>,
}

/// Page of the bank that a guest has to visit for the payment of this step.
pub(crate) fn next_action_url<O, U>(progress: &Progress, step: StepId<O, U>) -> Option<String> {
    if progress.state != Some(State::Waiting) {
        return None;
    }
    let waiting = progress.forward(step)?.read::<BankConfirmation>()?;
    waiting.next_action_url
}

/// Where a bank sends a guest back to.
pub(crate) fn return_url(settings: &Settings, cx: &Context<'_>) -> String {
    format!(
        "{}/guest/pay/return?execution={}",
        settings.public_url, cx.id
    )
}

/// The payment, from the journal.
///
/// # Errors
/// The plan where there is nothing to pay.
type Ordered = fn(&Settings, &Context<'_>) -> Result<PaymentOrder, Plan>;

/// The step.
pub(crate) struct TakePayment {
    attempt: PaymentAttempt,
    ordered: Ordered,
    customer: fn(&Progress) -> Option<String>,
}

impl TakePayment {
    pub(crate) fn new(
        parts: &HotelDependencies,
        kind: PaymentKind,
        ordered: Ordered,
        customer: fn(&Progress) -> Option<String>,
    ) -> Self {
        Self {
            attempt: PaymentAttempt::new(parts, kind),
            ordered,
            customer,
        }
    }

    fn stands(&self, payment: &Payment) -> bool {
        match payment.status {
            // Also a hold that somebody has captured since
            PaymentStatus::Succeeded => true,
            PaymentStatus::RequiresCapture => self.attempt.kind == PaymentKind::Hold,
            _ => false,
        }
    }

    fn of_payment(&self, payment: Payment) -> Outcome<Payment> {
        match payment.status {
            _ if self.stands(&payment) => Outcome::Done(payment),
            PaymentStatus::RequiresAction | PaymentStatus::Processing => Outcome::Waiting(
                json!({ "payment_intent_id": payment.id, "next_action_url": payment.next_action_url, "payment": payment }),
            ),
            _ => Outcome::Refused(PaymentAttempt::not_taken(&payment)),
        }
    }

    /// Finds the payment by its metadata; `None` when there is none.
    async fn find(&self, cx: Context<'_>) -> Option<OutcomeCheck<Payment>> {
        let customer = (self.customer)(cx.progress);
        Some(match self.attempt.find(&cx, customer.as_deref()).await {
            Err(error) => Outcome::Unknown(error).into(),
            Ok(None) => return None,
            Ok(Some(payment)) => match payment.status {
                _ if self.stands(&payment) => self.of_payment(payment).into(),
                PaymentStatus::RequiresAction
                | PaymentStatus::Processing
                | PaymentStatus::Canceled => self.of_payment(payment).into(),
                // Neither captured nor going to be: canceled, so that nobody can confirm it later.
                _ => OutcomeCheck::Guard(self.attempt.cancel(&cx, &payment.id)),
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
        let payment = match self.attempt.payments.payment(&id).await.answered() {
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
            && (waited > self.attempt.settings.payment_action_timeout
                || payment.status == PaymentStatus::RequiresPaymentMethod)
        {
            return OutcomeCheck::Guard(self.attempt.cancel(&cx, &id));
        }
        self.of_payment(payment).into()
    }
}

#[async_trait]
impl Activity for TakePayment {
    type Output = Payment;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let order = match (self.ordered)(&self.attempt.settings, &cx) {
            Ok(order) => order,
            Err(plan) => return Some(plan),
        };
        let call = match self.attempt.kind {
            PaymentKind::Charge => self.attempt.payments.pay(&order),
            PaymentKind::Hold => self.attempt.payments.hold_with_guest(&order),
        };
        Some(Plan::Send(engine_conversions::request(
            &call,
            self.attempt.settings.stripe_deadline,
            Value::Null,
        )))
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome<Payment> {
        let send = |call| async move { self.attempt.payments.send_pay(&call).await };
        engine_conversions::send(request, send)
            .await
            .and_then(|payment| self.of_payment(payment))
    }

    async fn determine_outcome(&self, cx: Context<'_>, _: &Request) -> OutcomeCheck<Payment> {
        let Some(direction_progress) = cx.direction_progress() else {
            return OutcomeCheck::SendAgain;
        };
        // A payment we canceled, or that succeeded before
        if let Some(payment) = PaymentAttempt::canceled(&cx) {
            return self.of_payment(payment).into();
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
        self.attempt.send_cancel(request).await
    }
}
