//! Prerequisites: everything is read and validated before anything is done.

use std::cmp::Reverse;

use dewy_domain::{
    booking_number::BookingNumber,
    error_code::ErrorCode,
    guest_identity::GuestIdentity,
    locale::Locale,
    money::{Cents, Money},
    payment::{Customer, Payment},
    ports::{Payments, StayWrite},
    stay::Stay,
    tool_answer::{FinalAnswer, ToolError},
    tool_catalog::ProcessGuestCheckout,
    vocabulary::{BookingStatus, FaultCode},
};
use dewy_saga::{
    Context, ExecutionId, Fault, PrerequisitesResult, State, StoreError,
    journal::{ExecutionFilter, ExecutionRecord},
};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    check_allowed::check_allowed,
    facts::{CHECK_OUT, Facts, Held},
};
use crate::saga_parts::{
    checkout_breaker::{self, BreakerDecision},
    engine_conversions,
    find_stay::{self, NoStay},
    hotel_dependencies::HotelDependencies,
    live_holds::live_holds,
    payment_source::{self, Payer, PaymentSource, saved_cards},
    settings::Settings,
    started_by::StartedBy,
    tool_answer::{prerequisites_unavailable, refused, resource_held},
};

/// How long a repeated check-out request returns the first result, although the guest no longer has
/// a checked-in stay.
const REMEMBERED_HOURS: i64 = 24;

/// Why another card than the one that holds the balance is refused.
const OTHER_CARD: &str =
    "The card that has the amount reserved for this stay is charged. Leave the field out.";

/// Why a new card is refused for what a hold does not cover: nobody is there to authenticate it.
const UNSAVED_CARD: &str = "What is not reserved can be charged to a saved card only. Leave the field out, or name one of those that get_folio lists.";

/// Which other check-outs must be ruled out before an answer may state that nothing was charged.
enum CheckOutScope {
    /// The guest's, as far as the request names a stay.
    Guest,
    /// Those of the booking with this number.
    Booking(BookingNumber),
    /// Nobody's: the request does not name one stay.
    Nothing,
}

pub(super) async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: ProcessGuestCheckout,
) -> PrerequisitesResult {
    let mut about = CheckOutScope::Guest;
    let read = prerequisites(parts, &cx, &input, &mut about).await;
    if !matches!(
        read,
        PrerequisitesResult::Refused { .. } | PrerequisitesResult::TryLater { .. }
    ) {
        return read;
    }
    match in_progress(parts, &cx, &input, &about).await {
        Ok(Some(other)) => PrerequisitesResult::Refused {
            answer: resource_held(other),
        },
        Ok(None) => read,
        Err(error) => PrerequisitesResult::TryLater {
            fault: Fault::new(FaultCode::StoreFailed, error.to_string()),
        },
    }
}

/// Another check-out of the same stay that may have charged the guest: its prerequisites were met,
/// and it has not ended.
async fn in_progress(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    input: &ProcessGuestCheckout,
    about: &CheckOutScope,
) -> Result<Option<ExecutionId>, StoreError> {
    let named = || Some(("booking_number", input.booking_number.as_deref()?));
    let guest = || Some(("guest_email", input.guest_email.as_deref()?));
    let own = own_executions(cx);
    let by = match about {
        CheckOutScope::Nothing => None,
        CheckOutScope::Booking(number) => Some(("booking_number", number.as_str())),
        CheckOutScope::Guest => guest().or_else(named),
    };
    let Some((name, value)) = by else {
        return Ok(None);
    };
    let filter = ExecutionFilter {
        states: vec![
            State::Running,
            State::Retrying,
            State::Waiting,
            State::Compensating,
            State::NeedsAttention,
        ],
        saga: Some(CHECK_OUT.to_owned()),
        labels: vec![(name.to_owned(), value.to_owned())],
        limit: 10,
        ..ExecutionFilter::default()
    };
    let fits = |record: &ExecutionRecord, name: &str, asked: Option<&str>| {
        let label = record.labels.iter().find(|(n, _)| n == name);
        label.is_some_and(|(_, v)| asked.is_none_or(|asked| asked == v))
    };
    let records = parts.journal.list(&filter).await?;
    let other = records
        .into_iter()
        .filter(|r| r.id != cx.id && fits(r, "booking_number", input.booking_number.as_deref()))
        .filter(|r| name != "guest_email" || own(r))
        .find(|r| fits(r, "room_number", input.room_number.as_deref()));
    Ok(other.map(|record| record.id))
}

