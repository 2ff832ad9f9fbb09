//! Board of the double: a few rooms, a few stays, one case.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Role},
    case::Case,
    error_code::ErrorCode,
    inventory::RoomFacts,
    money::Cents,
    ports::{Board, HotelSnapshot, Latest},
    reservation::BookingRow,
    stay::{Room, Stamp},
    vocabulary::{CasePriority, CaseStatus, CaseType},
};

use super::{House, USD, born};

fn stamp() -> Stamp {
    Stamp {
        at: born(),
        by: "005".to_owned(),
    }
}

fn room(number: &str, kind: &str, status: &str) -> RoomFacts {
    RoomFacts {
        room: Room {
            id: format!("room-{number}"),
            number: number.to_owned(),
            status: status.into(),
            current_guest: (status == "Occupied").then(|| "003".to_owned()),
            stamp: stamp(),
        },
        kind: kind.to_owned(),
        floor: number
            .chars()
            .next()
            .and_then(|c| c.to_digit(10))
            .map(i64::from),
        rate: Cents(12500),
        sleeps: 2,
        beds: Some("1 King".to_owned()),
        view: None,
        accessible: false,
        square_footage: None,
        missing: Vec::new(),
    }
}

fn booking(number: &str, status: &str, room: &str, guest: &str, days: (&str, &str)) -> BookingRow {
    BookingRow {
        booking_number: number.to_owned(),
        booking_status: status.into(),
        check_in_date: days.0.parse().ok(),
        check_out_date: days.1.parse().ok(),
        room_number: Some(room.to_owned()),
        room_type: Some("Deluxe".to_owned()),
        room_status: None,
        beds: None,
        view: None,
        number_of_guests: Some(2),
        special_requests: None,
        guest_name: Some(guest.to_owned()),
        guest_email: Some(format!(
            "{}@example.com",
            guest.to_lowercase().replace(' ', ".")
        )),
        total: None,
        nightly_rate: None,
    }
}

#[async_trait]
impl Board for House {
    async fn snapshot(&self, _: &Caller) -> Result<Arc<HotelSnapshot>, ErrorCode> {
        Ok(Arc::new(HotelSnapshot {
            seq: 1,
            as_of: born(),
            today: "2026-11-20".parse().expect("a day"),
            currency: USD,
            rooms: vec![
                room("101", "Standard", "Cleaning"),
                room("102", "Standard", "Maintenance"),
                room("205", "Deluxe", "Vacant"),
                room("207", "Deluxe", "Vacant"),
                room("302", "Deluxe", "Occupied"),
            ],
            bookings: vec![
                booking(
                    "BK-0042",
                    "Checked In",
                    "302",
                    "Beth Gibbs",
                    ("2026-11-18", "2026-11-20"),
                ),
                booking(
                    "BK-0043",
                    "Reserved",
                    "205",
                    "Sarah Johnson",
                    ("2026-11-20", "2026-11-23"),
                ),
                booking(
                    "BK-0044",
                    "Reserved",
                    "101",
                    "Ann Lee",
                    ("2026-11-20", "2026-11-22"),
                ),
                booking(
                    "BK-0046",
                    "Reserved",
                    "302",
                    "Late Larry",
                    ("2026-11-19", "2026-11-21"),
                ),
                booking(
                    "BK-0047",
                    "Reserved",
                    "207",
                    "Late Lucy",
                    ("2026-11-19", "2026-11-22"),
                ),
                booking(
                    "BK-0045",
                    "Reserved",
                    "205",
                    "Tom Reed",
                    ("2026-11-25", "2026-11-28"),
                ),
            ],
            balances: BTreeMap::from([("BK-0042".to_owned(), Cents(25000))]),
            cases: vec![Case {
                id: "500".to_owned(),
                number: "00001001".to_owned(),
                subject: "Two more towels".to_owned(),
                description: "Please bring two more towels.".to_owned(),
                status: CaseStatus::New,
                priority: CasePriority::Medium,
                kind: CaseType::Housekeeping,
                closed: false,
                created_at: born(),
                room_id: None,
                room_number: Some("302".to_owned()),
                booking_number: Some("BK-0042".to_owned()),
                contact_id: None,
                guest_name: Some("Beth Gibbs".to_owned()),
                guest_email: Some("beth.gibbs@email.com".to_owned()),
                external_id: None,
                stamp: stamp(),
                comments: Vec::new(),
            }],
            cut: Vec::new(),
        }))
    }

    async fn guest_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64 {
        self.glance_changed(caller, after, at_most).await
    }

    async fn latest(&self, caller: &Caller) -> Latest {
        let mut snapshot = self.snapshot(caller).await.ok();
        if !matches!(caller.role, Some(Role::FrontDesk | Role::Manager)) {
            let bookings = snapshot
                .as_mut()
                .map(|all| &mut Arc::make_mut(all).bookings);
            for booking in bookings.into_iter().flatten() {
                (booking.guest_name, booking.guest_email) = (None, None);
            }
        }
        Latest {
            snapshot,
            failing: false,
        }
    }

    async fn glance_changed(&self, _: &Caller, _: i64, at_most: Duration) -> i64 {
        tokio::time::sleep(at_most).await;
        1
    }
}
