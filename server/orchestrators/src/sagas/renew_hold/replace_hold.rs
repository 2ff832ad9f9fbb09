//! Places the new hold as a check-in does. A card that refuses it is an outcome: the saga goes on to
//! tell the front desk.

use async_trait::async_trait;
use dewy_domain::{payment::Payment, stay::Stay};
use dewy_saga::{Activity, Context, Fault, Outcome, OutcomeCheck, Plan, Request};

use super::NewHold;
use crate::saga_parts::{
    hotel_dependencies::HotelDependencies,
    payment_attempt::PaymentAttempt,
    place_hold::{HoldTerms, PlaceHold},
};

pub(super) struct ReplaceHold(PlaceHold);

impl ReplaceHold {
    pub(super) fn new(
        parts: &HotelDependencies,
        wanted: fn(&Context<'_>) -> Result<(Stay, HoldTerms), Plan>,
    ) -> Self {
        Self(PlaceHold::new(parts, wanted))
    }
}

fn of_payment(payment: Payment) -> Outcome<NewHold> {
    Outcome::Done(NewHold {
        payment: Some(payment),
        fault: None,
    })
}

fn refused(fault: Fault) -> Outcome<NewHold> {
    Outcome::Done(NewHold {
        payment: None,
        fault: Some(fault),
    })
}

#[async_trait]
impl Activity for ReplaceHold {
    type Output = NewHold;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        self.0.build(cx)
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome<NewHold> {
        let is_first = PaymentAttempt::is_first(&cx);
        match self.0.send(cx, request).await {
            Outcome::Refused(fault) if is_first || self.0.is_replayed_refusal(&fault) => {
                refused(fault)
            }
            answered => answered.and_then(of_payment),
        }
    }

    async fn determine_outcome(&self, cx: Context<'_>, request: &Request) -> OutcomeCheck<NewHold> {
        match self.0.determine_outcome(cx, request).await {
            OutcomeCheck::Outcome(Outcome::Refused(fault)) => refused(fault).into(),
            OutcomeCheck::Outcome(outcome) => outcome.and_then(of_payment).into(),
            OutcomeCheck::SendAgain => OutcomeCheck::SendAgain,
            OutcomeCheck::Guard(guard) => OutcomeCheck::Guard(guard),
        }
    }

    fn is_replayed_refusal(&self, fault: &Fault) -> bool {
        self.0.is_replayed_refusal(fault)
    }

    async fn send_guard(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.0.send_guard(cx, request).await
    }
}
