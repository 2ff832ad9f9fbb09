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

/// Who has already moved in is asked just like who has not.
#[tokio::test(start_paused = true)]
async fn the_same_nights_booked_again_are_asked_about_before_and_after_check_in() {
    let hotel = with(vec![]);
    let sarah = hotel.contact("sarah@example.com");
    let id = sarah["Id"].as_str().unwrap();
    let booking = hotel.row("Booking__c", "Primary_Guest__c", id);
    let number = booking["Name"].clone();
    let mut input = json!({ "guest_email": "sarah@example.com", "room_number": free_room(&hotel).await,
        "check_in_date": booking["Check_In_Date__c"], "check_out_date": booking["Check_Out_Date__c"], "number_of_guests": 1 });
    let asked = async |token: &str, input: &Value| {
        let body = hotel.book(token, input.clone()).await.body(Persona::Staff);
        assert_eq!(body["error_code"], "POSSIBLE_DUPLICATE", "{body}");
        assert_eq!(body["details"]["similar"]["number"], number, "{body}");
    };
    asked("b1", &input).await;
    let arrives = json!({ "booking_number": number });
    let inside = hotel
        .front_desk("check_in_guest", Some("i1"), arrives)
        .await;
    assert_eq!(data(&inside)["booking_status"], "Checked In");
    asked("b2", &input).await;
    input["repeat_of"] = number.clone();
    let again = hotel.book("b3", input).await;
    assert_eq!(again.status(), 201, "{}", again.body(Persona::Staff));
    assert!(hotel.run_until_idle(DAY).await);
    assert_sound(&hotel);
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
