//! Releases a hold: cancels its payment until Stripe answers. Canceling twice is harmless.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    payment::{Payment, PaymentStatus},
    payment_intent_id::PaymentIntentId,
    ports::Payments,
    vocabulary::{AttentionReason, FaultCode},
};
use dewy_saga::{Activity, Context, Fault, NOT_APPLIED, Outcome, OutcomeCheck, Plan, Request};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::saga_parts::{
    engine_conversions, hotel_dependencies::HotelDependencies, reconciled_write::missing_fact,
    settings::Settings,
};

/// The end of a hold, as journaled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ReleasedHold {
    pub payment_intent: PaymentIntentId,
    /// What happened to it, for staff.
    note: String,
    /// Why a person must look at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    attention: Option<AttentionReason>,
}

impl ReleasedHold {
    /// Somebody has captured it: only a person knows what for.
    pub(crate) fn captured(payment_intent: PaymentIntentId) -> Self {
        Self {
            payment_intent,
            note: "the hold was captured before it could be released".to_owned(),
            attention: Some(AttentionReason::HoldNotReleased),
        }
    }

    /// Why a person must look at it.
    pub(crate) fn attention(&self) -> Option<String> {
        self.attention.as_ref().map(ToString::to_string)
    }
}

/// The hold to release, from the journal.
///
/// # Errors
/// The plan where there is none.
type Held = fn(&Context<'_>) -> Result<PaymentIntentId, Plan>;

/// The step that releases a hold, in either direction.
pub(crate) struct ReleaseHold {
    payments: Arc<dyn Payments>,
    settings: Settings,
    held: Held,
}

impl ReleaseHold {
    pub(crate) fn new(parts: &HotelDependencies, held: Held) -> Self {
        Self {
            payments: Arc::clone(&parts.payments),
            settings: parts.settings.clone(),
            held,
        }
    }

    fn of_payment(payment: Payment) -> Outcome<ReleasedHold> {
        match payment.status {
            PaymentStatus::Canceled => Outcome::Done(ReleasedHold {
                payment_intent: payment.id,
                note: "the card reserves nothing any more".to_owned(),
                attention: None,
            }),
            PaymentStatus::Succeeded => Outcome::Done(ReleasedHold::captured(payment.id)),
            status => {
                let why = format!("the payment is {status:?}");
                Outcome::TryLater(Fault::new(NOT_APPLIED, why))
            }
        }
    }

    /// The cancellation of this hold. Each attempt that follows an answer has a key of its own, because
    /// Stripe repeats the answer to a key.
    pub(crate) fn request(
        &self,
        cx: &Context<'_>,
        held: &PaymentIntentId,
        beside: Value,
    ) -> Request {
        let n = cx.direction_progress().map_or(0, |s| s.intents) + 1;
        let key = format!("{}:{}:release:{n}", self.settings.installation, cx.id);
        let call = self.payments.cancel(held, &key);
        engine_conversions::request(&call, self.settings.stripe_deadline, beside)
    }

    /// What became of the cancellation of this hold.
    pub(crate) async fn outcome_of(
        &self,
        cx: Context<'_>,
        held: &PaymentIntentId,
    ) -> OutcomeCheck<ReleasedHold> {
        let progress = cx.direction_progress();
        let age = progress.map_or(Duration::ZERO, |s| s.key_age(cx.now));
        let repeated = progress.is_some_and(engine_conversions::is_answer_repeated);
        if age < engine_conversions::KEY_IS_SAFE && !repeated {
            return OutcomeCheck::SendAgain;
        }
        let outcome = match self.payments.payment(held).await.answered() {
            Ok(Some(payment)) => Self::of_payment(payment),
            Ok(None) => {
                let fault = Fault::new(FaultCode::PaymentNotFound, "Stripe has no such payment");
                Outcome::Refused(not_released(fault))
            }
            Err(fault) => Outcome::Unknown(fault),
        };
        outcome.into()
    }
}

/// The same refusal, as a reason to call a person.
fn not_released(mut fault: Fault) -> Fault {
    if !fault.details.is_object() {
        fault.details = json!({});
    }
    fault.details["attention"] = json!(AttentionReason::HoldNotReleased);
    fault
}

#[async_trait]
impl Activity for ReleaseHold {
    type Output = ReleasedHold;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        Some(match (self.held)(&cx) {
            Ok(held) => Plan::Send(self.request(&cx, &held, Value::Null)),
            Err(plan) => plan,
        })
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome<ReleasedHold> {
        let send = |call| async move { self.payments.send_cancel(&call).await };
        match engine_conversions::send(request, send).await {
            Outcome::Refused(fault) => Outcome::Refused(not_released(fault)),
            answered => answered.and_then(Self::of_payment),
        }
    }

    async fn determine_outcome(&self, cx: Context<'_>, _: &Request) -> OutcomeCheck<ReleasedHold> {
        match (self.held)(&cx) {
            Ok(held) => self.outcome_of(cx, &held).await,
            Err(_) => Outcome::Refused(missing_fact("the hold")).into(),
        }
    }
}
