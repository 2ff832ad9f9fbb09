//! A payment that this execution may have made: found by its metadata when the outcome of its
//! request is open, and canceled when nobody is going to capture it.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use dewy_domain::{
    payment::{Payment, PaymentStatus},
    payment_intent_id::PaymentIntentId,
    ports::Payments,
    vocabulary::FaultCode,
};
use dewy_saga::{
    Context, Direction, Fault, Outcome, Phase, Request,
    progress::{DirectionProgress, Guard},
};
use jiff::SignedDuration;
use serde_json::json;

use crate::saga_parts::{
    engine_conversions, hotel_dependencies::HotelDependencies, live_holds::is_hold,
    payment_owner::EXECUTION, settings::Settings,
};

/// How long to search for a missing payment before it counts as never created.
const SEARCH_TIME: Duration = Duration::from_secs(30);

/// Kind of payment that a step makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaymentKind {
    /// Captured at once.
    Charge,
    /// Captured later.
    Hold,
}

/// The payment of a step.
pub(crate) struct PaymentAttempt {
    pub payments: Arc<dyn Payments>,
    pub settings: Settings,
    pub kind: PaymentKind,
}

impl PaymentAttempt {
    pub(crate) fn new(parts: &HotelDependencies, kind: PaymentKind) -> Self {
        Self {
            payments: Arc::clone(&parts.payments),
            settings: parts.settings.clone(),
            kind,
        }
    }

    /// Whether the request's bytes may be sent again before the payment is looked for.
    pub(crate) fn may_send(cx: &Context<'_>) -> bool {
        let Some(progress) = cx.direction_progress() else {
            return true;
        };
        let expired = progress.key_age(cx.now) >= engine_conversions::KEY_IS_SAFE;
        let repeated = engine_conversions::is_answer_repeated(progress);
        !expired && !repeated && progress.outcome_checks == 0
    }

    /// Whether the request is sent for the first time, so that its answer is about nothing else.
    pub(crate) fn is_first(cx: &Context<'_>) -> bool {
        let progress = cx.direction_progress();
        progress.is_some_and(|s| s.sends == 0 && s.intents == 1 && s.outcome_checks == 0)
            && !Self::is_inherited(cx)
    }

    /// Whether an earlier worker, or a person's decision, left the request behind: then the payment is
    /// looked for first.
    pub(crate) fn is_inherited(cx: &Context<'_>) -> bool {
        let step = cx.step.map(|(name, _)| name);
        step.is_some_and(|name| cx.progress.is_inherited(name, Direction::Forward))
    }

    /// The payment in the answer to its cancellation, if that can't change any more. Any other status
    /// in it is soon out of date.
    pub(crate) fn canceled(cx: &Context<'_>) -> Option<Payment> {
        let guard = cx.direction_progress()?.guard.as_ref()?;
        let Some(Outcome::Done(value)) = guard.outcome.as_ref() else {
            return None;
        };
        engine_conversions::read(value).filter(is_final)
    }

    /// The payment of this execution, by the execution id in its metadata.
    pub(crate) async fn find(
        &self,
        cx: &Context<'_>,
        customer: Option<&str>,
    ) -> Result<Option<Payment>, Fault> {
        // Twelve minutes before our own time, because clocks differ.
        let since = cx.progress.began_at.unwrap_or(cx.now) - SignedDuration::from_mins(12);
        let all = self.payments.payments_since(customer, since).await;
        let all = all.answered()?;
        let id = cx.id.to_string();
        let mine = |metadata: &BTreeMap<String, String>| {
            metadata.get(EXECUTION) == Some(&id)
                && is_hold(metadata) == (self.kind == PaymentKind::Hold)
        };
        let stands = |payment: &Payment| match payment.status {
            PaymentStatus::Succeeded => true,
            PaymentStatus::RequiresCapture => self.kind == PaymentKind::Hold,
            _ => false,
        };
        let (taken, open): (Vec<_>, Vec<_>) = all
            .items
            .into_iter()
            .filter(|p| mine(&p.metadata))
            .partition(stands);
        // Of several payments the standing one counts; the orphan check finds the others.
        if let Some(payment) = taken.into_iter().chain(open).next() {
            return Ok(Some(payment));
        }
        let mut unreadable = all.unreadable.iter();
        match unreadable.find(|spoiled| mine(&spoiled.metadata)) {
            Some(spoiled) => Err(Fault::new(
                FaultCode::UnreadableResponse,
                format!("{}: {}", spoiled.id, spoiled.why),
            )),
            None => Ok(None),
        }
    }

    /// No payment was found, and nothing more is sent: refused once the time for a late effect has
    /// passed.
    pub(crate) fn not_found(cx: &Context<'_>) -> Outcome<Payment> {
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

    /// A payment that stands neither now nor later.
    pub(crate) fn not_taken(payment: &Payment) -> Fault {
        let fault = Fault::new(
            FaultCode::PaymentNotTaken,
            format!("the payment is {:?}", payment.status),
        );
        fault.with(json!({ "payment_intent": payment.id }))
    }

    pub(crate) fn cancel(&self, cx: &Context<'_>, payment_intent: &PaymentIntentId) -> Request {
        let what = match self.kind {
            PaymentKind::Charge => "cancel",
            PaymentKind::Hold => "cancel-hold",
        };
        let key = format!("{}:{}:{what}", self.settings.installation, cx.id);
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

    /// Sends [`Self::cancel`].
    pub(crate) async fn send_cancel(&self, request: &Request) -> Outcome {
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

/// Whether a step's request may still take effect after its execution has ended: the network may
/// deliver a request that was turned away again later, when it is accepted. A declined card stays
/// declined, because Stripe repeats the answer for that key.
pub(crate) fn may_turn_up(progress: Option<&DirectionProgress>) -> bool {
    progress.is_some_and(|s| s.ever_unknown || (s.intents > 0 && s.phase == Phase::TryLater))
}
