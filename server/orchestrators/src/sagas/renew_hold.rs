//! Replaces a hold that expires before its guest leaves: reserves the amount anew, then releases the old
//! hold. Started by the orphan check, which watches holds, once for each hold.
//!
//! ```text
//! read     the payment ∥ its stay (one SOQL) ∥ the execution that placed it ── rules ──► facts
//! hold     + one create-and-confirm call on the same card      − cancel it
//! release  + cancel the old hold, until Stripe answers         (no compensation: the new one stands)
//! open     a case for the front desk, if the amount could not be reserved again
//! ```
//! A card that refuses, and a hold that is gone already, are outcomes: the check-out then charges the
//! saved card.

mod late_hold;
mod presentation;
mod replace_hold;
mod rules;

use std::time::Duration;

use dewy_domain::{
    case::OpenCaseRequest,
    locale::Locale,
    money::{Cents, Currency, Money},
    payment::Payment,
    payment_intent_id::PaymentIntentId,
    stay::Stay,
    vocabulary::{CaseOrigin, CasePriority, CaseType},
};
use dewy_saga::{Context, Fault, Plan, Saga, StepId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::saga_parts::{
    hotel_dependencies::HotelDependencies,
    not_ready::label,
    open_case,
    place_hold::HoldTerms,
    reconciled_write::missing_fact,
    release_hold::{ReleaseHold, ReleasedHold},
    tool_answer,
};

pub use crate::saga_parts::live_holds::RENEW_HOLD;
pub(crate) use presentation::Labels;
pub(crate) use rules::is_due;

use late_hold::LateHold;
use replace_hold::ReplaceHold;

/// Delays of the rechecks for a hold whose request had been given up for lost.
const RECHECKS: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(600)];

const HOLD: StepId<NewHold, ReleasedHold> = StepId::new("hold");
const RELEASE: StepId<ReleasedHold> = StepId::new("release");

/// What became of reserving the amount anew, as journaled.
#[derive(Debug, Serialize, Deserialize)]
struct NewHold {
    /// Payment that holds it, if the card accepted it.
    payment: Option<Payment>,
    /// Why the card did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<Fault>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Facts {
    stay: Stay,
    /// Hold that is about to expire.
    old: PaymentIntentId,
    /// What it reserved.
    reserved: Cents,
    currency: Currency,
    /// What to hold instead; `None` if the old hold is gone: its bank, or somebody at Stripe, has ended
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    terms: Option<HoldTerms>,
}

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let saga = Saga::new(RENEW_HOLD, 1, "Renew a hold")
        .prepare(rules::Rules(parts.clone()))
        .step(
            HOLD,
            "Reserve the amount again",
            ReplaceHold::new(parts, wanted),
        )
        .undo(
            HOLD,
            "Release the new hold",
            ReleaseHold::new(parts, placed),
        )
        .money()
        .until_known()
        .retriable(
            RELEASE,
            "Release the old hold",
            ReleaseHold::new(parts, replaced),
        )
        .no_undo("the new hold stands in its place")
        .until_known()
        .contingent();
    open_case::step(saga, parts, not_renewed_case)
        .contingent()
        .recheck_after(RECHECKS, LateHold::new(parts))
        .attention(|cx| cx.output(RELEASE)?.attention())
        .labels(|cx| placed(&cx).ok().map(|id| label("payment_intent_id", id)))
        .answer(tool_answer::of_result_or("renewed", |cx| {
            let hold = placed(&cx).ok();
            Some((json!({ "payment_intent_id": hold }), hold.is_some()))
        }))
}

/// The hold to place, from the journal.
fn wanted(cx: &Context<'_>) -> Result<(Stay, HoldTerms), Plan> {
    let facts: Option<Facts> = cx.facts();
    let facts = facts.ok_or_else(|| Plan::Refuse(missing_fact("the facts")))?;
    let gone = || Plan::Skip(json!({ "note": "the old hold is gone" }));
    let terms = facts.terms.ok_or_else(gone)?;
    Ok((facts.stay, terms))
}

/// The new hold.
fn placed(cx: &Context<'_>) -> Result<PaymentIntentId, Plan> {
    let new = cx.output(HOLD).and_then(|new| new.payment);
    let none = || Plan::Skip(json!({ "note": "nothing was reserved" }));
    new.map(|payment| payment.id).ok_or_else(none)
}

/// The old hold, once another stands in its place.
fn replaced(cx: &Context<'_>) -> Result<PaymentIntentId, Plan> {
    placed(cx)?;
    let facts: Option<Facts> = cx.facts();
    let old = facts.map(|facts| facts.old);
    old.ok_or_else(|| Plan::Refuse(missing_fact("the old hold")))
}

/// Case about an amount that is not reserved any more, or not for long.
fn not_renewed_case(cx: &Context<'_>) -> Option<OpenCaseRequest> {
    if placed(cx).is_ok() {
        return None;
    }
    let facts: Facts = cx.facts()?;
    let sum = Locale::default().money(Money {
        cents: facts.terms.map_or(facts.reserved, |terms| terms.amount),
        currency: facts.currency,
    });
    let (booking, room) = (&facts.stay.booking, &facts.stay.room);
    let why = match cx.output(HOLD).and_then(|new| new.fault) {
        Some(fault) => format!(
            "The amount reserved on the card of the guest in room {} is about to expire, and the card was refused for {sum} ({}: {})",
            room.number, fault.code, fault.message
        ),
        None => format!(
            "The {sum} reserved on the card of the guest in room {} was released by the bank, or by somebody at Stripe",
            room.number
        ),
    };
    Some(OpenCaseRequest {
        execution_id: cx.id.to_string(),
        subject: format!("No amount is reserved for the stay {}", booking.number),
        description: format!(
            "{why}. Nothing was charged, and the check-out of booking {} charges the saved card. Please ask the guest whether it \
             still works, or for another one.",
            booking.number
        ),
        kind: CaseType::Concierge,
        priority: CasePriority::High,
        origin: CaseOrigin::Internal,
        contact_id: Some(booking.guest_id.clone()),
        booking_id: Some(booking.id.clone()),
        room_id: Some(room.id.clone()),
    })
}

/// Input of an execution that renews this hold.
pub(crate) fn input(payment: &PaymentIntentId, by: Value) -> Value {
    json!({ "payment_intent_id": payment, "_by": by })
}
