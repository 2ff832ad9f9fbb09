//! Cells of a room's rows: bars and available nights. Overlapping bookings, which other programs
//! may create, get a row each.

use dewy_domain::{hotel_calendar::HotelDay, inventory::RoomFacts};
use jiff::ToSpan;

use crate::pages::{
    prelude::*,
    staff::board::{ArrivalStatus, arrival_status},
};

#[derive(Clone, Debug)]
pub enum Cell<'a> {
    Free(Date),
    Bar(Bar<'a>),
    /// Number of nights for which the room can't be let at present, with the reason.
    Out(usize, &'a str),
}

#[derive(Clone, Debug)]
pub struct Bar<'a> {
    pub booking: &'a BookingRow,
    pub standing: ArrivalStatus,
    pub nights: usize,
    /// Whether it began before the first day.
    pub earlier: bool,
    /// Whether it continues after the last day.
    pub later: bool,
    first: usize,
}

/// Room with its rows.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    pub room: &'a RoomFacts,
    /// One row, or more where bookings overlap.
    pub lanes: Vec<Vec<Cell<'a>>>,
}

pub fn bars<'a>(snapshot: &'a HotelSnapshot, days: &[Date]) -> Vec<Row<'a>> {
    snapshot
        .numbered_rooms()
        .map(|room| row(room, snapshot, days))
        .collect()
}

fn row<'a>(room: &'a RoomFacts, snapshot: &'a HotelSnapshot, days: &[Date]) -> Row<'a> {
    let here =
        |booking: &&BookingRow| booking.room_number.as_deref() == Some(room.room.number.as_str());
    let mut lanes: Vec<Vec<Bar<'a>>> = vec![Vec::new()];
    for bar in snapshot
        .bookings
        .iter()
        .filter(here)
        .filter_map(|booking| bar(booking, snapshot.day(), days))
    {
        let end = |lane: &Vec<Bar<'_>>| lane.last().map_or(0, |last| last.first + last.nights);
        match lanes.iter_mut().find(|lane| end(lane) <= bar.first) {
            Some(lane) => lane.push(bar),
            None => lanes.push(vec![bar]),
        }
    }
    let out = match room.room.status {
        RoomStatus::Maintenance => Some("Under repair"),
        RoomStatus::OutOfService => Some("Out of service"),
        RoomStatus::Other(_) => Some(room.room.status.text()),
        RoomStatus::Vacant | RoomStatus::Occupied | RoomStatus::Cleaning => None,
    };
    let cells = |(n, lane): (usize, Vec<Bar<'a>>)| {
        cells(lane, days, snapshot.today, out.filter(|_| n == 0))
    };
    Row {
        room,
        lanes: lanes.into_iter().enumerate().map(cells).collect(),
    }
}

fn bar<'a>(booking: &'a BookingRow, today: HotelDay, days: &[Date]) -> Option<Bar<'a>> {
    if matches!(
        booking.booking_status,
        BookingStatus::Cancelled | BookingStatus::NoShow
    ) {
        return None;
    }
    let standing = arrival_status(booking, today);
    let (from, to) = (booking.check_in_date?, booking.check_out_date?);
    // An overdue guest still occupies the room tonight
    let to = if matches!(standing, ArrivalStatus::Overdue(_) | ArrivalStatus::Leaves) {
        to.max(
            today
                .hotel
                .checked_add(i64::from(matches!(standing, ArrivalStatus::Overdue(_))).days())
                .ok()?,
        )
    } else {
        to
    };
    let (first_day, last_day) = (*days.first()?, *days.last()?);
    let first = days.iter().position(|day| *day >= from && *day < to)?;
    let nights = days
        .iter()
        .filter(|day| **day >= from && **day < to)
        .count();
    Some(Bar {
        booking,
        standing,
        nights,
        earlier: from < first_day,
        later: to > last_day.tomorrow().ok()?,
        first,
    })
}

fn cells<'a>(
    lane: Vec<Bar<'a>>,
    days: &[Date],
    today: Date,
    out: Option<&'a str>,
) -> Vec<Cell<'a>> {
    let mut cells = Vec::new();
    let mut bars = lane.into_iter().peekable();
    let mut at = 0;
    while let Some(day) = days.get(at) {
        if let Some(bar) = bars.next_if(|bar| bar.first == at) {
            at += bar.nights.max(1);
            cells.push(Cell::Bar(bar));
            continue;
        }
        let until = bars.peek().map_or(days.len(), |bar| bar.first);
        match out {
            Some(why) if *day >= today => {
                cells.push(Cell::Out(until - at, why));
                at = until;
            }
            _ => {
                cells.push(Cell::Free(*day));
                at += 1;
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn booking(status: BookingStatus, from: &str, to: &str) -> BookingRow {
        serde_json::from_value(serde_json::json!({
            "booking_number": "BK-0001", "booking_status": status, "check_in_date": from, "check_out_date": to,
            "room_number": "101", "room_type": null, "room_status": null, "beds": null, "view": null, "number_of_guests": null,
            "special_requests": null, "guest_name": null, "guest_email": null
        }))
        .unwrap()
    }

    fn width(cells: &[Cell<'_>]) -> usize {
        let one = |cell: &Cell<'_>| match cell {
            Cell::Free(_) => 1,
            Cell::Bar(bar) => bar.nights,
            Cell::Out(nights, _) => *nights,
        };
        cells.iter().map(one).sum()
    }

    #[test]
    fn bars_cover_exactly_their_nights() {
        let today: Date = "2026-11-20".parse().unwrap();
        let days: Vec<Date> = (-1..13)
            .filter_map(|n: i32| today.checked_add(n.days()).ok())
            .collect();
        let house = booking(BookingStatus::CheckedIn, "2026-11-10", "2026-11-20");
        let bar_of = |booking| {
            bar(booking, today.into(), &days)
                .map(|bar| (bar.first, bar.nights, bar.earlier, bar.later))
        };
        assert_eq!(
            bar_of(&house),
            Some((0, 1, true, false)),
            "leaves today: the night before is shown"
        );
        let late = booking(BookingStatus::CheckedIn, "2026-11-10", "2026-11-19");
        assert_eq!(
            bar_of(&late),
            Some((0, 2, true, false)),
            "overdue: still has the room tonight"
        );
        let long = booking(BookingStatus::Reserved, "2026-11-30", "2026-12-20");
        assert_eq!(bar_of(&long), Some((11, 3, false, true)));
        assert_eq!(
            bar_of(&booking(
                BookingStatus::Cancelled,
                "2026-11-20",
                "2026-11-22"
            )),
            None
        );
        for out in [None, Some("Under repair")] {
            let lane: Vec<_> = [&house, &long]
                .into_iter()
                .filter_map(|b| bar(b, today.into(), &days))
                .collect();
            let cells = cells(lane, &days, today, out);
            assert_eq!(width(&cells), days.len());
        }
    }
}
