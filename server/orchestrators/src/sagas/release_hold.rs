//! Releases a hold that no stay needs: the orphan check found it, and the stay it was placed for is
//! not checked in, or its check-in did not complete.
//!
//! ```text
//! read     the payment ∥ its stay (one SOQL) ∥ the execution that placed it ── rules ──► facts
//! release  + cancel the payment, until Stripe answers     (no compensation: a released hold is final)
//! ```

use async_trait::async_trait;
use dewy_domain::{
    booking_number::BookingNumber,
    error_code::ErrorCode,
    money::{Cents, Currency},
    payment::PaymentStatus,
    payment_intent_id::PaymentIntentId,
    sentence::Sentence,
    stay::Stay,
    tool_answer::ToolError,
    vocabulary::BookingStatus,
};
use dewy_saga::{
    Context, Plan, Prerequisites, PrerequisitesResult, Progress, Saga, State, StepId,
    journal::ExecutionRecord,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::saga_parts::{
    hotel_dependencies::HotelDependencies,
    live_holds::{BOOKING, RENEW_HOLD},
    not_ready::{NotReady, label, ready},
    payment_owner::{Installations, adopted},
    presentation::{Presentation, Presented},
    reconciled_write::missing_fact,
    release_hold::{ReleaseHold, ReleasedHold},
    tool_answer,
};

/// Name of the saga that releases a hold.
pub const RELEASE_HOLD: &str = "release_hold";

const RELEASE: StepId<ReleasedHold> = StepId::new("release");

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    Saga::new(RELEASE_HOLD, 1, "Release a hold")
        .prepare(Rules(parts.clone()))
        .retriable(
            RELEASE,
            "Release the reserved amount",
            ReleaseHold::new(parts, held),
        )
        .no_undo("a released hold is final")
        .until_known()
        .attention(|cx| cx.output(RELEASE)?.attention())
        .answer(tool_answer::of_result_or("released", |cx| {
            Some((cx.output(RELEASE)?, false))
        }))
}

#[derive(Debug, Serialize, Deserialize)]
struct Facts {
    payment_intent_id: PaymentIntentId,
    booking_number: Option<BookingNumber>,
    amount: Cents,
    currency: Currency,
}

fn held(cx: &Context<'_>) -> Result<PaymentIntentId, Plan> {
    let facts: Option<Facts> = cx.facts();
    let id = facts.map(|facts| facts.payment_intent_id);
    id.ok_or_else(|| Plan::Refuse(missing_fact("the hold")))
}

/// Whether a stay still needs the hold that this execution placed for this booking. An execution that
/// the journal lacks may have completed, and one that needs a person has one.
pub(crate) fn is_needed(
    placed_by: Option<&ExecutionRecord>,
    hold: &PaymentIntentId,
    booking_id: &str,
    stay: Option<&Stay>,
) -> bool {
    if let Some(record) = placed_by {
        if !record.state.has_ended() || record.state == State::NeedsAttention {
            return true;
        }
        // A renewal may have ended without it
        let names_it = record.label("payment_intent_id") == Some(hold.as_str());
        if matches!(record.state, State::Refused | State::Compensated)
            || (record.saga == RENEW_HOLD && !names_it)
        {
            return false;
        }
    }
    let Some(stay) = stay.filter(|stay| stay.booking.id == booking_id) else {
        return false;
    };
    // A status that an org has added proves nothing
    !matches!(
        stay.booking.status,
        BookingStatus::Reserved
            | BookingStatus::CheckedOut
            | BookingStatus::Cancelled
            | BookingStatus::NoShow
    )
}

struct Rules(HotelDependencies);

#[async_trait]
impl Prerequisites for Rules {
    async fn read(&self, cx: Context<'_>) -> PrerequisitesResult {
        let read = read(&self.0, &cx).await;
        read.unwrap_or_else(|NotReady(why)| why)
    }
}

async fn read(
    parts: &HotelDependencies,
    cx: &Context<'_>,
) -> Result<PrerequisitesResult, NotReady> {
    let id = cx.input["payment_intent_id"].as_str().unwrap_or_default();
    let refused = |cause: &str| {
        let details = json!({ "payment_intent_id": id, "cause": cause });
        NotReady::from(ToolError::with(ErrorCode::InvalidTransition, details))
    };
    let named = id.parse().map_err(|_| refused("no_payment"))?;
    let payment = parts.payments.payment(&named).await.answered()?;
    let payment = payment.ok_or_else(|| refused("no_payment"))?;
    let installations = Installations {
        own: parts.settings.installation,
        adopted: adopted(parts.key_value_store.as_ref()).await?,
    };
    let owner = installations.owner(&payment.metadata);
    let (Some(placed_by), Some(booking_id)) = (owner.execution(), payment.metadata.get(BOOKING))
    else {
        return Err(refused("foreign_payment"));
    };
    if payment.status != PaymentStatus::RequiresCapture {
        return Err(refused("no_hold"));
    }
    let number = payment.metadata.get("booking_number");
    let number = number.map(|number| BookingNumber::from(number.as_str()));
    let stay = match &number {
        Some(number) => {
            let numbers = std::slice::from_ref(number);
            let stays = parts.crm.stays_by_number(numbers).await.answered()?;
            stays.into_iter().next()
        }
        None => None,
    };
    let head = parts.journal.heads(&[placed_by]).await?.pop();
    if is_needed(head.as_ref(), &payment.id, booking_id, stay.as_ref()) {
        return Err(refused("needed"));
    }
    let mut labels = vec![label("payment_intent_id", &payment.id)];
    labels.extend(number.iter().map(|number| label("booking_number", number)));
    labels.extend(stay.map(|stay| label("room_number", stay.room.number)));
    let claims = vec![format!("booking:{booking_id}")];
    let facts = Facts {
        amount: payment.amount,
        currency: payment.currency,
        payment_intent_id: payment.id,
        booking_number: number,
    };
    ready(&facts, claims, labels)
}

pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        let Some(facts) = of.progress.facts::<Facts>() else {
            return "Reading a hold on a guest’s card.".into();
        };
        let sum = of.settings.money(facts.amount, facts.currency);
        let stay = facts.booking_number;
        let stay = stay.map_or_else(String::new, |number| format!(" for {number}"));
        match of.record.state {
            State::Completed => format!("The {sum} that a card reserved{stay} was released."),
            State::NeedsAttention => {
                format!("The {sum} that a card reserved{stay} could not be released.")
            }
            _ => format!("Releasing the {sum} that a card reserves{stay}."),
        }
        .into()
    }

    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        let facts = progress.facts::<Facts>();
        facts.map_or_else(Vec::new, |facts| {
            vec![label("Stripe payment", facts.payment_intent_id)]
        })
    }
}

/// Input of an execution that releases this hold.
pub(crate) fn input(payment: &PaymentIntentId, by: Value) -> Value {
    json!({ "payment_intent_id": payment, "_by": by })
}
