//! The board: its content by role, its cost, and its behavior while Salesforce is down.

use dewy_domain::vocabulary::{BookingStatus, RoomStatus};

use crate::prelude::*;

/// Maximum number of Salesforce calls of an open board during an hour without changes.
const AN_HOUR: usize = 300;

fn staff(role: Role) -> Caller {
    Caller::staff("somebody@dewy.example", role, Interface::Form)
}

fn open() -> (SimulatedHotel, Arc<BoardService>) {
    let hotel = with(vec![]);
    let board = Arc::new(BoardService::new(Arc::clone(&hotel.processes[0])));
    (hotel, board)
}

fn calls(hotel: &SimulatedHotel) -> usize {
    hotel.count_calls(|call| call.system == System::Salesforce)
}

/// Watches a board until the given time, as a page does; returns the number of changes seen.
async fn looks(
    hotel: &SimulatedHotel,
    board: &BoardService,
    caller: &Caller,
    lasts: Duration,
) -> usize {
    let until = hotel.clock.now() + lasts;
    let mut seen = board.snapshot(caller).await.unwrap().seq;
    let mut changes = 0;
    while hotel.clock.now() < until {
        let now = board
            .snapshot_changed(caller, seen, Duration::from_secs(15))
            .await;
        if now != seen {
            (seen, changes) = (now, changes + 1);
        }
    }
    changes
}

/// Simulates an hour with this many viewers; returns the number of calls.
fn hour(viewers: usize) -> usize {
    on_virtual_time(async {
        let (hotel, board) = open();
        let roles = Role::ALL;
        let watching: Vec<Caller> = (0..viewers)
            .map(|n| staff(roles[n % roles.len()]))
            .collect();
        let all = watching
            .iter()
            .map(|caller| looks(&hotel, &board, caller, Duration::from_secs(3600)));
        let changes: usize = futures::future::join_all(all).await.into_iter().sum();
        assert_eq!(changes, 0, "nothing happened");
        calls(&hotel)
    })
}

#[test]
fn an_hour_costs_the_same_for_one_and_for_a_hundred_viewers() {
    let (one, hundred) = (hour(1), hour(100));
    assert_eq!(one, hundred);
    assert!((200..=AN_HOUR).contains(&one), "{one}");
}

const BETH: &str = "beth.gibbs@email.com";

fn guest(email: &str) -> Caller {
    Caller::guest(email, Interface::Form)
}

/// Current number of a guest's changes, or the next one.
async fn number(board: &BoardService, email: &str, after: i64, at_most: u64) -> i64 {
    board
        .guest_changed(&guest(email), after, Duration::from_secs(at_most))
        .await
}

#[test]
fn guest_views_cost_no_more_than_staff_views() {
    let hour = |guests: usize| {
        on_virtual_time(async {
            let (hotel, board) = open();
            let one = async |n: usize| {
                let email = if n == 0 {
                    BETH.to_owned()
                } else {
                    format!("guest{n}@example.com")
                };
                let first = number(&board, &email, -1, 0).await;
                let until = hotel.clock.now() + Duration::from_secs(3600);
                while hotel.clock.now() < until {
                    assert_eq!(
                        number(&board, &email, first, 15).await,
                        first,
                        "nothing happened"
                    );
                }
            };
            futures::future::join_all((0..guests).map(one)).await;
            calls(&hotel)
        })
    };
    let (one, fifty) = (hour(1), hour(50));
    assert_eq!(one, fifty);
    assert!((200..=AN_HOUR).contains(&one), "{one}");
}

#[tokio::test(start_paused = true)]
async fn a_guest_receives_only_their_own_events() {
    let (hotel, board) = open();
    let input = json!({ "type": "Housekeeping", "description": "Two more towels, please." });
    let filed = hotel.beth("submit_guest_service_request", "w", input).await;
    let body = filed.body(Persona::Guest);
    let case = text_of(&body["data"]["case_number"]);
    let (beth, nora) = (
        number(&board, BETH, -1, 0).await,
        number(&board, "nora.o'brien@example.com", -1, 0).await,
    );
    assert_ne!(beth, nora);
    let change = |status: &str| json!({ "case_number": case, "status": status });
    let mut last = beth;
    for status in ["In Progress", "Closed"] {
        let done = hotel.staff("manage_cases", status, change(status)).await;
        assert!(done.error().is_none(), "{done:?}");
        let now = number(&board, BETH, last, 60).await;
        assert_ne!(now, last, "{status}");
        last = now;
    }
    assert_eq!(
        number(&board, "nora.o'brien@example.com", nora, 30).await,
        nora,
        "not hers"
    );
    assert_eq!(
        board
            .guest_changed(&staff(Role::Manager), 7, Duration::from_secs(30))
            .await,
        7,
        "staff have boards"
    );
}

