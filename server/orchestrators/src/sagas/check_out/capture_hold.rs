//! Captures exactly an amount of a hold. A hold is captured once, and the payment itself tells whether
//! it was, so that an unknown outcome is read from it and sending again does no harm.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    money::Cents,
    payment::{Payment, PaymentStatus},
    payment_intent_id::PaymentIntentId,
    ports::Payments,
    vocabulary::FaultCode,
};
use dewy_saga::{Activity, Context, Fault, NOT_APPLIED, Outcome, OutcomeCheck, Plan, Request};
use serde_json::Value;

use crate::saga_parts::{
    engine_conversions, hotel_dependencies::HotelDependencies, settings::Settings,
};

/// The hold and what to capture of it, from the journal.
///
/// # Errors
/// The plan where there is nothing to capture.
type Wanted = fn(&Context<'_>) -> Result<(PaymentIntentId, Cents), Plan>;

/// The step that captures a hold. A hold that its bank has ended is an outcome too: nothing was
/// received.
pub(super) struct CaptureHold {
    payments: Arc<dyn Payments>,
    settings: Settings,
    wanted: Wanted,
}

impl CaptureHold {
    pub(super) fn new(parts: &HotelDependencies, wanted: Wanted) -> Self {
        Self {
            payments: Arc::clone(&parts.payments),
            settings: parts.settings.clone(),
            wanted,
        }
    }

    /// The payment as it is now, with its charge.
    async fn read(&self, id: &PaymentIntentId) -> Outcome<Payment> {
        match self.payments.payment(id).await.answered() {
            Ok(Some(payment)) => Outcome::Done(payment),
            Ok(None) => Outcome::Unknown(Fault::new(
                FaultCode::PaymentNotFound,
                "the hold cannot be read",
            )),
            Err(fault) => Outcome::Unknown(fault),
        }
    }
}

fn of_payment(payment: Payment) -> Outcome<Payment> {
    match payment.status {
        PaymentStatus::Succeeded | PaymentStatus::Canceled => Outcome::Done(payment),
        status => {
            let why = format!("the payment is {status:?}");
            Outcome::TryLater(Fault::new(NOT_APPLIED, why))
        }
    }
}

#[async_trait]
impl Activity for CaptureHold {
    type Output = Payment;

    /// Each attempt that follows an answer has a key of its own, because Stripe repeats the answer to
    /// a key.
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let (id, amount) = match (self.wanted)(&cx) {
            Ok(wanted) => wanted,
            Err(plan) => return Some(plan),
        };
        let n = cx.direction_progress().map_or(0, |s| s.intents) + 1;
        let key = format!("{}:{}:capture:{id}:{n}", self.settings.installation, cx.id);
        let call = self.payments.capture(&id, amount, &key);
        Some(Plan::Send(engine_conversions::request(
            &call,
            self.settings.stripe_deadline,
            Value::Null,
        )))
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome<Payment> {
        let send = |call| async move { self.payments.send_capture(&call).await };
        match engine_conversions::send(request, send).await {
            // A refusal comes with the payment, but without its charge: the card and the receipt
            Outcome::Done(payment) if payment.received > Cents(0) && payment.last4.is_none() => {
                let read = self.read(&payment.id).await;
                of_payment(match read {
                    Outcome::Done(read) => read,
                    _ => payment,
                })
            }
            Outcome::Done(payment) => of_payment(payment),
            // A key that is revoked, or lacks a permission: the next one captures it
            Outcome::Refused(fault) => Outcome::Unknown(Fault {
                permanent: false,
                ..fault
            }),
            open => open,
        }
    }

    async fn determine_outcome(&self, cx: Context<'_>, _: &Request) -> OutcomeCheck<Payment> {
        let Ok((id, _)) = (self.wanted)(&cx) else {
            return OutcomeCheck::SendAgain;
        };
        let progress = cx.direction_progress();
        let repeated = progress.is_some_and(engine_conversions::is_answer_repeated);
        match self.read(&id).await.and_then(of_payment) {
            Outcome::TryLater(_) if !repeated => OutcomeCheck::SendAgain,
            outcome => outcome.into(),
        }
    }
}
