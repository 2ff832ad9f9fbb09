//! Rows of opportunities become stays.

use dewy_domain::{
    call::{Reply, Trouble},
    ports::{StayQuery, Wanted},
    stay::{Line, Opportunity, Stay},
};
use serde_json::json;

use super::{
    Found,
    rows::{BookingRow, LineRow, OpportunityRow},
};
use crate::salesforce::CrmWords;

/// Which bookings were asked for. The query found opportunities, of which one booking fits and others may not, so the same
/// question is put to each booking once more.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fits<'a> {
    /// A guest's.
    Guest(&'a StayQuery),
    /// Checked in, in this room.
    InHouse(&'a str),
    /// Checked in, wherever.
    CheckedIn,
    /// Any of these numbers.
    Numbers(&'a [String]),
}

/// The bookings that fit; each knows the other live bookings of its folio.
pub(crate) fn stays(rows: Vec<OpportunityRow>, wanted: Fits<'_>, words: &CrmWords) -> Reply<Vec<Stay>> {
    let stays: Result<Vec<Vec<Stay>>, Trouble> = rows.into_iter().map(|row| of_one(row, wanted, words)).collect();
    stays.map_or_else(Reply::Refused, |stays| Reply::Done(stays.into_iter().flatten().collect()))
}

/// Those of them that can be read: one folio that somebody has to mend must not hide all others from a list.
pub(crate) fn complete(rows: Vec<OpportunityRow>, wanted: Fits<'_>, words: &CrmWords) -> Vec<Stay> {
    let readable = |row| match of_one(row, wanted, words) {
        Ok(stays) => stays,
        Err(trouble) => {
            tracing::warn!(error = %trouble, "a folio is left out of a list");
            Vec::new()
        }
    };
    rows.into_iter().flat_map(readable).collect()
}

/// The same for several guests' questions at once: the stays that fit each, in the questions' order.
pub(crate) fn stays_each(rows: Vec<OpportunityRow>, queries: &[StayQuery], words: &CrmWords) -> Reply<Vec<Vec<Stay>>> {
    let mut each = vec![Vec::new(); queries.len()];
    for row in rows {
        let folio = match Folio::of(row, words) {
            Ok(folio) => folio,
            Err(trouble) => return Reply::Refused(trouble),
        };
        for (query, fitting) in queries.iter().zip(&mut each) {
            match folio.stays(Fits::Guest(query), words) {
                Ok(stays) => fitting.extend(stays),
                Err(trouble) => return Reply::Refused(trouble),
            }
        }
    }
    Reply::Done(each)
}

/// The one stay of a room. Should two bookings claim to be in it, the one of the guest whom the room itself names is meant; when
/// that does not decide, nobody is guessed.
pub(crate) fn only_one(mut stays: Vec<Stay>) -> Reply<Option<Stay>> {
    if stays.len() > 1 {
        stays.retain(|stay| stay.room.current_guest.as_ref() == Some(&stay.booking.guest_id));
        if stays.len() != 1 {
            let numbers: Vec<&str> = stays.iter().map(|stay| stay.booking.number.as_str()).collect();
            let details = json!({ "bookings": numbers });
            let words = "more than one booking is checked in in this room";
            return Reply::Refused(Trouble { details, ..Trouble::new("several_in_room", words) });
        }
    }
    Reply::Done(stays.pop())
}

fn of_one(row: OpportunityRow, wanted: Fits<'_>, words: &CrmWords) -> Result<Vec<Stay>, Trouble> {
    Folio::of(row, words)?.stays(wanted, words)
}

/// An opportunity with all its bookings and lines.
struct Folio {
    opportunity: Opportunity,
    bookings: Vec<BookingRow>,
    lines: Vec<Line>,
}

impl Folio {
    fn of(mut row: OpportunityRow, words: &CrmWords) -> Result<Self, Trouble> {
        let bookings = row.bookings.take().map_or_else(|| Ok(Vec::new()), Found::all)?;
        let lines = lines(row.lines.take(), words)?;
        Ok(Self { opportunity: row.opportunity(words)?, bookings, lines })
    }

    fn stays(&self, wanted: Fits<'_>, words: &CrmWords) -> Result<Vec<Stay>, Trouble> {
        let stay = |one: &BookingRow| stay(one, &self.bookings, self.opportunity.clone(), self.lines.clone(), words);
        self.bookings.iter().filter(|booking| fits(booking, wanted, words)).map(stay).collect()
    }
}

/// One booking of a folio.
pub(super) fn stay(
    booking: &BookingRow,
    all: &[BookingRow],
    opportunity: Opportunity,
    lines: Vec<Line>,
    words: &CrmWords,
) -> Result<Stay, Trouble> {
    let is_live = |booking: &&BookingRow| {
        booking.status(words).is_none_or(|status| !matches!(status.as_str(), "Cancelled" | "No Show"))
    };
    let others = all.iter().filter(|other| other.number != booking.number).filter(is_live);
    Ok(Stay {
        booking: booking.booking(words)?,
        room: booking.room(words)?,
        opportunity,
        lines,
        shares_folio_with: others.map(|other| other.number.clone()).collect(),
    })
}

fn fits(booking: &BookingRow, wanted: Fits<'_>, words: &CrmWords) -> bool {
    let room = booking.room.as_ref().map(|room| room.number.as_str()).unwrap_or_default();
    let is = |status: &str| booking.status(words).as_deref() == Some(status);
    match wanted {
        Fits::Guest(query) => {
            let email = booking.guest.as_ref().and_then(|guest| guest.email.as_deref()).unwrap_or_default();
            let in_time = || match query.wanted {
                Wanted::InHouse => is("Checked In"),
                Wanted::Arriving => is("Checked In") || is("Reserved"),
            };
            same(email, &query.guest_email)
                && query.booking_number.as_ref().map_or_else(in_time, |number| same(&booking.number, number))
                && query.room_number.as_ref().is_none_or(|number| same(room, number))
        }
        Fits::CheckedIn => is("Checked In"),
        Fits::InHouse(number) => is("Checked In") && same(room, number),
        Fits::Numbers(numbers) => numbers.iter().any(|number| same(&booking.number, number)),
    }
}

/// As Salesforce compares texts.
fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

pub(super) fn lines(found: Option<Found<LineRow>>, words: &CrmWords) -> Result<Vec<Line>, Trouble> {
    found.map_or_else(|| Ok(Vec::new()), Found::all)?.iter().map(|line| line.line(words)).collect()
}
