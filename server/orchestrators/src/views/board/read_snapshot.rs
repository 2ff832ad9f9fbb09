//! One read of the hotel: first the change probe, then only what it reports as changed.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use dewy_domain::{
    booking_number::BookingNumber,
    caller::Role,
    case::CaseQuery,
    change_probe::ChangeProbe,
    inventory::RoomQuery,
    money::Cents,
    ports::HotelSnapshot,
    reservation::BookingQuery,
    stay::Stay,
    upstream_request::{Fault, Outcome},
};
use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date};

use crate::hotel::hotel_service::Hotel;

/// Maximum number of rooms, bookings, folios or cases on one board.
const MAX_RECORDS: u32 = 400;
/// How long a change probe is trusted. It detects neither renamed guests nor deleted rows.
const PROBE_LIFETIME: SignedDuration = SignedDuration::from_mins(5);
/// Resolution of record timestamps: two writes within it can't be told apart.
const STAMP_GRAIN: SignedDuration = SignedDuration::from_secs(1);

#[derive(Debug)]
pub(super) struct Read {
    front_desk: Arc<HotelSnapshot>,
    others: Arc<HotelSnapshot>,
    /// Change number of our own executions at the time of the read.
    pub(super) ours: Option<i64>,
    /// Change probe taken before the lists, so that the next read detects changes made during this
    /// one.
    change_probe: ChangeProbe,
    probed: Timestamp,
    /// Lists that were written so shortly before they were read that a later write may have the
    /// same stamp: the next read reads them again.
    unsettled: ListsToRead,
    /// Time of the last full read.
    whole: Timestamp,
    /// The folio list was truncated, or could not be read.
    owed: OpenBalances,
}

/// Balances of the in-house guests.
#[derive(Clone, Debug, Default)]
struct OpenBalances {
    balances: BTreeMap<BookingNumber, Cents>,
    cut: bool,
}

impl Read {
    pub(super) fn of(&self, role: Role) -> Arc<HotelSnapshot> {
        Arc::clone(if role.knows_guests() {
            &self.front_desk
        } else {
            &self.others
        })
    }

    /// Whether none of our executions has changed since this read, as far as is known.
    pub(super) fn knows(&self, ours: Option<i64>) -> bool {
        ours.is_none() || self.ours == ours
    }

