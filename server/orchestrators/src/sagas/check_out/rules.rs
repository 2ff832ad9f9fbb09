//! Prerequisites: everything is read and validated before anything is done.

use dewy_domain::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    error_code::ErrorCode,
    guest_identity::GuestIdentity,
    locale::Locale,
    money::{Cents, Money},
    payment::Customer,
    ports::{Payments, StayWrite},
    stay::Stay,
    tool_answer::{FinalAnswer, Problem, ToolError},
    tool_catalog::ProcessGuestCheckout,
    upstream_request::Reply,
    vocabulary::{BookingStatus, FaultCode},
};
use dewy_saga::{
    Context, ExecutionId, Fault, PrerequisitesResult, State, StoreError,
    journal::{ExecutionFilter, ExecutionRecord},
};
use serde_json::{Value, json};

use super::facts::{CHECK_OUT, Facts};
use crate::saga_parts::{
    checkout_breaker::{self, BreakerDecision},
    engine_conversions,
    find_stay::{self, NoStay},
    hotel_dependencies::HotelDependencies,
    payment_source::{Payer, PaymentSource},
    started_by::StartedBy,
    tool_answer::{prerequisites_unavailable, refused, resource_held},
};

/// How long a repeated check-out request returns the first result, although the guest no longer has
/// a checked-in stay.
const REMEMBERED_HOURS: i64 = 24;

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
        customers(payments, query.guest.as_ref().map(GuestIdentity::email))
    );
    let found = match stays.answered() {
        Ok(found) => found,
        Err(error) => return prerequisites_unavailable(error),
    };
    let stay = match find_stay::single_stay(parts.crm.as_ref(), &query, found).await {
        Ok(stay) => stay,
        Err(NoStay::UpstreamError(error)) => return prerequisites_unavailable(error),
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
    if let Err(error) = check_allowed(&stay, input) {
        return refused(error);
    }
    // Nothing is charged that could not be recorded
    if let Some(error) = parts.crm.barred(StayWrite::CheckOut) {
        return prerequisites_unavailable(error);
    }
    // Staff may name the booking alone
    let customers = match (&query.guest, &stay.guest_email) {
        (None, Some(_)) => self::customers(payments, stay.guest_email.as_ref()).await,
        _ => customers,
    };
    let customers = match customers.answered() {
        Ok(customers) => Payer::of(by.guest().as_ref(), &stay).own(customers),
        Err(error) => return prerequisites_unavailable(error),
    };
    let open = stay.balance();
    let left_open = Some(open).filter(|open| open.needs_front_desk());
    let balance = left_open.map_or(open, |_| Cents(0));
    let named = input.payment_method_id.clone();
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
    };
    PrerequisitesResult::Ready {
        facts: engine_conversions::value(&facts),
        claims,
        labels,
    }
}

/// Which executions with the caller's email are theirs: all, unless others have the same email.
fn own_executions(cx: &Context<'_>) -> impl Fn(&ExecutionRecord) -> bool {
    let by = StartedBy::of(cx);
    let shared = by.guest().filter(GuestIdentity::shares_email);
    let key = shared.map(|_| by.key.to_owned());
    move |record| key.as_ref().is_none_or(|key| record.caller == *key)
}

/// Customers of everybody with this email. Without an email there are none to find: an empty filter would find
/// everybody's.
pub(crate) async fn customers(
    payments: &dyn Payments,
    email: Option<&EmailAddress>,
) -> Reply<Vec<Customer>> {
    match email.filter(|email| !email.is_empty()) {
        Some(email) => payments.customers(email).await,
        None => Reply::Done(Vec::new()),
    }
}

