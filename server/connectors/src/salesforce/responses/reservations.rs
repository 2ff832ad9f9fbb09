//! Rows of bookings.

use dewy_domain::{
    inventory::ConflictingBooking,
    money::Cents,
    reservation::{BookingFill, BookingRow as Listed, Reservation, ReservationState, WhichBooking},
    upstream_request::{Fault, Outcome},
};
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Found,
    composite_parts::{Part, created_id, found_rows},
    decimal,
    rooms::ConflictingBookingRow,
    stay_rows::{BookingRow, OpportunityRow, RecordId},
    stays, unread,
};
use crate::{
    exchange_result::malformed_response,
    salesforce::{OrgVocabulary, Picklist},
};

/// Booking in a list: incomplete rows are shown as they are.
#[derive(Debug, Deserialize)]
pub(crate) struct ListedRow {
    #[serde(rename = "Name")]
    number: String,
    #[serde(rename = "Status__c")]
    status: Option<String>,
    #[serde(rename = "Check_In_Date__c")]
    check_in: Option<Date>,
    #[serde(rename = "Check_Out_Date__c")]
    check_out: Option<Date>,
    #[serde(rename = "Number_of_Guests__c")]
    guests: Option<Box<RawValue>>,
    #[serde(rename = "Special_Requests__c")]
    requests: Option<String>,
    #[serde(rename = "Room__r")]
    room: Option<ListedRoom>,
    #[serde(rename = "Primary_Guest__c")]
    guest_id: Option<RecordId>,
    #[serde(rename = "Primary_Guest__r")]
    guest: Option<ListedGuest>,
    #[serde(rename = "Opportunity__r")]
    opportunity: Option<ListedOpportunity>,
}

