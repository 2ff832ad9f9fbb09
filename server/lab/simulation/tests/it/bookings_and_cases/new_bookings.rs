//! New bookings: one room goes to one guest, even with concurrent bookings.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_new_guests_room_is_booked_once() {
    let hotel = with(vec![]);
    let room = free_room(&hotel).await;
    let input = ada(&room, "2026-03-11", "2026-03-13");
    let before = hotel.sandbox.calls().len();
    let booked = hotel.book("b1", input.clone()).await;
    assert_eq!(booked.status(), 201, "{}", booked.body(Persona::Staff));
    let calls: Vec<_> = hotel
        .sandbox
        .calls()
        .into_iter()
        .skip(before)
        .map(|c| c.operation)
        .filter(|o| o != "token")
        .collect();
    assert_eq!(
        calls
            .iter()
            .filter(|o| ["query", "composite"].contains(&o.as_str()))
            .count(),
        3,
        "{calls:?}"
    );
    let rate = items(
        &data(
            &hotel
                .front_desk("search_rooms_on_behalf_of_staff", None, json!({}))
                .await,
        )["rooms"],
    )
    .iter()
    .find(|r| r["room_number"] == room.as_str())
    .unwrap()["nightly_rate"]
        .clone();
    let booked_data = data(&booked);
    assert_eq!(
        booked_data["amount"].as_i64(),
        rate.as_i64().map(|rate| rate * 2)
    );
    assert_eq!(
        (
            booked_data["nights"].as_i64(),
            booked_data["contact_created"].as_bool()
        ),
        (Some(2), Some(true))
    );
    let again = hotel.book("b1", input).await;
    assert_eq!(
        (again.status(), data(&again)),
        (201, booked_data.clone()),
        "replayed with its first status"
    );
    assert!(hotel.run_until_idle(DAY).await);
    let contact = hotel.contact("ada@example.com");
    let booking = hotel.booking(booked_data["booking_number"].as_str().unwrap());
    assert_eq!(booking["Primary_Guest__c"], contact["Id"]);
    let opportunity = hotel.opportunity_of(&booking);
    assert_eq!(opportunity["StageName"], "Booking Confirmed");
    assert_eq!(opportunity["CloseDate"], "2026-03-13");
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn a_known_guest_is_never_overwritten() {
    let hotel = with(vec![]);
    let room = free_room(&hotel).await;
    let mut input = ada(&room, "2026-03-11", "2026-03-13");
    input["guest_email"] = json!("Sarah@Example.com");
    let before = hotel.contact("sarah@example.com");
    // Whose email it is, is said: it is shared, or mistyped
    let refused = hotel.book("b0", input.clone()).await;
    let refused = refused.body(Persona::Staff);
    assert_eq!(refused["error_code"], "EMAIL_OF_ANOTHER_GUEST", "{refused}");
    assert_eq!(refused["details"]["guest_name"], "Sarah Johnson");
    input["guest_first_name"] = json!("JOHNSON");
    input["guest_last_name"] = json!("Sárah");
    input["guest_phone"] = json!("+442079460958");
    let booked = hotel.book("b1", input).await;
    assert_eq!(data(&booked)["contact_created"], false);
    let note = data(&booked)["note"].clone();
    assert!(
        note.as_str().unwrap().contains("as they are on file"),
        "{note}"
    );
    let after = hotel.contact("sarah@example.com");
    for field in [
        "FirstName",
        "LastName",
        "Phone",
        "MobilePhone",
        "Contact_Type__c",
    ] {
        assert_eq!(before[field], after[field], "{field}");
    }
}

#[tokio::test(start_paused = true)]
async fn of_guests_who_share_an_email_the_named_one_gets_the_booking() {
    let hotel = with(vec![]);
    let liam = hotel.contact("liam.walsh@example.com");
    let shares = json!({ "Email": "sarah@example.com", "Unique_Email__c": null });
    let id = liam["Id"].as_str().unwrap();
    let fields = shares.as_object().unwrap();
    hotel.sandbox.edit("Contact", id, fields).unwrap();
    let room = free_room(&hotel).await;
    let mut input = ada(&room, "2026-03-11", "2026-03-13");
    input["guest_email"] = json!("sarah@example.com");
    input["guest_first_name"] = json!("Liam");
    input["guest_last_name"] = json!("Walsh");
    let booked = data(&hotel.book("b1", input).await);
    let number = booked["booking_number"].as_str().unwrap();
    let booking = hotel.booking(number);
    assert_eq!(booking["Primary_Guest__c"], liam["Id"]);
}

