//! What a check-in reserves on the guest's card, and why it reserves nothing.

use async_trait::async_trait;
use dewy_domain::{
    card_id::CardId,
    hotel_calendar::HotelDay,
    money::{Cents, Currency},
    nights::Nights,
    payment::{Payment, PaymentOrder},
    payment_intent_id::PaymentIntentId,
    stay::Stay,
    tool_answer::{Problem, ToolError},
    tool_catalog::CheckInGuest,
    vocabulary::BookingStatus,
};
use dewy_saga::{Activity, Context, Fault, Outcome, OutcomeCheck, Plan, Progress, Request, StepId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::saga_parts::{
    create_customer::{self, there_already},
    hotel_dependencies::HotelDependencies,
    live_holds::hold_metadata,
    not_ready::NotReady,
    payment_attempt::PaymentKind,
    payment_source::{Payer, PaymentSource, customers, saved_cards},
    place_hold::{HoldTerms, PlaceHold},
    reconciled_write::missing_fact,
    release_hold::ReleasedHold,
    settings::Settings,
    started_by::StartedBy,
    take_payment::{TakePayment, return_url},
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
    /// On a saved card, whether the guest is there or not.
    Place(HoldTerms),
    PlaceWithGuest(HoldWithGuest),
    Without(NoHold),
}

/// Hold on a card that the guest has just chosen or entered: the bank may ask them, and a new card is
/// kept, because extras are charged to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HoldWithGuest {
    pub amount: Cents,
    pub currency: Currency,
    /// Customer id of the guest, if any.
    pub customer: Option<String>,
    pub card: CardId,
    /// Whether the card is new.
    pub save_card: bool,
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

fn decided(cx: &Context<'_>) -> Result<(Stay, HoldDecision), Plan> {
    let facts: Option<CheckInFacts> = cx.facts();
    let facts = facts.ok_or_else(|| Plan::Refuse(missing_fact("the facts")))?;
    match facts.hold {
        HoldDecision::Without(why) => {
            let note = why.note().unwrap_or("nothing to reserve");
            Err(Plan::Skip(json!({ "note": note })))
        }
        placed => Ok((facts.stay, placed)),
    }
}

/// The hold to place on a saved card, from the journal.
pub(super) fn wanted(cx: &Context<'_>) -> Result<(Stay, HoldTerms), Plan> {
    match decided(cx)? {
        (stay, HoldDecision::Place(terms)) => Ok((stay, terms)),
        _ => Err(Plan::Refuse(missing_fact("the saved card"))),
    }
}

/// The stay whose guest needs a customer, from the journal.
pub(super) fn needs_customer(cx: &Context<'_>) -> Result<Stay, Plan> {
    let (stay, decision) = decided(cx)?;
    let known = match decision {
        HoldDecision::PlaceWithGuest(hold) => hold.customer,
        HoldDecision::Place(terms) => Some(terms.customer),
        HoldDecision::Without(_) => None,
    };
    known.map_or(Ok(stay), |customer| Err(there_already(&customer)))
}

/// The customer whose payments are searched for the hold.
pub(super) fn customer(progress: &Progress) -> Option<String> {
    let facts: CheckInFacts = progress.facts()?;
    match facts.hold {
        HoldDecision::Place(terms) => Some(terms.customer),
        _ => create_customer::customer(progress),
    }
}

/// The hold to place with the guest, from the journal.
fn ordered(settings: &Settings, cx: &Context<'_>) -> Result<PaymentOrder, Plan> {
    let (stay, HoldDecision::PlaceWithGuest(hold)) = decided(cx)? else {
        return Err(Plan::Refuse(missing_fact("the card")));
    };
    Ok(PaymentOrder {
        amount: hold.amount,
        currency: hold.currency,
        customer: create_customer::customer(cx.progress),
        payment_method: hold.card,
        save_card: hold.save_card,
        return_url: return_url(settings, cx),
        // Nothing is paid yet, so that Stripe has no receipt to send
        texts: (settings.payment_texts).texts(&settings.hotel.name, &stay, None),
        metadata: hold_metadata(settings, cx.id, &stay),
        key: format!("{}:{}:hold", settings.installation, cx.id),
    })
}

/// The step that places either hold.
pub(super) struct PlaceEither {
    on_saved_card: PlaceHold,
    with_guest: TakePayment,
}

impl PlaceEither {
    pub(super) fn new(parts: &HotelDependencies) -> Self {
        Self {
            on_saved_card: PlaceHold::new(parts, wanted),
            with_guest: TakePayment::new(parts, PaymentKind::Hold, ordered, customer),
        }
    }

    fn of(&self, cx: &Context<'_>) -> &dyn Activity<Output = Payment> {
        match decided(cx) {
            Ok((_, HoldDecision::PlaceWithGuest(_))) => &self.with_guest,
            _ => &self.on_saved_card,
        }
    }
}

#[async_trait]
impl Activity for PlaceEither {
    type Output = Payment;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        self.of(&cx).build(cx)
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome<Payment> {
        self.of(&cx).send(cx, request).await
    }

    async fn determine_outcome(&self, cx: Context<'_>, request: &Request) -> OutcomeCheck<Payment> {
        self.of(&cx).determine_outcome(cx, request).await
    }

    fn is_replayed_refusal(&self, fault: &Fault) -> bool {
        self.on_saved_card.is_replayed_refusal(fault)
    }

    async fn send_guard(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.of(&cx).send_guard(cx, request).await
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
    let customers = customers(payments, email.as_ref()).await.answered()?;
    let customers = Payer::of(by.guest().as_ref(), stay).own(customers);
    let currency = parts.settings.currency;
    let named = input.payment_method_id.clone();
    if let (Some(card), Some(true)) = (&named, input.save_card) {
        let saved = saved_cards(payments, &customers).await?;
        let mut saved = saved.into_iter();
        let owner = saved.find(|(_, one)| one.id == *card);
        let save_card = owner.is_none();
        let owner = owner.map(|(owner, _)| owner);
        return Ok(HoldDecision::PlaceWithGuest(HoldWithGuest {
            amount,
            currency,
            customer: owner.or_else(|| customers.first().map(|oldest| oldest.id.clone())),
            card: card.clone(),
            save_card,
        }));
    }
    let source = PaymentSource::decide(payments, &customers, named.clone()).await?;
    Ok(match (source.customer, source.card) {
        (Some(customer), Some(card)) => HoldDecision::Place(HoldTerms {
            amount,
            currency,
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
