//! Takes the payment with one create-and-confirm call. The outcome is queried until it is known;
//! the status of a payment is never assumed.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    money::Cents,
    payment::{Payment, PaymentOrder, PaymentStatus},
    payment_intent_id::PaymentIntentId,
    ports::Payments,
    vocabulary::FaultCode,
};
use dewy_saga::{
    Activity, Context, Direction, Fault, Outcome, OutcomeCheck, Phase, Plan, REFUSED_ON_REPEAT,
    Request,
    progress::{DirectionProgress, Guard},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    facts::{self, Facts, PAY},
    payment_refusal::PaymentRefusal,
};
use crate::saga_parts::{
    engine_conversions, hotel_dependencies::HotelDependencies, reconciled_write::missing_fact,
    settings::Settings,
};

/// Stripe keeps a key's first answer for at least 24 hours; later the same key might charge again.
const KEY_IS_SAFE: Duration = Duration::from_secs(23 * 3600);

/// How long to search for a missing payment before it counts as never created.
const SEARCH_TIME: Duration = Duration::from_secs(30);

/// A payment that the guest has to confirm with their bank, as journaled.
#[derive(Debug, Deserialize)]
pub(super) struct BankConfirmation {
    pub payment_intent_id: PaymentIntentId,
    pub next_action_url: Option<String>,
}

pub(super) struct TakePayment {
    payments: Arc<dyn Payments>,
    settings: Settings,
}

impl TakePayment {
    pub(super) fn new(parts: &HotelDependencies) -> Self {
        Self {
            payments: Arc::clone(&parts.payments),
            settings: parts.settings.clone(),
        }
    }

    fn of_payment(payment: Payment) -> Outcome<Payment> {
        match payment.status {
            PaymentStatus::Succeeded => Outcome::Done(payment),
            PaymentStatus::RequiresAction | PaymentStatus::Processing => Outcome::Waiting(
                json!({ "payment_intent_id": payment.id, "next_action_url": payment.next_action_url, "payment": payment }),
            ),
            status => {
                let fault = Fault::new(
                    FaultCode::PaymentNotTaken,
                    format!("the payment is {status:?}"),
                );
                Outcome::Refused(fault.with(json!({ "payment_intent": payment.id })))
            }
        }
    }

    /// Finds the payment by its metadata; `None` when there is none.
    async fn find(&self, cx: Context<'_>) -> Option<OutcomeCheck<Payment>> {
        Some(match find(self.payments.as_ref(), &cx).await {
            Err(error) => Outcome::Unknown(error).into(),
            Ok(None) => return None,
            Ok(Some(payment)) => match payment.status {
                PaymentStatus::Succeeded
                | PaymentStatus::RequiresAction
                | PaymentStatus::Processing
                | PaymentStatus::Canceled => Self::of_payment(payment).into(),
                // Neither captured nor going to be: canceled, so that nobody can confirm it later.
                _ => OutcomeCheck::Guard(self.cancel(&cx, &payment.id)),
            },
        })
    }

    /// No payment was found, and nothing more is sent: refused once the time for a late effect has
    /// passed.
    fn not_found(cx: &Context<'_>) -> Outcome<Payment> {
        let last_sent = cx
            .direction_progress()
            .and_then(|s| s.sent_at)
            .unwrap_or(cx.now);
        let age = Duration::try_from(cx.now.duration_since(last_sent)).unwrap_or_default();
        if age > SEARCH_TIME {
            return Outcome::Refused(Fault::new(
                FaultCode::PaymentNotFound,
                "no payment of ours turned up; it is looked for again later",
            ));
        }
        Outcome::Unknown(Fault {
            retry_after_ms: Some(5000),
            ..Fault::new(FaultCode::PaymentNotFoundYet, "no payment of ours so far")
        })
    }

