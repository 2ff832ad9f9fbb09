//! Rows of opportunities become stays.

use dewy_domain::{
    call::{Reply, Trouble},
    ports::StayQuery,
    stay::{Line, Stay},
};

use super::{
    Found,
    rows::{BookingRow, LineRow, OpportunityRow},
};
use crate::salesforce::CrmWords;

/// The bookings that fit; each knows the other live bookings of its folio.
pub(crate) fn stays(rows: Vec<OpportunityRow>, query: &StayQuery, words: &CrmWords) -> Reply<Vec<Stay>> {
    let stays: Result<Vec<Vec<Stay>>, Trouble> = rows.into_iter().map(|row| of_one(row, query, words)).collect();
    stays.map_or_else(Reply::Refused, |stays| Reply::Done(stays.into_iter().flatten().collect()))
}

fn of_one(mut row: OpportunityRow, query: &StayQuery, words: &CrmWords) -> Result<Vec<Stay>, Trouble> {
    let bookings = row.bookings.take().map_or_else(|| Ok(Vec::new()), Found::all)?;
    let lines = lines(row.lines.take())?;
    let opportunity = row.opportunity()?;
    let is_live = |booking: &BookingRow| {
        booking
            .status
            .as_ref()
            .is_none_or(|status| *status != words.booking_cancelled && *status != words.booking_no_show)
    };
    let stay = |booking: &BookingRow| {
        let others = bookings.iter().filter(|other| other.number != booking.number && is_live(other));
        Ok(Stay {
            booking: booking.booking()?,
            room: booking.room()?,
            opportunity: opportunity.clone(),
            lines: lines.clone(),
            shares_folio_with: others.map(|other| other.number.clone()).collect(),
        })
    };
    bookings.iter().filter(|booking| fits(booking, query, words)).map(stay).collect()
}

/// The same question as the query's, once more: it found opportunities, of which one booking fits and others may not.
fn fits(booking: &BookingRow, query: &StayQuery, words: &CrmWords) -> bool {
    let email = booking.guest.as_ref().and_then(|guest| guest.email.as_deref()).unwrap_or_default();
    let room = booking.room.as_ref().map(|room| room.number.as_str()).unwrap_or_default();
    same(email, &query.guest_email)
        && query.booking_number.as_ref().map_or_else(
            || booking.status.as_ref() == Some(&words.booking_checked_in),
            |number| same(&booking.number, number),
        )
        && query.room_number.as_ref().is_none_or(|number| same(room, number))
}

/// As Salesforce compares texts.
fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

fn lines(found: Option<Found<LineRow>>) -> Result<Vec<Line>, Trouble> {
    found.map_or_else(|| Ok(Vec::new()), Found::all)?.iter().map(LineRow::line).collect()
}