#[tokio::test(start_paused = true)]
async fn foreign_changes_appear_within_seconds_at_low_cost() {
    let (hotel, board) = open();
    let desk = staff(Role::FrontDesk);
    board.snapshot(&desk).await.unwrap();
    // The first reading is made once more, for what was written in its second
    hotel.clock.sleep(Duration::from_secs(6)).await;
    let before = board.snapshot(&desk).await.unwrap();
    let first = calls(&hotel);
    let case = before.cases[0].clone();
    hotel.edit(
        "Case",
        &json!(case.id),
        json!({ "Subject": "Now it is urgent" }),
    );
    let began = hotel.clock.now();
    let seq = board
        .snapshot_changed(&desk, before.seq, Duration::from_secs(60))
        .await;
    assert_ne!(seq, before.seq);
    assert!(hotel.clock.now().duration_since(began).as_secs() <= 17);
    assert_eq!(calls(&hotel) - first, 2, "the change probe, and the cases");
    let after = board.snapshot(&desk).await.unwrap();
    assert_eq!(after.seq, seq);
    assert!(
        after
            .cases
            .iter()
            .any(|case| case.subject == "Now it is urgent")
    );
    assert_eq!(after.rooms, before.rooms);
}

#[tokio::test(start_paused = true)]
async fn own_changes_appear_at_once_with_the_balance() {
    let (hotel, board) = open();
    let desk = staff(Role::FrontDesk);
    let before = board.snapshot(&desk).await.unwrap();
    let beth = before
        .bookings
        .iter()
        .find(|b| b.room_number.as_deref() == Some("302"))
        .unwrap();
    assert_eq!(
        before.balances.get(&beth.booking_number),
        Some(&Cents(25000))
    );
    let in_house = before
        .bookings
        .iter()
        .filter(|b| b.booking_status == BookingStatus::CheckedIn)
        .count();
    assert_eq!(
        before.balances.len(),
        in_house,
        "everybody who is in the house"
    );
    hotel
        .staff(
            "post_charge",
            "c",
            json!({ "room_number": "302", "amount": 700, "description": "Tea" }),
        )
        .await;
    let began = hotel.clock.now();
    let seq = board
        .snapshot_changed(&desk, before.seq, Duration::from_secs(60))
        .await;
    assert!(hotel.clock.now().duration_since(began).as_secs() <= 7);
    let after = board.snapshot(&desk).await.unwrap();
    assert_eq!(
        (after.seq, after.balances.get(&beth.booking_number)),
        (seq, Some(&Cents(25700)))
    );
    // Another one later: the board stays open, and a compensation without effect changes
    // nothing.
    let paid = hotel.check_out_with("o", json!({ "amount": 25700 })).await;
    assert!(paid.error().is_none(), "{paid:?}");
    board
        .snapshot_changed(&desk, seq, Duration::from_secs(60))
        .await;
    let gone = board.snapshot(&desk).await.unwrap();
    assert!(
        !gone.balances.contains_key(&beth.booking_number),
        "she has left"
    );
    let room = gone
        .rooms
        .iter()
        .find(|room| room.room.number == "302")
        .unwrap();
    assert_eq!(room.room.status, RoomStatus::Cleaning);
}

#[tokio::test(start_paused = true)]
async fn a_finished_item_leaves_the_list_in_the_same_response() {
    let (hotel, board) = open();
    let desk = staff(Role::FrontDesk);
    board.snapshot(&desk).await.unwrap();
    // A check-out followed on its own page: the board was not notified
    hotel.clock.sleep(Duration::from_secs(1)).await;
    let paid = hotel.check_out_with("o", json!({ "amount": 25000 })).await;
    assert!(paid.error().is_none(), "{paid:?}");
    let now = board.snapshot(&desk).await.unwrap();
    let beth = |booking: &&dewy_domain::reservation::BookingRow| {
        booking.room_number.as_deref() == Some("302")
    };
    let status = now.bookings.iter().find(beth).unwrap();
    assert_eq!(status.booking_status, BookingStatus::CheckedOut);
}

#[tokio::test(start_paused = true)]
async fn a_room_written_twice_within_a_second_is_shown_as_it_is() {
    let (hotel, board) = open();
    let crew = staff(Role::Housekeeping);
    let shown = async || {
        let snapshot = board.snapshot(&crew).await.unwrap();
        let mut rooms = snapshot.rooms.iter();
        let room = rooms.find(|room| room.room.number == "309").unwrap();
        room.room.status.clone()
    };
    let row = || hotel.room("309");
    let set = async |status: &str| {
        let (id, field) = (row()["Id"].clone(), json!({ "Status__c": status }));
        let (id, field) = (id.as_str().unwrap(), field.as_object().unwrap());
        hotel.sandbox.edit("Hotel_Room__c", id, field).unwrap();
        board.acted().await;
        row()["LastModifiedDate"].clone()
    };
    assert_eq!(shown().await, RoomStatus::Cleaning);
    let into = hotel.clock.now().subsec_millisecond().unsigned_abs();
    let left = Duration::from_millis(u64::from(1_000 - into));
    hotel.clock.sleep(left).await;
    let clean = set("Vacant").await;
    assert_eq!(shown().await, RoomStatus::Vacant);
    assert_eq!(set("Cleaning").await, clean, "both in one second");
    assert_eq!(shown().await, RoomStatus::Cleaning);
}