    fn cancel(&self, cx: &Context<'_>, payment_intent: &PaymentIntentId) -> Request {
        let key = format!("{}:{}:cancel", self.settings.installation, cx.id);
        let direction_progress = cx.direction_progress();
        let key = match direction_progress.and_then(|s| s.guard.as_ref()) {
            Some(guard) => next_cancel_key(key, guard),
            None => key,
        };
        let call = self.payments.cancel(payment_intent, &key);
        engine_conversions::request(
            &call,
            self.settings.stripe_deadline,
            json!({ "payment_intent": payment_intent }),
        )
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
        let payment = match self.payments.payment(&id).await.answered() {
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
            && (waited > self.settings.payment_action_timeout
                || payment.status == PaymentStatus::RequiresPaymentMethod)
        {
            return OutcomeCheck::Guard(self.cancel(&cx, &id));
        }
        Self::of_payment(payment).into()
    }
}

/// Idempotency key for another cancellation attempt. Stripe replays its first response to a key, so
/// an attempt that didn't cancel needs a new key; canceling twice is harmless.
fn next_cancel_key(first: String, guard: &Guard) -> String {
    let used = guard.request.key.as_deref().unwrap_or(&first);
    let answered = match &guard.outcome {
        Some(Outcome::Done(_) | Outcome::Refused(_)) => true,
        Some(Outcome::TryLater(fault) | Outcome::Unknown(fault)) => {
            fault.code == FaultCode::NotCanceled || fault.code == FaultCode::StickyFailure
        }
        Some(Outcome::Waiting(_)) | None => false,
    };
    if !answered {
        return used.to_owned();
    }
    let number = used
        .strip_prefix(&first)
        .and_then(|rest| rest.strip_prefix(':'))
        .and_then(|number| number.parse::<u32>().ok());
    format!("{first}:{}", number.unwrap_or(1).saturating_add(1))
}

/// Whether a payment's status can't change any more.
const fn is_final(payment: &Payment) -> bool {
    matches!(
        payment.status,
        PaymentStatus::Succeeded | PaymentStatus::Canceled
    )
}

/// The payment of this execution, by the execution id in its metadata.
pub(super) async fn find(
    payments: &dyn Payments,
    cx: &Context<'_>,
) -> Result<Option<Payment>, Fault> {
    // Twelve minutes before our own time, because clocks differ.
    let since = cx.progress.began_at.unwrap_or(cx.now) - jiff::SignedDuration::from_mins(12);
    let customer = facts::customer(cx.progress);
    let all = payments
        .payments_since(customer.as_deref(), since)
        .await
        .answered()?;
    let id = cx.id.to_string();
    let mine = |metadata: &BTreeMap<String, String>| metadata.get("execution_id") == Some(&id);
    let (taken, open): (Vec<_>, Vec<_>) = all
        .items
        .into_iter()
        .filter(|p| mine(&p.metadata))
        .partition(|p| p.status == PaymentStatus::Succeeded);
    // Of several payments the captured one counts; the orphan check finds the others.
    if let Some(payment) = taken.into_iter().chain(open).next() {
        return Ok(Some(payment));
    }
    match all
        .unreadable
        .iter()
        .find(|spoiled| mine(&spoiled.metadata))
    {
        Some(spoiled) => Err(Fault::new(
            FaultCode::UnreadableResponse,
            format!("{}: {}", spoiled.id, spoiled.why),
        )),
        None => Ok(None),
    }
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
        let mut metadata = self.settings.stripe_metadata(&cx.id.to_string());
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
            return_url: format!(
                "{}/guest/pay/return?execution={}",
                self.settings.public_url, cx.id
            ),
            texts: self.settings.payment_texts.texts(
                &self.settings.hotel.name,
                &facts.stay,
                engine_conversions::guest_of(&cx).email,
            ),
            metadata,
            key: format!("{}:{}:pay", self.settings.installation, cx.id),
        };
        let call = self.payments.pay(&order);
        Some(Plan::Send(engine_conversions::request(
            &call,
            self.settings.stripe_deadline,
            Value::Null,
        )))
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome<Payment> {
        let send = |call| async move { self.payments.send_pay(&call).await };
        engine_conversions::send(request, send)
            .await
            .and_then(Self::of_payment)
    }

    async fn determine_outcome(&self, cx: Context<'_>, _: &Request) -> OutcomeCheck<Payment> {
        let Some(direction_progress) = cx.direction_progress() else {
            return OutcomeCheck::SendAgain;
        };
        // A payment we canceled, or that succeeded before: the cancellation's answer determines the
        // outcome. Any other status in it is soon out of date.
        if let Some(Outcome::Done(value)) = direction_progress
            .guard
            .as_ref()
            .and_then(|g| g.outcome.as_ref())
            && let Some(payment) = engine_conversions::read::<Payment>(value)
            && is_final(&payment)
        {
            return Self::of_payment(payment).into();
        }
        if direction_progress.phase == Phase::Waiting {
            return self.poll_bank_confirmation(cx).await;
        }
        let refused = |fault: &Fault| fault.code == REFUSED_ON_REPEAT;
        let sticky = direction_progress.fault.as_ref().is_some_and(refused)
            || engine_conversions::repeated_500(direction_progress).is_some();
        let expired = direction_progress.key_age(cx.now) >= KEY_IS_SAFE;
        let inherited = cx.progress.is_inherited(PAY.name, Direction::Forward);
        let may_send = !expired && !sticky && direction_progress.outcome_checks == 0;
        if may_send && !inherited {
            return OutcomeCheck::SendAgain;
        }
        match self.find(cx).await {
            Some(found) => found,
            None if may_send => OutcomeCheck::SendAgain,
            None => Self::not_found(&cx).into(),
        }
    }

    /// A decline contains the declined payment, so it is the original response to this key and
    /// holds for every send.
    fn is_replayed_refusal(&self, fault: &Fault) -> bool {
        PaymentRefusal::of(fault).payment_intent.is_some()
    }

    async fn send_guard(&self, _: Context<'_>, request: &Request) -> Outcome {
        let send = |call| async move { self.payments.send_cancel(&call).await };
        let canceled = engine_conversions::send(request, send).await;
        let judged = canceled.and_then(|payment| {
            if is_final(&payment) {
                return Outcome::Done(payment);
            }
            // Confirmed while the cancellation was on its way: it is read again.
            let message = format!("the payment is {:?}", payment.status);
            Outcome::TryLater(Fault::new(FaultCode::NotCanceled, message))
        });
        judged.journaled()
    }
}