    pub(super) fn age(&self, now: Timestamp) -> SignedDuration {
        now.duration_since(self.front_desk.as_of)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ListsToRead {
    rooms: bool,
    bookings: bool,
    cases: bool,
    folios: bool,
}

impl ListsToRead {
    const ALL: Self = Self {
        rooms: true,
        bookings: true,
        cases: true,
        folios: true,
    };
    const NONE: Self = Self {
        rooms: false,
        bookings: false,
        cases: false,
        folios: false,
    };

    const fn or(self, other: Self) -> Self {
        Self {
            rooms: self.rooms || other.rooms,
            bookings: self.bookings || other.bookings,
            cases: self.cases || other.cases,
            folios: self.folios || other.folios,
        }
    }

    /// A booking row shows its room's status, and its folio starts with its opportunity's amount.
    fn between(before: &ChangeProbe, now: &ChangeProbe) -> Self {
        let rooms = before.rooms != now.rooms;
        let bookings = before.bookings != now.bookings;
        let money = before.opportunities != now.opportunities || before.lines != now.lines;
        Self {
            rooms,
            bookings: rooms || bookings,
            cases: before.cases != now.cases,
            folios: bookings || money,
        }
    }
}

/// Reads the hotel. Lists unchanged since `last` are reused.
pub(super) async fn read_snapshot(hotel: &Hotel, last: Option<&Read>) -> Result<Read, Fault> {
    let as_of = hotel.clock.now();
    let day = hotel.settings.calendar().day(as_of);
    let (change_probe, ours) = tokio::join!(hotel.crm.change_probe(), hotel.list_version());
    let (change_probe, probed) = (change_probe.answered()?, hotel.clock.now());
    let changed = last.map_or(ListsToRead::ALL, |last| {
        ListsToRead::between(&last.change_probe, &change_probe)
    });
    let reread = last.map_or(ListsToRead::NONE, |last| last.unsettled);
    // Once a second has passed since the probe, nothing more is written with that stamp
    let unsettled = match last {
        Some(last) if as_of.duration_since(last.probed) <= STAMP_GRAIN => changed.or(reread),
        _ => changed,
    };
    let last = last.filter(|last| {
        last.front_desk.day() == day && as_of.duration_since(last.whole) < PROBE_LIFETIME
    });
    let wanted = last.map_or(ListsToRead::ALL, |_| changed.or(reread));
    let before = last.map(|last| last.front_desk.as_ref());
    let crm = &hotel.crm;
    let (rooms, bookings, cases) = (
        RoomQuery {
            limit: MAX_RECORDS,
            ..RoomQuery::default()
        },
        query_around(day.hotel),
        open_cases(),
    );
    let (rooms, bookings, cases, owed) = tokio::join!(
        reuse_or_read(wanted.rooms, before.map(|b| &b.rooms), crm.rooms(&rooms)),
        reuse_or_read(
            wanted.bookings,
            before.map(|b| &b.bookings),
            crm.bookings(&bookings)
        ),
        reuse_or_read(wanted.cases, before.map(|b| &b.cases), crm.cases(&cases)),
        reuse_or_read(wanted.folios, last.map(|last| &last.owed), async {
            open_balances(crm.stays_in_house(MAX_RECORDS).await)
        }),
    );
    let (rooms, bookings, cases, owed) = (rooms?, bookings?, cases?, owed?);
    let full = |name, len: usize| (len >= MAX_RECORDS as usize).then_some(name);
    let cut = [
        full("rooms", rooms.len()),
        full("bookings", bookings.len()),
        full("cases", cases.len()),
        owed.cut.then_some("balances"),
    ];
    let mut snapshot = HotelSnapshot {
        seq: 0,
        as_of,
        today: day.hotel,
        date: day.calendar,
        currency: hotel.settings.currency,
        rooms,
        bookings,
        balances: owed.balances.clone(),
        cases,
        cut: cut.into_iter().flatten().collect(),
    };
    snapshot.seq = number(&snapshot);
    let mut others = without_guests(&snapshot);
    others.seq = number(&others);
    let whole = last.map_or(as_of, |last| last.whole);
    Ok(Read {
        front_desk: Arc::new(snapshot),
        others: Arc::new(others),
        ours,
        change_probe,
        probed,
        unsettled,
        whole,
        owed,
    })
}

/// Reuses the existing list, unless it has to be read again or is missing.
async fn reuse_or_read<T: Clone>(
    wanted: bool,
    there: Option<&T>,
    asked: impl Future<Output = Outcome<T>>,
) -> Result<T, Fault> {
    match there {
        Some(there) if !wanted => Ok(there.clone()),
        _ => asked.await.answered(),
    }
}

/// A board without balances is still useful; unreadable folios are reported as truncated.
fn open_balances(reply: Outcome<Vec<Stay>>) -> Outcome<OpenBalances> {
    match reply {
        Outcome::Done(stays) => Outcome::Done(OpenBalances {
            cut: stays.len() >= MAX_RECORDS as usize,
            balances: stays
                .into_iter()
                .filter_map(|stay| Some((stay.booking.number.clone(), stay.balance()?)))
                .collect(),
        }),
        Outcome::Refused(error) => {
            tracing::warn!(error = %error, "the folios of in-house guests could not be read");
            Outcome::Done(OpenBalances {
                cut: true,
                ..OpenBalances::default()
            })
        }
        other => other.map(|_| OpenBalances::default()),
    }
}

fn query_around(today: Date) -> BookingQuery {
    BookingQuery {
        from: today.checked_sub(7.days()).ok(),
        to: today.checked_add(28.days()).ok(),
        or_in_house: true,
        or_undated: true,
        limit: MAX_RECORDS,
        ..BookingQuery::default()
    }
}

fn open_cases() -> CaseQuery {
    CaseQuery {
        open: Some(true),
        limit: MAX_RECORDS,
        ..CaseQuery::default()
    }
}

/// Excludes the read time, so that the same hotel has the same number.
fn number(snapshot: &HotelSnapshot) -> i64 {
    let mut hasher = DefaultHasher::new();
    format!(
        "{:?}{:?}{:?}{:?}{:?}",
        snapshot.day(),
        snapshot.rooms,
        snapshot.bookings,
        snapshot.balances,
        snapshot.cases
    )
    .hash(&mut hasher);
    // JavaScript numbers are exact up to 2^53.
    i64::try_from(hasher.finish() >> 12).unwrap_or_default()
}

/// The snapshot for roles that do not work with guests.
fn without_guests(snapshot: &HotelSnapshot) -> HotelSnapshot {
    let mut seen = HotelSnapshot {
        balances: BTreeMap::new(),
        ..snapshot.clone()
    };
    seen.cut.retain(|list| *list != "balances");
    for booking in &mut seen.bookings {
        // There is a guest, of whom they see nothing
        booking.guest_id = booking.guest_id.take().map(|_| String::new());
        (booking.guest_name, booking.guest_email) = (None, None);
        booking.special_requests = None;
    }
    seen
}

#[cfg(test)]
mod tests {
    use dewy_domain::change_probe::LastChange;

    use super::*;

    fn beat() -> Vec<LastChange> {
        vec![LastChange {
            id: "a01000000000001AAA".to_owned(),
            at: Timestamp::UNIX_EPOCH,
        }]
    }

    #[test]
    fn only_changed_lists_are_read_again() {
        let none = ListsToRead::NONE;
        let before = ChangeProbe::default();
        let after = |change: fn(&mut ChangeProbe)| {
            let mut now = ChangeProbe::default();
            change(&mut now);
            ListsToRead::between(&before, &now)
        };
        assert_eq!(after(|_| {}), none);
        assert_eq!(
            after(|p| p.rooms = beat()),
            ListsToRead {
                rooms: true,
                bookings: true,
                ..none
            }
        );
        assert_eq!(
            after(|p| p.bookings = beat()),
            ListsToRead {
                bookings: true,
                folios: true,
                ..none
            }
        );
        assert_eq!(
            after(|p| p.opportunities = beat()),
            ListsToRead {
                folios: true,
                ..none
            }
        );
        assert_eq!(
            after(|p| p.lines = beat()),
            ListsToRead {
                folios: true,
                ..none
            }
        );
        assert_eq!(
            after(|p| p.cases = beat()),
            ListsToRead {
                cases: true,
                ..none
            }
        );
    }
}