#[tokio::test(start_paused = true)]
async fn a_booking_has_the_agreed_price_or_is_not_made() {
    let hotel = with(vec![]);
    let room = free_room(&hotel).await;
    let mut input = ada(&room, "2026-03-11", "2026-03-13");
    input["amount"] = json!(1);
    let refused = hotel.book("b1", input.clone()).await;
    let body = refused.body(Persona::Staff);
    assert_eq!(body["error_code"], "PRICE_CHANGED", "{body}");
    input["amount"] = body["details"]["price"].clone();
    let booked = data(&hotel.book("b2", input.clone()).await);
    assert_eq!(booked["amount"], input["amount"]);
    let longer = json!({ "booking_number": booked["booking_number"], "check_out_date": "2026-03-14", "amount": 1 });
    let refused = hotel.change_booking("m1", longer).await;
    let body = refused.body(Persona::Staff);
    assert_eq!(body["error_code"], "PRICE_CHANGED", "{body}");
    assert_eq!(
        body["details"]["price"].as_i64(),
        booked["amount"].as_i64().map(|amount| amount / 2 * 3)
    );
}

#[tokio::test(start_paused = true)]
async fn another_room_for_the_same_nights_is_asked_about() {
    let hotel = with(vec![]);
    let mut input = ada("", "2026-03-11", "2026-03-13");
    input.as_object_mut().unwrap().remove("room_number");
    input["room_type"] = json!("Standard");
    let first = hotel.book("b1", input.clone()).await;
    let asked = hotel.book("b2", input.clone()).await;
    let body = asked.body(Persona::Staff);
    assert_eq!(body["error_code"], "POSSIBLE_DUPLICATE", "{body}");
    let similar = &body["details"]["similar"];
    assert_eq!(similar["number"], data(&first)["booking_number"]);
    assert_eq!(similar["room_number"], data(&first)["room_number"]);
    input["repeat_of"] = similar["number"].clone();
    let second = hotel.book("b3", input).await;
    assert_eq!(second.status(), 201, "{second:?}");
}

#[tokio::test(start_paused = true)]
async fn fifty_at_once_for_one_room_are_one_booking() {
    let hotel = set_up(|s| s.workers = 2);
    let room = free_room(&hotel).await;
    let before = hotel.records("Opportunity").len();
    let asked = (0..50).map(|n| {
        let (hotel, room) = (&hotel, room.clone());
        async move {
            let (from, to) = if n % 2 == 0 {
                ("2026-03-11", "2026-03-14")
            } else {
                ("2026-03-12", "2026-03-13")
            };
            let mut input = ada(&room, from, to);
            input["guest_email"] = json!(format!("guest{n}@example.com"));
            hotel.book(&*format!("b{n}"), input).await.status()
        }
    });
    let statuses = join_all(asked).await;
    assert_eq!(
        statuses.iter().filter(|s| **s == 201).count(),
        1,
        "{statuses:?}"
    );
    assert!(
        statuses.iter().all(|s| matches!(s, 201 | 409)),
        "{statuses:?}"
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(bookings(&hotel, &room).len(), 1);
    assert_eq!(
        hotel.records("Opportunity").len(),
        before + 1,
        "no orphan is left"
    );
}

#[tokio::test(start_paused = true)]
async fn a_room_is_left_and_taken_on_one_day() {
    let hotel = with(vec![]);
    let room = free_room(&hotel).await;
    let first = hotel
        .book("b1", ada(&room, "2026-03-11", "2026-03-13"))
        .await;
    let second = hotel
        .book("b2", ada(&room, "2026-03-13", "2026-03-15"))
        .await;
    let third = hotel
        .book("b3", ada(&room, "2026-03-12", "2026-03-14"))
        .await;
    assert_eq!((first.status(), second.status()), (201, 201));
    assert_refused(&third, ErrorCode::RoomAlreadyBooked);
}

#[tokio::test(start_paused = true)]
async fn refused_bookings_name_the_reason() {
    let hotel = with(vec![]);
    let room = free_room(&hotel).await;
    let sandbox_ledger = hotel.sandbox_ledger();
    let stays = sandbox_ledger.rows("Booking__c").iter().find(|b| {
        b["Status__c"] == "Checked In"
            && b["Check_Out_Date__c"]
                .as_str()
                .is_some_and(|day| day > "2026-03-11")
    });
    let taken = sandbox_ledger.row(
        "Hotel_Room__c",
        "Id",
        stays.unwrap()["Room__c"].as_str().unwrap(),
    )["Room_Number__c"]
        .clone();
    for (token, change, code) in [
        (
            "past",
            json!({ "check_in_date": "2026-03-09" }),
            ErrorCode::DatesInvalid,
        ),
        (
            "none",
            json!({ "check_out_date": "2026-03-11" }),
            ErrorCode::DatesInvalid,
        ),
        (
            "day",
            json!({ "check_out_date": "2026-02-30" }),
            ErrorCode::ValidationFailed,
        ),
        (
            "room",
            json!({ "room_number": "999" }),
            ErrorCode::RoomNotFound,
        ),
        (
            "both",
            json!({ "room_type": "Suite" }),
            ErrorCode::ValidationFailed,
        ),
        (
            "many",
            json!({ "number_of_guests": 9 }),
            ErrorCode::TooManyGuests,
        ),
        (
            "taken",
            json!({ "room_number": taken }),
            ErrorCode::RoomAlreadyBooked,
        ),
    ] {
        let mut input = ada(&room, "2026-03-11", "2026-03-13");
        for (name, value) in change.as_object().unwrap() {
            input[name] = value.clone();
        }
        let answer = hotel.book(token, input).await;
        assert_eq!(
            answer.error(),
            Some(code),
            "{token}: {}",
            answer.body(Persona::Staff)
        );
    }
    let neither = json!({ "guest_email": "ada@example.com", "guest_first_name": "Ada", "guest_last_name": "L",
            "check_in_date": "2026-03-11", "check_out_date": "2026-03-12" });
    assert_refused(&hotel.book("x", neither).await, ErrorCode::ValidationFailed);
    assert!(hotel.run_until_idle(DAY).await);
    assert!(
        hotel
            .records("Contact")
            .iter()
            .all(|c| c["Email"] != "ada@example.com"),
        "nothing was written"
    );
}

#[tokio::test(start_paused = true)]
async fn a_room_type_is_enough_to_book() {
    let hotel = with(vec![]);
    let mut input = ada("x", "2026-03-11", "2026-03-13");
    input.as_object_mut().unwrap().remove("room_number");
    input["room_type"] = json!("Suite");
    let booked = data(&hotel.book("b1", input).await);
    assert_eq!(booked["room_type"], "Suite");
}

#[tokio::test(start_paused = true)]
async fn a_concurrent_foreign_booking_is_noticed() {
    let hotel = with(vec![]);
    let room = free_room(&hotel).await;
    // Read, found available, and delayed: in that half second somebody else books it.
    hotel.fault(salesforce("composite", FaultKind::Status).status(503));
    let elsewhere = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        booked_elsewhere(&hotel, &room, "2026-03-12", "2026-03-14").await;
    };
    let before = hotel.records("Opportunity").len();
    let (booked, ()) = futures::join!(
        hotel.book("b1", ada(&room, "2026-03-11", "2026-03-13")),
        elsewhere
    );
    assert_refused(&booked, ErrorCode::RoomAlreadyBooked);
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(bookings(&hotel, &room).len(), 1);
    assert_eq!(
        hotel.records("Opportunity").len(),
        before + 1,
        "only theirs"
    );
}