async fn prerequisites(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    input: &ProcessGuestCheckout,
    about: &mut CheckOutScope,
) -> PrerequisitesResult {
    let by = StartedBy::of(cx);
    let query = find_stay::query(
        by.guest_meant(input.guest_email.clone()),
        input.booking_number.clone(),
        input.room_number.clone(),
    );
    let payments = parts.payments.as_ref();
    let (stays, customers) = futures::join!(
        parts.crm.stays(&query),
        payment_source::customers(payments, query.guest.as_ref().map(GuestIdentity::email))
    );
    let found = match stays.answered() {
        Ok(found) => found,
        Err(error) => return prerequisites_unavailable(error),
    };
    let stay = match find_stay::single_stay(parts.crm.as_ref(), &query, found).await {
        Ok(stay) => stay,
        Err(NoStay::Fault(error)) => return prerequisites_unavailable(error),
        Err(NoStay::Presentation(error)) => {
            if error.code == ErrorCode::BookingNotFound
                && let Some(done) = repeated_check_out(parts, cx, input).await
            {
                return done;
            }
            if error.code != ErrorCode::BookingNotFound {
                *about = CheckOutScope::Nothing;
            }
            return refused(error);
        }
    };
    *about = CheckOutScope::Booking(stay.booking.number.clone());
    let labels = find_stay::labels(&stay, query.guest.as_ref());
    if stay.booking.status == BookingStatus::CheckedOut {
        return PrerequisitesResult::Finished {
            answer: engine_conversions::value(&FinalAnswer::Done {
                data: present(&stay),
                created: false,
            }),
            labels,
        };
    }
    let open = match check_allowed(&stay, input) {
        Ok(balance) => balance,
        Err(error) => return refused(error),
    };
    // Nothing is charged that could not be recorded
    if let Some(error) = parts.crm.barred(StayWrite::CheckOut) {
        return prerequisites_unavailable(error);
    }
    // Staff may name the booking alone
    let customers = match (&query.guest, &stay.guest_email) {
        (None, Some(_)) => payment_source::customers(payments, stay.guest_email.as_ref()).await,
        _ => customers,
    };
    let customers = match customers.answered() {
        Ok(customers) => customers,
        Err(error) => return prerequisites_unavailable(error),
    };
    let held = match holds(payments, &parts.settings, &customers, &stay, cx.now).await {
        Ok(held) => held,
        Err(error) => return prerequisites_unavailable(error),
    };
    let customers = Payer::of(by.guest().as_ref(), &stay).own(customers);
    let left_open = Some(open).filter(|open| open.needs_front_desk());
    let balance = left_open.map_or(open, |_| Cents(0));
    let named = input.payment_method_id.clone();
    if let Some(first) = held.first() {
        let card = first.hold.as_ref().and_then(|hold| hold.card.clone());
        let other = named.filter(|named| card.as_ref() != Some(named) && balance > Cents(0));
        let claim = format!("booking:{}", stay.booking.id);
        let mut facts = Facts {
            stay,
            balance,
            left_open,
            currency: parts.settings.currency,
            customer: first.customer.clone(),
            payment_method: card,
            save_card: false,
            holds: held.iter().filter_map(Held::of).collect(),
            rest_source: None,
        };
        if let Some(other) = other {
            if facts.rest() == Cents(0) {
                return refused(ToolError::problem("payment_method_id", OTHER_CARD));
            }
            let saved = match saved_cards(payments, &customers).await {
                Ok(saved) => saved,
                Err(error) => return prerequisites_unavailable(error),
            };
            let owned = saved.into_iter().find(|(_, card)| card.id == other);
            let Some((owner, card)) = owned else {
                return refused(ToolError::problem("payment_method_id", UNSAVED_CARD));
            };
            facts.rest_source = Some((owner, card.id));
        }
        return PrerequisitesResult::Ready {
            facts: engine_conversions::value(&facts),
            claims: vec![claim],
            labels,
        };
    }
    let source = if balance > Cents(0) {
        PaymentSource::decide(parts.payments.as_ref(), &customers, named).await
    } else {
        Ok(PaymentSource::default())
    };
    let PaymentSource {
        customer,
        card: payment_method,
    } = match source {
        Ok(source) => source,
        Err(error) => return prerequisites_unavailable(error),
    };
    if balance > Cents(0) && payment_method.is_none() {
        let url = format!(
            "{}/guest/check-out?booking={}",
            parts.settings.public_url, stay.booking.number
        );
        let note =
            "No card is saved. Open the page to choose a card; nothing was charged.".to_owned();
        return PrerequisitesResult::Refused {
            answer: engine_conversions::value(&FinalAnswer::ActionNeeded {
                next_action_url: url,
                note,
            }),
        };
    }
    let mut claims = vec![format!("booking:{}", stay.booking.id)];
    if balance > Cents(0) {
        match checkout_breaker::decide(CHECK_OUT, &parts.journal, &parts.key_value_store, cx.now)
            .await
        {
            Ok(BreakerDecision::Go) => {}
            Ok(BreakerDecision::Probe(claim)) => claims.push(claim),
            Ok(BreakerDecision::Paused(error)) => return refused(*error),
            Err(error) => {
                return PrerequisitesResult::TryLater {
                    fault: Fault::new(FaultCode::StoreFailed, error.to_string()),
                };
            }
        }
    }
    let facts = Facts {
        stay,
        balance,
        left_open,
        currency: parts.settings.currency,
        customer,
        payment_method,
        save_card: input.save_card == Some(true),
        holds: Vec::new(),
        rest_source: None,
    };
    PrerequisitesResult::Ready {
        facts: engine_conversions::value(&facts),
        claims,
        labels,
    }
}

