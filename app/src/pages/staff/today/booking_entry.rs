//! Booking on the today board: what blocks it, and the next action.

use std::collections::BTreeMap;

use dewy_domain::{booking_number::BookingNumber, execution_view::ExecutionListItem};

use crate::pages::{
    prelude::*,
    staff::board::{ArrivalStatus, arrival_status, late_until, room},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Arrives today, or should have arrived.
    Arrivals,
    /// Departs today, or should have departed.
    Departures,
    InHouse,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextAction {
    CheckIn,
    /// Button: the guest leaves today and has nothing to pay.
    CheckOut,
    Go(String, String),
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub booking: BookingRow,
    pub standing: ArrivalStatus,
    /// Lists that contain it.
    pub lists: Vec<List>,
    /// Whether nothing is left to do today.
    pub done: bool,
    /// Obstacles, most urgent first; `true` if it blocks the next action.
    pub blocks: Vec<(bool, String)>,
    pub next: NextAction,
    pub or: Option<NextAction>,
}

/// Row of the booking, if it belongs on today's board.
pub fn entry(
    booking: &BookingRow,
    snapshot: &HotelSnapshot,
    running: &BTreeMap<BookingNumber, ExecutionListItem>,
) -> Option<Entry> {
    let today =
        |day: Option<jiff::civil::Date>| day.is_some_and(|day| snapshot.day().since(day) == 0);
    let standing = arrival_status(booking, snapshot.day());
    let stayed = matches!(
        booking.booking_status,
        BookingStatus::CheckedIn | BookingStatus::CheckedOut
    );
    let mut lists = Vec::new();
    if matches!(
        standing,
        ArrivalStatus::Arrives | ArrivalStatus::Late(_) | ArrivalStatus::Unclear(0..)
    ) || (stayed && today(booking.check_in_date))
    {
        lists.push(List::Arrivals);
    }
    let gone = booking.booking_status == BookingStatus::CheckedOut && today(booking.check_out_date);
    if matches!(standing, ArrivalStatus::Leaves | ArrivalStatus::Overdue(_)) || gone {
        lists.push(List::Departures);
    }
    if booking.booking_status == BookingStatus::CheckedIn {
        lists.push(List::InHouse);
    }
    if lists.is_empty() {
        return None;
    }
    let page = page_url::stay(&booking.booking_number);
    let mut blocks = Vec::new();
    let next = match running.get(&booking.booking_number) {
        Some(run) => {
            blocks.push((
                true,
                format!(
                    "{}: {}",
                    run.title,
                    labels::state(&run.state).to_lowercase()
                ),
            ));
            NextAction::Go(
                format!("/staff/executions/{}", run.execution_id),
                "See what runs".to_owned(),
            )
        }
        None => next(standing, &page, booking, snapshot, &mut blocks),
    };
    let done = matches!(standing, ArrivalStatus::Over | ArrivalStatus::Stays);
    // A guest expected on an earlier day has either arrived late or isn't coming
    let late = matches!(standing, ArrivalStatus::Late(_)) && next == NextAction::CheckIn;
    let or = late.then(|| NextAction::Go(format!("{page}/no-show"), "Mark no-show".to_owned()));
    Some(Entry {
        booking: booking.clone(),
        standing,
        lists,
        done,
        blocks,
        next,
        or,
    })
}

fn next(
    standing: ArrivalStatus,
    page: &str,
    booking: &BookingRow,
    snapshot: &HotelSnapshot,
    blocks: &mut Vec<(bool, String)>,
) -> NextAction {
    let open = || NextAction::Go(page.to_owned(), "Open".to_owned());
    match standing {
        ArrivalStatus::Arrives | ArrivalStatus::Late(_) => {
            if let ArrivalStatus::Late(days) = standing {
                blocks.push((
                    true,
                    format!("Expected {}", ago(days, booking.check_in_date)),
                ));
            }
            // Nobody can arrive after the day of departure
            if booking
                .check_out_date
                .is_some_and(|day| day < snapshot.today)
            {
                return NextAction::Go(format!("{page}/no-show"), "Mark no-show".to_owned());
            }
            let number = booking
                .room_number
                .as_deref()
                .unwrap_or_default()
                .to_owned();
            let status = room(snapshot, &number).map(|room| &room.room.status);
            match in_the_way(&number, status) {
                None => NextAction::CheckIn,
                Some(words) => {
                    blocks.push((true, words));
                    if matches!(standing, ArrivalStatus::Late(_)) {
                        return NextAction::Go(
                            format!("{page}/no-show"),
                            "Mark no-show".to_owned(),
                        );
                    }
                    match status {
                        Some(_) => {
                            NextAction::Go(page_url::room(&number), format!("See room {number}"))
                        }
                        None => open(),
                    }
                }
            }
        }
        ArrivalStatus::Leaves | ArrivalStatus::Overdue(_) => {
            if let ArrivalStatus::Overdue(days) = standing {
                blocks.push((
                    true,
                    format!("Was due out {}", ago(days, booking.check_out_date)),
                ));
            }
            if let Some(time) = late_until(snapshot, booking) {
                blocks.push((false, format!("Late check-out until {time}")));
            }
            // A missing balance is unknown, not zero
            let balance = snapshot.balances.get(&booking.booking_number);
            if let Some(balance) = balance {
                let text = labels::balance_sentence(*balance, snapshot.currency);
                blocks.push((balance.0 < 0, text));
            }
            // Money, and an overdue guest, whose extra night may not be on the bill, are looked at
            // first
            if standing == ArrivalStatus::Leaves && balance == Some(&Cents(0)) {
                return NextAction::CheckOut;
            }
            NextAction::Go(format!("{page}/check-out"), "Check out".to_owned())
        }
        ArrivalStatus::Unclear(_) => {
            let words = "Its status is unknown here: set it in the booking system";
            blocks.push((true, words.to_owned()));
            open()
        }
        ArrivalStatus::Stays | ArrivalStatus::ToCome | ArrivalStatus::Over => open(),
    }
}

/// Reason why a check-in is not possible.
fn in_the_way(number: &str, status: Option<&RoomStatus>) -> Option<String> {
    match status {
        Some(RoomStatus::Vacant) => None,
        Some(RoomStatus::Cleaning) => Some(format!("Room {number} is being cleaned")),
        Some(RoomStatus::Maintenance) => Some(format!("Room {number} is under repair")),
        Some(RoomStatus::OutOfService) => Some(format!("Room {number} is out of service")),
        Some(RoomStatus::Occupied) => Some(format!("Room {number} is still occupied")),
        Some(RoomStatus::Other(word)) if word.is_empty() => {
            Some(format!("Room {number} has no status"))
        }
        Some(RoomStatus::Other(word)) => Some(format!("Room {number} is {word}")),
        None => Some("No room is known for this booking".to_owned()),
    }
}

fn ago(days: i32, date: Option<jiff::civil::Date>) -> String {
    match (days, date) {
        (1, _) => "yesterday".to_owned(),
        (_, Some(date)) => format!("on {}", day(&date.to_string())),
        (days, None) => format!("{days} days ago"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_vacant_room_allows_a_check_in() {
        assert_eq!(in_the_way("205", Some(&RoomStatus::Vacant)), None);
        for status in [
            Some(&RoomStatus::Cleaning),
            Some(&RoomStatus::Maintenance),
            Some(&RoomStatus::OutOfService),
            Some(&RoomStatus::Occupied),
            Some(&"Deep Clean".into()),
            Some(&RoomStatus::default()),
            None,
        ] {
            assert!(in_the_way("205", status).is_some(), "{status:?}");
        }
        assert_eq!(ago(1, None), "yesterday");
    }
}