/// Whether this stay may be checked out as the input says.
///
/// # Errors
/// The caller's error; nothing was done.
pub(crate) fn check_allowed(stay: &Stay, input: &ProcessGuestCheckout) -> Result<(), ToolError> {
    if stay.booking.status != BookingStatus::CheckedIn {
        let details =
            json!({ "booking_number": stay.booking.number, "booking_status": stay.booking.status });
        return Err(ToolError::with(ErrorCode::InvalidTransition, details));
    }
    if !stay.shares_folio_with.is_empty() {
        let details =
            json!({ "booking_number": stay.booking.number, "shared_with": stay.shares_folio_with });
        return Err(ToolError::with(ErrorCode::SharedFolio, details));
    }
    let (balance, agreed) = (stay.balance(), input.amount);
    let leave_open = input.leave_open == Some(true);
    // Whatever was agreed to, no card settles it
    if balance.needs_front_desk() && !leave_open {
        return Err(ToolError::with(
            ErrorCode::BalanceNeedsDesk,
            json!({ "balance": balance }),
        ));
    }
    if agreed != balance {
        return Err(ToolError::with(
            ErrorCode::AmountMismatch,
            json!({ "amount": agreed, "balance": balance }),
        ));
    }
    if leave_open && balance != Cents(0) && !balance.needs_front_desk() {
        return Err(ToolError::problems(&[Problem {
            field: "leave_open".to_owned(),
            message: "is only for a balance that no card can settle; this one can be charged"
                .to_owned(),
        }]));
    }
    Ok(())
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
    }
    .to_string()
}

#[cfg(test)]
mod tests {
    use dewy_domain::{
        stay::{Booking, Opportunity, Room, Stamp},
        vocabulary::{OpportunityStage, RoomStatus},
    };

    use super::*;

    fn stay(cents: i64) -> Stay {
        let stamp = Stamp {
            at: jiff::Timestamp::UNIX_EPOCH,
            by: "005".into(),
        };
        Stay {
            booking: Booking {
                id: "a01".into(),
                number: "BK-0042".into(),
                status: BookingStatus::CheckedIn,
                check_in: jiff::civil::date(2026, 3, 8),
                check_out: jiff::civil::date(2026, 3, 10),
                guest_id: "003".into(),
                external_id: Some(String::new()),
                stamp: stamp.clone(),
            },
            room: Room {
                id: "a02".into(),
                number: "302".into(),
                status: RoomStatus::Occupied,
                current_guest: Some("003".into()),
                stamp: stamp.clone(),
            },
            opportunity: Opportunity {
                id: "006".into(),
                stage: OpportunityStage::CheckedIn,
                amount: Cents(cents),
                close_date: jiff::civil::date(2026, 3, 10),
                payment_id: None,
                stamp,
            },
            lines: vec![],
            guest_email: None,
            shares_folio_with: vec![],
        }
    }

    fn input(cents: i64, leave_open: bool) -> ProcessGuestCheckout {
        let input =
            json!({ "guest_email": "beth@example.com", "amount": cents, "leave_open": leave_open });
        serde_json::from_value(input).unwrap()
    }

    #[test]
    fn only_the_exact_balance_may_be_charged() {
        assert!(check_allowed(&stay(25000), &input(25000, false)).is_ok());
        let error = check_allowed(&stay(25000), &input(24999, false)).unwrap_err();
        assert_eq!(error.code, ErrorCode::AmountMismatch);
    }

    #[test]
    fn uncollectible_balances_are_for_the_front_desk_which_may_leave_them_open() {
        assert!(check_allowed(&stay(0), &input(0, false)).is_ok());
        assert!(check_allowed(&stay(0), &input(0, true)).is_ok());
        assert!(check_allowed(&stay(50), &input(50, false)).is_ok());
        for cents in [1, 49, -100] {
            // Also if the caller agreed to another amount, such as nothing
            for agreed in [cents, 0] {
                let error = check_allowed(&stay(cents), &input(agreed, false)).unwrap_err();
                assert_eq!(error.code, ErrorCode::BalanceNeedsDesk, "{cents}");
            }
            assert!(
                check_allowed(&stay(cents), &input(cents, true)).is_ok(),
                "{cents}"
            );
            let error = check_allowed(&stay(cents), &input(0, true)).unwrap_err();
            assert_eq!(error.code, ErrorCode::AmountMismatch, "{cents}");
        }
        let error = check_allowed(&stay(50), &input(50, true)).unwrap_err();
        assert_eq!(error.code, ErrorCode::ValidationFailed);
    }

    #[test]
    fn a_shared_folio_and_a_wrong_status_are_refused() {
        let mut shared = stay(25000);
        shared.shares_folio_with = vec!["BK-0043".into()];
        assert_eq!(
            check_allowed(&shared, &input(25000, false))
                .unwrap_err()
                .code,
            ErrorCode::SharedFolio
        );
        let mut reserved = stay(25000);
        reserved.booking.status = BookingStatus::Reserved;
        assert_eq!(
            check_allowed(&reserved, &input(25000, false))
                .unwrap_err()
                .code,
            ErrorCode::InvalidTransition
        );
    }
}