/// Live holds of the stay, the largest first; none are looked for where none are placed. The payer's
/// own customers need not be told apart: a hold names its booking.
///
/// # Errors
/// The payments could not be read.
pub(crate) async fn holds(
    payments: &dyn Payments,
    settings: &Settings,
    customers: &[Customer],
    stay: &Stay,
    now: Timestamp,
) -> Result<Vec<Payment>, Fault> {
    if settings.hold_per_night.is_none() {
        return Ok(Vec::new());
    }
    let mut live = live_holds(payments, customers, &stay.booking.id, now).await?;
    let capturable = |payment: &Payment| payment.hold.as_ref().map(|hold| hold.capturable);
    live.sort_by_key(|payment| Reverse(capturable(payment)));
    Ok(live)
}

/// Which executions with the caller's email are theirs: all, unless others have the same email.
fn own_executions(cx: &Context<'_>) -> impl Fn(&ExecutionRecord) -> bool {
    let by = StartedBy::of(cx);
    let shared = by.guest().filter(GuestIdentity::shares_email);
    let key = shared.map(|_| by.key.to_owned());
    move |record| key.as_ref().is_none_or(|key| record.caller == *key)
}

/// The guest's own finished check-out of the last day.
async fn repeated_check_out(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    input: &ProcessGuestCheckout,
) -> Option<PrerequisitesResult> {
    if input.booking_number.is_some() {
        return None;
    }
    let email = input.guest_email.as_ref()?;
    let filter = ExecutionFilter {
        states: vec![State::Completed],
        saga: Some(CHECK_OUT.to_owned()),
        labels: vec![("guest_email".to_owned(), email.to_string())],
        from: Some(cx.now - jiff::SignedDuration::from_hours(REMEMBERED_HOURS)),
        limit: 5,
        ..ExecutionFilter::default()
    };
    let records = parts.journal.list(&filter).await.ok()?;
    let fits = |labels: &[(String, String)]| {
        input
            .room_number
            .as_deref()
            .is_none_or(|r| labels.iter().any(|(n, v)| n == "room_number" && v == r))
    };
    let own = own_executions(cx);
    let record = records
        .into_iter()
        .find(|r| r.id != cx.id && fits(&r.labels) && own(r))?;
    Some(PrerequisitesResult::Finished {
        answer: record.answer?,
        labels: record.labels,
    })
}

/// A stay that is already checked out.
fn present(stay: &Stay) -> Value {
    json!({
        "booking_number": stay.booking.number,
        "room_number": stay.room.number,
        "booking_status": stay.booking.status,
        "room_status": stay.room.status,
        "opportunity_stage": stay.opportunity.stage,
        "note": "This stay was checked out before; nothing was charged now.",
    })
}

/// The amount as display text.
pub(super) fn balance_text(facts: &Facts) -> String {
    Locale::default().money(Money {
        cents: facts.balance,
        currency: facts.currency,
    })
}
