//! The `get_folio` tool: one SOQL query and one read of the saved cards, concurrently.

use std::collections::BTreeMap;

use dewy_domain::{
    caller::Caller,
    email_address::EmailAddress,
    error_details::ErrorDetails,
    guest_identity::GuestIdentity,
    payment::{Card, Customer, Payment},
    stay::{Line, LineKind, Stay},
    tool_answer::ToolAnswer,
    tool_catalog::GetFolio,
    tool_output::{Folio, FolioHold, FolioLine, SavedCard},
    vocabulary::{BookingStatus, LineStatus},
};
use dewy_saga::journal::ProjectionRow;

use crate::{
    hotel::hotel_service::Hotel,
    saga_parts::{
        engine_conversions,
        find_stay::{self, NoStay},
        live_holds::live_holds,
        payment_source::{CustomerCards, Payer, in_one_list},
        tool_answer::{self, need_balance},
    },
    sagas::{
        check_in,
        post_charge::{ChargeDescription, DESCRIPTIONS},
    },
};

/// Reads the folio of the one matching stay.
pub(crate) async fn run(hotel: &Hotel, caller: &Caller, input: GetFolio) -> ToolAnswer {
    let guest = caller.guest_meant(input.guest_email);
    let query = find_stay::query(guest, input.booking_number, input.room_number);
    let (read, cards) = futures::join!(
        hotel.folio_reads.stays(&query),
        cards(hotel, query.guest.as_ref().map(GuestIdentity::email))
    );
    let stay = match read.answered() {
        Ok(found) => find_stay::single_stay(hotel.crm.as_ref(), &query, found).await,
        Err(error) => Err(NoStay::Fault(error)),
    };
    match stay {
        Ok(stay) => {
            let cards = match cards {
                // Staff named the booking alone
                None => self::cards(hotel, stay.guest_email.as_ref()).await,
                known => known,
            };
            let read = cards.unwrap_or_else(|| Some(Vec::new()));
            let payer = Payer::of(caller.calling_guest().as_ref(), &stay);
            let cards = payer.own(read.clone().unwrap_or_default());
            let holds = holds(hotel, &stay, &cards).await;
            let cards: Vec<Card> = in_one_list(&cards)
                .into_iter()
                .map(|(_, card)| card)
                .collect();
            let words = descriptions(hotel, &stay).await;
            let planned = check_in::planned_hold(&hotel.settings, &stay, hotel.clock.now());
            ToolAnswer::data(Folio {
                hold_at_check_in: planned,
                cards_unknown: read.is_none() || holds.is_none(),
                holds: holds.unwrap_or_default(),
                ..folio(hotel, &stay, &cards, &words)
            })
        }
        Err(NoStay::Presentation(error)) => error.into(),
        Err(NoStay::Fault(error)) => {
            tracing::warn!(error = %error, "the folio could not be read");
            tool_answer::upstream_failure(&error).into()
        }
    }
}

/// Saved cards of everybody with the email, unless Stripe does not answer; `None` without an email.
async fn cards(hotel: &Hotel, email: Option<&EmailAddress>) -> Option<Option<Vec<CustomerCards>>> {
    let email = email.filter(|email| !email.is_empty())?;
    Some(hotel.saved_cards.of(email).await)
}

/// What the guest's cards reserve for the stay, unless Stripe does not answer: a folio without it is
/// better than none.
async fn holds(hotel: &Hotel, stay: &Stay, cards: &[CustomerCards]) -> Option<Vec<FolioHold>> {
    if hotel.settings.hold_per_night.is_none() || stay.booking.status != BookingStatus::CheckedIn {
        return Some(Vec::new());
    }
    let customers: Vec<Customer> = cards.iter().map(|one| one.as_ref().clone()).collect();
    let payments = hotel.payments.as_ref();
    let live = live_holds(payments, &customers, &stay.booking.id, hotel.clock.now()).await;
    let live = live.inspect_err(|error| {
        tracing::warn!(error = %error, "the holds of a stay could not be read");
    });
    let one = |payment: Payment| {
        let hold = payment.hold?;
        Some(FolioHold {
            amount: hold.capturable,
            expires_at: hold.capture_before,
            card_brand: payment.card_brand,
            card_last4: payment.last4,
        })
    };
    Some(live.ok()?.into_iter().filter_map(one).collect())
}

/// Descriptions of the charges, by the execution that posted them; stored by us only. A folio
/// without descriptions is better than none.
async fn descriptions(hotel: &Hotel, stay: &Stay) -> BTreeMap<String, String> {
    let charges = stay.lines.iter().filter(|l| l.kind == LineKind::Charge);
    let ids: Vec<String> = charges.filter_map(|l| l.external_id.clone()).collect();
    let rows = hotel
        .engine
        .journal()
        .projection_rows(DESCRIPTIONS, &ids)
        .await;
    let text = |row: &ProjectionRow| {
        let charge = engine_conversions::read::<ChargeDescription>(&row.body)?;
        Some(charge.description)
    };
    rows.unwrap_or_default()
        .into_iter()
        .filter_map(|(id, row)| Some((id, text(&row.ok()?)?)))
        .collect()
}

fn folio(hotel: &Hotel, stay: &Stay, cards: &[Card], words: &BTreeMap<String, String>) -> Folio {
    let currency = hotel.settings.currency;
    // What is known is shown, also where its sum is not
    let (balance, incomplete) = match need_balance(stay) {
        Ok(balance) => (Some(balance), None),
        Err(error) => (None, ErrorDetails::of(&error.details).problem),
    };
    let balance_text = match (balance, &incomplete) {
        (None, Some(problem)) => format!("not known ({})", problem.trim_end_matches('.')),
        _ => hotel
            .settings
            .balance_text(balance.unwrap_or_default(), currency),
    };
    let room = FolioLine {
        kind: LineKind::Room,
        org_type: None,
        number: String::new(),
        description: None,
        amount: stay.opportunity.amount,
        status: LineStatus::default(),
        date: Some(stay.booking.check_in),
    };
    let line = |line: &Line| FolioLine {
        kind: line.kind,
        org_type: line.org_type.clone(),
        number: line.number.clone(),
        description: line
            .external_id
            .as_ref()
            .and_then(|id| words.get(id))
            .cloned(),
        amount: line.amount,
        status: line.status.clone(),
        date: line
            .at
            .map(|at| at.to_zoned(hotel.settings.time_zone.clone()).date()),
    };
    Folio {
        booking_number: stay.booking.number.clone(),
        booking_status: stay.booking.status.clone(),
        room_number: stay.room.number.clone(),
        check_in_date: stay.booking.check_in,
        check_out_date: stay.booking.check_out,
        balance,
        incomplete,
        currency,
        balance_text,
        lines: [room]
            .into_iter()
            .chain(stay.lines.iter().map(line))
            .collect(),
        saved_cards: cards.iter().cloned().map(SavedCard::from).collect(),
        shares_bill_with: stay.shares_folio_with.clone(),
        cards_unknown: false,
        hold_at_check_in: None,
        holds: Vec::new(),
    }
}
