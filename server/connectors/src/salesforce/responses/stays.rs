//! Converts opportunity rows to stays.

use dewy_domain::{
    booking_number::BookingNumber,
    ports::{StayQuery, StaySelection},
    reservation::BookingFill,
    room_number::RoomNumber,
    stay::{Line, Opportunity, Stay},
    upstream_request::{Fault, Outcome},
    vocabulary::BookingStatus,
};

use super::{
    Found,
    stay_rows::{BookingRow, LineRow, OpportunityRow},
    unread,
};
use crate::salesforce::OrgVocabulary;

/// Requested bookings. The query finds opportunities, of which one booking matches and others may
/// not, so the filter is applied to each booking again.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BookingFilter<'a> {
    Guest(&'a StayQuery),
    /// Checked in, in this room.
    InHouse(&'a RoomNumber),
    /// Checked in, in any room.
    CheckedIn,
    Numbers(&'a [BookingNumber]),
}

/// Matching bookings; each lists the other live bookings of its folio.
pub(crate) fn stays(
    rows: Vec<OpportunityRow>,
    wanted: BookingFilter<'_>,
    vocabulary: &OrgVocabulary,
) -> Outcome<Vec<Stay>> {
    readable(rows, wanted, vocabulary).reply()
}

fn readable(
    rows: Vec<OpportunityRow>,
    wanted: BookingFilter<'_>,
    vocabulary: &OrgVocabulary,
) -> Readable {
    let mut found = Readable::default();
    for row in rows {
        let folio = Folio::of(row, vocabulary);
        found.add(folio.stays(wanted, vocabulary, &BookingFill::default()));
    }
    found
}

/// Readable stays. An incomplete stay hides no other; if it is the only one, it is reported.
#[derive(Debug, Default)]
struct Readable {
    stays: Vec<Stay>,
    incomplete: Option<Fault>,
}

impl Readable {
    fn add(&mut self, read: Vec<Result<Stay, Fault>>) {
        for stay in read {
            match stay {
                Ok(stay) => self.stays.push(stay),
                Err(error) => {
                    tracing::warn!(error = %error, "a stay is incomplete");
                    self.incomplete.get_or_insert(error);
                }
            }
        }
    }

    fn reply(self) -> Outcome<Vec<Stay>> {
        match self.incomplete {
            Some(error) if self.stays.is_empty() => unread(error),
            _ => Outcome::Done(self.stays),
        }
    }
}

/// Readable stays: one folio that needs fixing must not hide all others from a list.
pub(crate) fn complete(
    rows: Vec<OpportunityRow>,
    wanted: BookingFilter<'_>,
    vocabulary: &OrgVocabulary,
) -> Vec<Stay> {
    readable(rows, wanted, vocabulary).stays
}

/// Stays for several guests' queries at once, in the order of the queries. They are only shown, so a
/// booking without a guest is read as well.
pub(crate) fn stays_each(
    rows: Vec<OpportunityRow>,
    queries: &[StayQuery],
    vocabulary: &OrgVocabulary,
) -> Outcome<Vec<Vec<Stay>>> {
    let fill = BookingFill {
        guest_id: Some(String::new()),
        ..BookingFill::default()
    };
    let mut each: Vec<Readable> = queries.iter().map(|_| Readable::default()).collect();
    for row in rows {
        let folio = Folio::of(row, vocabulary);
        for (query, found) in queries.iter().zip(&mut each) {
            found.add(folio.stays(BookingFilter::Guest(query), vocabulary, &fill));
        }
    }
    // A guest whose only stay is incomplete gets that error when queried alone.
    let each: Vec<Outcome<Vec<Stay>>> = each.into_iter().map(Readable::reply).collect();
    let mut all = Vec::with_capacity(each.len());
    for stays in each {
        match stays {
            Outcome::Done(stays) => all.push(stays),
            other => return other.map(|_| Vec::new()),
        }
    }
    Outcome::Done(all)
}

/// Opportunity with all its bookings and lines.
struct Folio {
    /// All bookings, or the reason they can't be read.
    bookings: Result<Vec<BookingRow>, Fault>,
    /// Opportunity and all lines, or what one of them lacks.
    money: Result<(Opportunity, Vec<Line>), Fault>,
}

impl Folio {
    fn of(mut row: OpportunityRow, vocabulary: &OrgVocabulary) -> Self {
        let bookings = Found::children(row.bookings.take());
        let lines = lines(row.lines.take(), vocabulary);
        Self {
            bookings,
            money: lines.map(|lines| (row.opportunity(vocabulary), lines)),
        }
    }

    fn stays(
        &self,
        wanted: BookingFilter<'_>,
        vocabulary: &OrgVocabulary,
        fill: &BookingFill,
    ) -> Vec<Result<Stay, Fault>> {
        let bookings = match &self.bookings {
            Ok(bookings) => bookings,
            Err(error) => return vec![Err(error.clone())],
        };
        let stay = |one: &BookingRow| {
            let (opportunity, lines) = self.money.clone()?;
            stay(one, bookings, opportunity, lines, vocabulary, fill)
        };
        bookings
            .iter()
            .filter(|booking| fits(booking, wanted, vocabulary))
            .map(stay)
            .collect()
    }
}

pub(super) fn stay(
    booking: &BookingRow,
    all: &[BookingRow],
    opportunity: Opportunity,
    lines: Vec<Line>,
    vocabulary: &OrgVocabulary,
    fill: &BookingFill,
) -> Result<Stay, Fault> {
    let is_live = |booking: &&BookingRow| {
        booking.status(vocabulary).is_none_or(|status| {
            !matches!(status, BookingStatus::Cancelled | BookingStatus::NoShow)
        })
    };
    let others = all
        .iter()
        .filter(|other| other.number != booking.number)
        .filter(is_live);
    Ok(Stay {
        booking: booking.booking(vocabulary, fill)?,
        room: booking.room(vocabulary, fill)?,
        opportunity,
        lines,
        guest_email: booking.guest_email(),
        shares_folio_with: others.map(|other| other.number.clone().into()).collect(),
    })
}

fn fits(booking: &BookingRow, wanted: BookingFilter<'_>, vocabulary: &OrgVocabulary) -> bool {
    let room = booking
        .room
        .as_ref()
        .and_then(|room| room.number.as_deref())
        .unwrap_or_default();
    let is = |status: BookingStatus| booking.status(vocabulary) == Some(status);
    match wanted {
        BookingFilter::Guest(query) => {
            let in_time = || match query.wanted {
                StaySelection::InHouse => is(BookingStatus::CheckedIn),
                StaySelection::Arriving => {
                    is(BookingStatus::CheckedIn) || is(BookingStatus::Reserved)
                }
            };
            query
                .guest
                .as_ref()
                .is_none_or(|guest| booking.is_of(guest))
                && query
                    .booking_number
                    .as_ref()
                    .map_or_else(in_time, |number| same(&booking.number, number))
                && query
                    .room_number
                    .as_ref()
                    .is_none_or(|number| same(room, number))
        }
        BookingFilter::CheckedIn => is(BookingStatus::CheckedIn),
        BookingFilter::InHouse(number) => is(BookingStatus::CheckedIn) && same(room, number),
        BookingFilter::Numbers(numbers) => {
            numbers.iter().any(|number| same(&booking.number, number))
        }
    }
}

/// Compares texts as Salesforce does.
fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

pub(super) fn lines(
    found: Option<Found<LineRow>>,
    vocabulary: &OrgVocabulary,
) -> Result<Vec<Line>, Fault> {
    let rows = Found::children(found)?;
    Ok(rows.iter().map(|row| row.line(vocabulary)).collect())
}
