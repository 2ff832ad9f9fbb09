//! Charges the saved card for what no hold paid: the bank may have ended a hold. A card that refuses
//! leaves the balance open, and the saga goes on to tell the front desk.

use async_trait::async_trait;
use dewy_domain::{
    money::Cents,
    payment::{Payment, PaymentStatus},
    saved_card_order::SavedCardOrder,
};
use dewy_saga::{Activity, Context, Fault, Outcome, OutcomeCheck, Plan, Request};
use serde_json::{Value, json};

use super::facts::{self, Charged, Facts};
use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    payment_attempt::{PaymentAttempt, PaymentKind},
    payment_refusal::PaymentRefusal,
    reconciled_write::missing_fact,
};

pub(super) struct ChargeCard(PaymentAttempt);

impl ChargeCard {
    pub(super) fn new(parts: &HotelDependencies) -> Self {
        Self(PaymentAttempt::new(parts, PaymentKind::Charge))
    }

    /// The charge of this execution, by its metadata.
    ///
    /// # Errors
    /// The payments could not be read.
    pub(super) async fn find(&self, cx: &Context<'_>) -> Result<Option<Payment>, Fault> {
        let customer = cx.facts::<Facts>().and_then(|facts| facts.customer);
        self.0.find(cx, customer.as_deref()).await
    }

    fn order(&self, cx: &Context<'_>) -> Result<SavedCardOrder, Plan> {
        let facts = cx.facts::<Facts>();
        let facts = facts.ok_or_else(|| Plan::Refuse(missing_fact("the facts")))?;
        let settings = &self.0.settings;
        let amount = facts.balance - facts::paid(cx.progress);
        let skip = |note: &str| Plan::Skip(json!({ "note": note }));
        if amount <= Cents(0) {
            return Err(skip("the holds paid everything"));
        }
        if amount.needs_front_desk() {
            return Err(skip("less than a card can pay"));
        }
        let (Some(customer), Some(payment_method)) = (facts.customer, facts.payment_method) else {
            return Err(skip("the card of the hold is not known"));
        };
        let mut metadata = settings.stripe_metadata(&cx.id.to_string());
        let stay = &facts.stay;
        let marks = [
            ("booking_number", stay.booking.number.to_string()),
            ("room_number", stay.room.number.to_string()),
        ];
        metadata.extend(marks.map(|(name, value)| (name.to_owned(), value)));
        let email = engine_conversions::guest_of(cx).email;
        Ok(SavedCardOrder {
            amount,
            currency: facts.currency,
            customer,
            payment_method,
            texts: (settings.payment_texts).texts(&settings.hotel.name, stay, email),
            metadata,
            key: format!("{}:{}:charge", settings.installation, cx.id),
        })
    }
}

/// A refusal is an outcome: the balance stays open.
fn refused(fault: Fault) -> Outcome<Charged> {
    Outcome::Done(Charged {
        payment: None,
        fault: Some(fault),
    })
}

fn of_payment(payment: Payment) -> Outcome<Charged> {
    match payment.status {
        PaymentStatus::Succeeded => Outcome::Done(Charged {
            payment: Some(payment),
            fault: None,
        }),
        PaymentStatus::Processing => Outcome::Unknown(PaymentAttempt::not_taken(&payment)),
        _ => refused(PaymentAttempt::not_taken(&payment)),
    }
}

#[async_trait]
impl Activity for ChargeCard {
    type Output = Charged;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let order = match self.order(&cx) {
            Ok(order) => order,
            Err(plan) => return Some(plan),
        };
        let call = self.0.payments.charge(&order);
        let deadline = self.0.settings.stripe_deadline;
        Some(Plan::Send(engine_conversions::request(
            &call,
            deadline,
            Value::Null,
        )))
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome<Charged> {
        let send = |call| async move { self.0.payments.send_pay(&call).await };
        match engine_conversions::send(request, send).await {
            Outcome::Refused(fault)
                if PaymentAttempt::is_first(&cx) || self.is_replayed_refusal(&fault) =>
            {
                refused(fault)
            }
            answered => answered.and_then(of_payment),
        }
    }

    async fn determine_outcome(&self, cx: Context<'_>, _: &Request) -> OutcomeCheck<Charged> {
        if let Some(payment) = PaymentAttempt::canceled(&cx) {
            return of_payment(payment).into();
        }
        let may_send = PaymentAttempt::may_send(&cx);
        if may_send && !PaymentAttempt::is_inherited(&cx) {
            return OutcomeCheck::SendAgain;
        }
        match self.find(&cx).await {
            Err(error) => Outcome::Unknown(error).into(),
            Ok(Some(payment)) => match payment.status {
                PaymentStatus::Succeeded | PaymentStatus::Processing | PaymentStatus::Canceled => {
                    of_payment(payment).into()
                }
                // Neither captured nor going to be: canceled, so that nobody can confirm it later.
                _ => OutcomeCheck::Guard(self.0.cancel(&cx, &payment.id)),
            },
            Ok(None) if may_send => OutcomeCheck::SendAgain,
            Ok(None) => match PaymentAttempt::not_found(&cx) {
                Outcome::Refused(fault) => refused(fault).into(),
                open => open.and_then(of_payment).into(),
            },
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