#[derive(Debug, Deserialize)]
struct ListedRoom {
    #[serde(rename = "Room_Number__c")]
    number: Option<String>,
    #[serde(rename = "Room_Type__c")]
    kind: Option<String>,
    #[serde(rename = "Status__c")]
    status: Option<String>,
    #[serde(rename = "Bed_Configuration__c")]
    beds: Option<String>,
    #[serde(rename = "View_Type__c")]
    view: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ListedOpportunity {
    #[serde(rename = "Amount")]
    amount: Option<Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
struct ListedGuest {
    #[serde(rename = "Name")]
    name: Option<String>,
    #[serde(rename = "Email")]
    email: Option<String>,
}

pub(crate) fn listed(rows: Vec<ListedRow>, vocabulary: &OrgVocabulary) -> Vec<Listed> {
    let one = |row: ListedRow| {
        let room = row.room.as_ref();
        let amount = row.opportunity.and_then(|opportunity| opportunity.amount);
        let total = amount.as_deref().and_then(decimal::cents);
        let nights = row
            .check_in
            .zip(row.check_out)
            .map(|(from, to)| i64::from((to - from).get_days()));
        let of_room =
            |field: fn(&ListedRoom) -> &Option<String>| room.and_then(|room| field(room).clone());
        Listed {
            booking_number: row.number.into(),
            booking_status: row
                .status
                .map(|s| vocabulary.ours(Picklist::BookingStatus, &s))
                .unwrap_or_default()
                .into(),
            check_in_date: row.check_in,
            check_out_date: row.check_out,
            room_number: of_room(|room| &room.number).map(Into::into),
            room_type: of_room(|room| &room.kind).map(|s| vocabulary.ours(Picklist::RoomType, &s)),
            room_status: of_room(|room| &room.status)
                .map(|s| vocabulary.ours(Picklist::RoomStatus, &s).into()),
            beds: of_room(|room| &room.beds).map(|s| vocabulary.ours(Picklist::Beds, &s)),
            view: of_room(|room| &room.view).map(|s| vocabulary.ours(Picklist::View, &s)),
            number_of_guests: row.guests.as_deref().and_then(decimal::whole),
            special_requests: row.requests,
            guest_id: row.guest_id.map(|id| id.0),
            guest_name: row.guest.as_ref().and_then(|guest| guest.name.clone()),
            guest_email: row.guest.and_then(|guest| guest.email).map(Into::into),
            total,
            nightly_rate: total
                .zip(nights)
                .filter(|(total, nights)| *nights > 0 && total.0 % nights == 0)
                .map(|(total, nights)| Cents(total.0 / nights)),
        }
    };
    rows.into_iter().map(one).collect()
}

/// The requested reservation and competing bookings.
pub(crate) fn reservation(
    rows: Vec<OpportunityRow>,
    rivals: Vec<ConflictingBookingRow>,
    which: &WhichBooking,
    vocabulary: &OrgVocabulary,
) -> Outcome<Option<ReservationState>> {
    let is = |booking: &BookingRow| match which {
        WhichBooking::Number(number) | WhichBooking::Incomplete(number, _) => {
            booking.number.eq_ignore_ascii_case(number)
        }
        WhichBooking::Execution(id) => booking.external_id.as_deref() == Some(id),
    };
    let complete = BookingFill::default();
    let fill = match which {
        WhichBooking::Incomplete(_, fill) => fill.as_ref(),
        _ => &complete,
    };
    match of_rows(rows, is, vocabulary, fill) {
        Ok(found) => Outcome::Done(found.map(|there| with_rivals(there, rivals))),
        Err(error) => unread(error),
    }
}

/// Created or changed booking, as read by the composite's own queries.
pub(crate) fn booked(parts: Vec<Part>, vocabulary: &OrgVocabulary) -> Outcome<ReservationState> {
    #[derive(Deserialize)]
    struct FoundRow {
        #[serde(rename = "Id")]
        id: RecordId,
    }
    let made = created_id(&parts, "booking");
    let guarded = || {
        let row = found_rows::<FoundRow>(&parts, "guard")?.into_iter().next();
        Some(row?.id.0)
    };
    let rows = found_rows::<OpportunityRow>(&parts, "booked");
    let (Some(id), Some(rows)) = (made.or_else(guarded), rows) else {
        return malformed_response("a composite without its booking");
    };
    match of_rows(
        rows,
        |booking| booking.is(&id),
        vocabulary,
        // A booking that was ended lacks what it always lacked
        &BookingFill::unknown(),
    ) {
        Ok(Some(there)) => {
            let rivals = found_rows(&parts, "rivals").unwrap_or_default();
            Outcome::Done(with_rivals(there, rivals))
        }
        Ok(None) => malformed_response("a composite whose booking is not on its folio"),
        Err(error) => malformed_response(error.message),
    }
}

/// The reservation with its competing bookings, of which it is none itself.
fn with_rivals(there: Reservation, rivals: Vec<ConflictingBookingRow>) -> ReservationState {
    let rivals = rivals.into_iter().map(ConflictingBooking::from);
    let others = rivals.filter(|rival| rival.id != there.stay.booking.id);
    ReservationState {
        conflicts: others.collect(),
        there,
    }
}

fn of_rows(
    rows: Vec<OpportunityRow>,
    is: impl Fn(&BookingRow) -> bool,
    vocabulary: &OrgVocabulary,
    fill: &BookingFill,
) -> Result<Option<Reservation>, Fault> {
    for mut row in rows {
        let bookings = Found::children(row.bookings.take())?;
        let Some(booking) = bookings.iter().find(|booking| is(booking)) else {
            continue;
        };
        let lines = stays::lines(row.lines.take(), vocabulary)?;
        let stay = stays::stay(
            booking,
            &bookings,
            row.opportunity(vocabulary),
            lines,
            vocabulary,
            fill,
        )?;
        return Ok(Some(Reservation {
            stay,
            room: booking.room_facts(vocabulary, fill)?,
            guest_email: booking.guest_email(),
            guests: booking.guests.as_deref().and_then(decimal::whole),
            requests: booking.requests.clone(),
            external_id: booking.external_id.clone(),
            missing: booking.missing(),
        }));
    }
    Ok(None)
}