#[tokio::test(start_paused = true)]
async fn back_of_house_roles_see_no_names_and_no_money() {
    let (_world, board) = open();
    for role in [Role::Housekeeping, Role::Maintenance] {
        let seen = board.snapshot(&staff(role)).await.unwrap();
        assert!(seen.balances.is_empty() && !seen.rooms.is_empty());
        assert!(
            seen.bookings
                .iter()
                .all(|b| (&b.guest_name, &b.guest_email, &b.special_requests)
                    == (&None, &None, &None))
        );
    }
    let guest = Caller::guest("beth.gibbs@email.com", Interface::Form);
    assert_eq!(
        board.snapshot(&guest).await.err().map(|error| error.code),
        Some(ErrorCode::UnknownTool)
    );
    assert_eq!(
        board
            .snapshot_changed(&guest, 7, Duration::from_secs(15))
            .await,
        7
    );
}

#[tokio::test(start_paused = true)]
async fn a_guest_who_overstayed_by_weeks_is_on_the_board() {
    let (hotel, board) = open();
    let sandbox_ledger = hotel.sandbox_ledger();
    let beth = sandbox_ledger
        .rows("Booking__c")
        .iter()
        .find(|b| b["Status__c"] == "Checked In")
        .unwrap();
    hotel.edit(
        "Booking__c",
        beth,
        json!({ "Check_In_Date__c": "2026-01-02", "Check_Out_Date__c": "2026-01-05" }),
    );
    let seen = board.snapshot(&staff(Role::Manager)).await.unwrap();
    assert!(
        seen.bookings
            .iter()
            .any(|b| beth["Name"] == *b.booking_number)
    );
}

#[tokio::test(start_paused = true)]
async fn the_last_snapshot_stays_readable_during_an_outage() {
    let (hotel, board) = open();
    let desk = staff(Role::FrontDesk);
    let down = || salesforce("query", FaultKind::Status).status(500).count(0);
    hotel.fault(down());
    assert_eq!(
        board.snapshot(&desk).await.err().map(|error| error.code),
        Some(ErrorCode::UpstreamUnavailable),
        "there is none yet"
    );
    hotel.sandbox.clear_faults();
    hotel.clock.sleep(Duration::from_secs(30)).await;
    let first = board.snapshot(&desk).await.unwrap();

    hotel.fault(down());
    hotel.clock.sleep(Duration::from_secs(60)).await;
    let asked = calls(&hotel);
    for _ in 0..100 {
        let still = board.snapshot(&desk).await.unwrap();
        assert_eq!(
            (still.as_of, still.seq),
            (first.as_of, first.seq),
            "its age shows"
        );
    }
    assert_eq!(calls(&hotel) - asked, 1, "one of a hundred asked");
    let seq = board
        .snapshot_changed(&desk, first.seq, Duration::from_secs(60))
        .await;
    assert_eq!(seq, first.seq);
    hotel.clock.sleep(Duration::from_secs(500)).await;
    assert_eq!(
        board.snapshot(&desk).await.err().map(|error| error.code),
        Some(ErrorCode::UpstreamUnavailable),
        "too old to be shown"
    );
    hotel.sandbox.clear_faults();
    hotel.clock.sleep(Duration::from_secs(30)).await;
    assert!(board.snapshot(&desk).await.unwrap().as_of > first.as_of);
}

/// An unreadable folio must not hide the board.
#[tokio::test(start_paused = true)]
async fn an_unreadable_folio_hides_no_other() {
    let (hotel, board) = open();
    let desk = staff(Role::FrontDesk);
    let before = board.snapshot(&desk).await.unwrap();
    let sandbox_ledger = hotel.sandbox_ledger();
    let beth = sandbox_ledger
        .rows("Booking__c")
        .iter()
        .find(|b| b["Status__c"] == "Checked In")
        .unwrap();
    hotel.edit(
        "Opportunity",
        &beth["Opportunity__c"],
        json!({ "Amount": null }),
    );
    hotel.clock.sleep(Duration::from_secs(20)).await;
    let after = board.snapshot(&desk).await.unwrap();
    assert!(!after.balances.contains_key(beth["Name"].as_str().unwrap()));
    assert!(after.balances.len() + 2 >= before.balances.len() && !after.balances.is_empty());
}