#[tokio::test(start_paused = true)]
async fn of_two_bookings_at_once_the_later_one_yields() {
    let hotel = with(vec![]);
    let room = free_room(&hotel).await;
    hotel.fault(salesforce("composite", FaultKind::Status).status(503));
    hotel.watched.blind_the_guard();
    let elsewhere = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        booked_elsewhere(&hotel, &room, "2026-03-12", "2026-03-14").await;
    };
    let (booked, ()) = futures::join!(
        hotel.book("b1", ada(&room, "2026-03-11", "2026-03-13")),
        elsewhere
    );
    assert_refused(&booked, ErrorCode::RoomAlreadyBooked);
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(
        (hotel.only().state, bookings(&hotel, &room).len()),
        (State::Compensated, 1)
    );
    let ours = hotel.row("Booking__c", "External_ID__c", &hotel.only().id.to_string());
    assert_eq!(ours["Status__c"], "Cancelled");
    assert_eq!(hotel.opportunity_of(&ours)["StageName"], "Closed Lost");
    assert_sound(&hotel);
}

#[test]
fn a_booking_created_during_its_lookup_is_found() {
    for email in ["ada@example.com", "sarah@example.com"] {
        // From before the first query of the read to after its last one, in steps shorter than a
        // query.
        for ms in (5_000..8_500).step_by(250) {
            on_virtual_time(async {
                let hotel = with(vec![]);
                let room = free_room(&hotel).await;
                hotel.sandbox.set_latency(Latency::reference());
                hotel.fault(salesforce("composite", FaultKind::LateEffect).ms(ms));
                let mut input = ada(&room, "2026-03-11", "2026-03-13");
                if email != "ada@example.com" {
                    input["guest_email"] = json!(email);
                    input["guest_first_name"] = json!("Sarah");
                    input["guest_last_name"] = json!("Johnson");
                }
                hotel.book("b1", input).await;
                assert!(hotel.run_until_idle(DAY).await);
                assert_eq!(
                    (hotel.only().state, bookings(&hotel, &room).len()),
                    (State::Completed, 1),
                    "{email} {ms}"
                );
                assert_sound(&hotel);
            });
        }
    }
}
