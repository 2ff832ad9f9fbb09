//! What a check-in reserves on the guest's card, and why it reserves nothing.

use dewy_domain::{
    hotel_calendar::HotelDay,
    money::Cents,
    nights::Nights,
    payment::Payment,
    payment_intent_id::PaymentIntentId,
    stay::Stay,
    tool_answer::{Problem, ToolError},
    tool_catalog::CheckInGuest,
    vocabulary::BookingStatus,
};
use dewy_saga::{Context, Plan, StepId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    saga_parts::{
        hotel_dependencies::HotelDependencies,
        not_ready::NotReady,
        payment_source::{Payer, PaymentSource},
        place_hold::HoldTerms,
        reconciled_write::missing_fact,
        release_hold::ReleasedHold,
        settings::Settings,
        started_by::StartedBy,
    },
    sagas::check_out,
};

pub(crate) const HOLD: StepId<Payment, ReleasedHold> = StepId::new("hold");

/// Facts of a check-in that may place a hold, as journaled. Read as a [`Stay`], they are those of a
/// check-in that places none.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CheckInFacts {
    /// Stay as read.
    #[serde(flatten)]
    pub stay: Stay,
    pub hold: HoldDecision,
}

/// What is held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HoldDecision {
    Place(HoldTerms),
    Without(NoHold),
}

/// Why nothing is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NoHold {
    /// The guest has no saved card, or several and no default.
    NoCard,
    /// Staff check in without one.
    Waived,
    /// Several bookings share the bill.
    SharedBill,
    /// The bill lacks an amount.
    IncompleteBill,
    /// The guest owes nothing, or less than a card can be charged.
    NothingOwed,
}

impl NoHold {
    /// The reason, where the caller should know it.
    pub(super) const fn note(self) -> Option<&'static str> {
        match self {
            Self::NoCard => Some("No card is saved, so no amount was reserved."),
            Self::SharedBill => Some("Several bookings share the bill, so no amount was reserved."),
            Self::IncompleteBill => Some("The bill lacks an amount, so no amount was reserved."),
            Self::Waived | Self::NothingOwed => None,
        }
    }
}

/// The hold to place, from the journal.
pub(super) fn wanted(cx: &Context<'_>) -> Result<(Stay, HoldTerms), Plan> {
    let facts: Option<CheckInFacts> = cx.facts();
    let facts = facts.ok_or_else(|| Plan::Refuse(missing_fact("the facts")))?;
    match facts.hold {
        HoldDecision::Place(terms) => Ok((facts.stay, terms)),
        HoldDecision::Without(why) => {
            let note = why.note().unwrap_or("nothing to reserve");
            Err(Plan::Skip(json!({ "note": note })))
        }
    }
}

/// The hold to release, from the journal.
pub(super) fn placed(cx: &Context<'_>) -> Result<PaymentIntentId, Plan> {
    let hold = cx.output(HOLD).map(|payment| payment.id);
    hold.ok_or_else(|| Plan::Refuse(missing_fact("the hold")))
}

/// Amount to hold: the balance so far, and something for each night that is left.
fn amount(stay: &Stay, per_night: Cents, today: HotelDay) -> Result<Cents, NoHold> {
    if !stay.shares_folio_with.is_empty() {
        return Err(NoHold::SharedBill);
    }
    let balance = stay.balance().ok_or(NoHold::IncompleteBill)?;
    let left = Nights {
        from: stay.booking.check_in.max(today.hotel),
        to: stay.booking.check_out,
    };
    let more = Cents(per_night.0.saturating_mul(left.count()));
    let amount = balance + more;
    if amount <= Cents(0) || amount.needs_front_desk() {
        return Err(NoHold::NothingOwed);
    }
    Ok(amount)
}

/// What a card has to hold for this stay from now on, if anything.
pub(crate) fn amount_to_hold(settings: &Settings, stay: &Stay, now: Timestamp) -> Option<Cents> {
    let today = settings.calendar().day(now);
    amount(stay, settings.hold_per_night?, today).ok()
}

/// What a check-in of this reservation would hold now, if the guest has a usable card.
pub(crate) fn planned_hold(settings: &Settings, stay: &Stay, now: Timestamp) -> Option<Cents> {
    let reserved = stay.booking.status == BookingStatus::Reserved;
    amount_to_hold(settings, stay, now).filter(|_| reserved)
}

/// Decides what to hold for this stay.
///
/// # Errors
/// The guest's customers or cards could not be read, or the named card can't be held.
pub(super) async fn decide(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    input: &CheckInGuest,
    stay: &Stay,
) -> Result<HoldDecision, NotReady> {
    let Some(per_night) = parts.settings.hold_per_night else {
        return Ok(HoldDecision::Without(NoHold::Waived));
    };
    if input.without_hold == Some(true) {
        return Ok(HoldDecision::Without(NoHold::Waived));
    }
    let today = parts.settings.calendar().day(cx.now);
    let amount = match amount(stay, per_night, today) {
        Ok(amount) => amount,
        Err(why) => return Ok(HoldDecision::Without(why)),
    };
    let by = StartedBy::of(cx);
    let guest = by.guest_meant(input.guest_email.clone());
    let email = guest.as_ref().map(|guest| guest.email().clone());
    let email = email.or_else(|| stay.guest_email.clone());
    let payments = parts.payments.as_ref();
    let customers = check_out::customers(payments, email.as_ref()).await;
    let customers = Payer::of(by.guest().as_ref(), stay).own(customers.answered()?);
    let named = input.payment_method_id.clone();
    let source = PaymentSource::decide(payments, &customers, named.clone()).await?;
    Ok(match (source.customer, source.card) {
        (Some(customer), Some(card)) => HoldDecision::Place(HoldTerms {
            amount,
            currency: parts.settings.currency,
            customer,
            card,
        }),
        (None, Some(_)) => {
            let problem =
                Problem::new("payment_method_id", "is not one of the guest's saved cards");
            return Err(ToolError::problems(&[problem]).into());
        }
        (_, None) => HoldDecision::Without(NoHold::NoCard),
    })
}
