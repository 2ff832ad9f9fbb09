//! Changes of a booking: dates, room, cancellation, no-show.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_move_into_a_room_taken_concurrently_is_reverted() {
    for lost in [false, true] {
        // Stamps decide who was first: here they have a resolution of milliseconds.
        let org = OrgSettings {
            stamps: TimestampPrecision::EXACT,
            ..OrgSettings::default()
        };
        let hotel = set_up(|s| s.org = org);
        let room = vacant_room(&hotel).await;
        let before = hotel.booking("BK-0042");
        hotel.fault(salesforce("composite", FaultKind::Status).status(503));
        if lost {
            hotel.fault(salesforce("composite", FaultKind::TimeoutAfterEffect).skip(2));
        }
        hotel.watched.blind_the_guard();
        let elsewhere = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            booked_elsewhere(&hotel, &room, TODAY, "2026-03-14").await;
        };
        // One more night: the original departure is today.
        let input = json!({ "booking_number": "BK-0042", "room_number": room, "check_out_date": "2026-03-12" });
        let (moved, ()) = futures::join!(hotel.change_booking("m1", input), elsewhere);
        assert_refused(&moved, ErrorCode::RoomAlreadyBooked);
        assert!(hotel.run_until_idle(DAY).await);
        assert_eq!(hotel.only().state, State::Compensated);
        let after = hotel.booking("BK-0042");
        for field in [
            "Room__c",
            "Check_Out_Date__c",
            "Status__c",
            "Number_of_Guests__c",
        ] {
            assert_eq!(before[field], after[field], "{field}");
        }
        let beth = hotel.contact(BETH);
        assert_fields(
            &hotel.room("302"),
            json!({ "Status__c": "Occupied", "Current_Guest__c": beth["Id"] }),
        );
        assert_fields(
            &hotel.room(&room),
            json!({ "Status__c": "Vacant", "Current_Guest__c": null }),
        );
        assert_sound(&hotel);
    }
}

/// Creates a booking; returns its number.
async fn booked(hotel: &SimulatedHotel, room: &str, from: &str, to: &str) -> String {
    let answer = hotel
        .book(&format!("{room}:{from}"), ada(room, from, to))
        .await;
    text_of(&data(&answer)["booking_number"])
}

#[tokio::test(start_paused = true)]
async fn a_reservation_moves_to_other_nights_and_rooms_at_its_price() {
    let hotel = with(vec![]);
    let room = free_room(&hotel).await;
    let number = booked(&hotel, &room, "2026-03-11", "2026-03-13").await;
    let two = hotel.booking(&number);
    let sale = |hotel: &SimulatedHotel, booking: &Value| hotel.opportunity_of(booking);
    let before = sale(&hotel, &two)["Amount"].as_f64().unwrap();
    let longer = json!({ "booking_number": number, "check_out_date": "2026-03-14" });
    let changed = data(&hotel.change_booking("m1", longer).await);
    assert_eq!(changed["changed"], json!(["check_out_date", "amount"]));
    let three = hotel.booking(&number);
    assert_fields(
        &three,
        json!({ "Status__c": "Reserved", "Check_Out_Date__c": "2026-03-14" }),
    );
    let opportunity = sale(&hotel, &three);
    assert!((opportunity["Amount"].as_f64().unwrap() - before * 1.5).abs() < 0.001);
    assert_fields(
        &opportunity,
        json!({ "CloseDate": "2026-03-14", "Departure_Date__c": "2026-03-14" }),
    );

    let taken = json!({ "booking_number": number, "room_number": "302" });
    let to_taken = hotel.change_booking("m2", taken).await;
    assert!(matches!(
        to_taken.error(),
        None | Some(ErrorCode::RoomAlreadyBooked)
    ));
    let suite = data(
            &hotel.front_desk("search_available_rooms", None, json!({ "check_in_date": "2026-03-11", "check_out_date": "2026-03-14", "room_type": "Suite" }))
            .await,
        );
    let suite = &suite["rooms"][0];
    let moving = json!({ "booking_number": number, "room_number": suite["room_number"] });
    let moved = data(&hotel.change_booking("m3", moving).await);
    assert_eq!(moved["room_number"], suite["room_number"]);
    assert_eq!(moved["amount"], suite["total"], "a room has its own rate");
    let same = hotel
        .change_booking(
            "m4",
            json!({ "booking_number": number, "room_number": suite["room_number"] }),
        )
        .await;
    assert_eq!(data(&same)["changed"], json!([]));
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_move_prices_only_the_nights_to_come() {
    for keep in [false, true] {
        let hotel = with(vec![]);
        let longer = json!({ "booking_number": "BK-0042", "check_out_date": "2026-03-12" });
        let longer = data(&hotel.change_booking("m1", longer).await);
        assert_eq!(longer["amount"], 50_000, "two nights slept, two to come");
        let tonight =
            json!({ "check_in_date": TODAY, "check_out_date": "2026-03-12", "room_type": "Suite" });
        let free = data(
            &hotel
                .front_desk("search_available_rooms", None, tonight)
                .await,
        );
        let suite = &free["rooms"][0];
        assert_eq!(suite["ready"], true);
        let moving = json!({ "booking_number": "BK-0042", "room_number": suite["room_number"], "keep_rate": keep });
        let moved = data(&hotel.change_booking("m2", moving).await);
        let two = suite["total"].as_i64().unwrap();
        let expected = if keep { 50_000 } else { 25_000 + two };
        assert_eq!(moved["amount"], expected, "{moved}");
        let alone = json!({ "booking_number": "BK-0042", "check_out_date": "2026-03-13", "keep_rate": true });
        let alone = hotel.change_booking("m3", alone).await;
        assert_refused(&alone, ErrorCode::ValidationFailed);
        // The booking system has one sum; a further night still has the rate of the night before
        let night = if keep { 12_500 } else { two / 2 };
        let until = |day: &str| json!({ "booking_number": "BK-0042", "check_out_date": day });
        let longer = data(&hotel.change_booking("m4", until("2026-03-13")).await);
        assert_eq!(longer["amount"], expected + night, "{longer}");
        let shorter = data(&hotel.change_booking("m5", until("2026-03-11")).await);
        assert_eq!(shorter["amount"], expected - night, "{shorter}");
        hotel.ends_sound().await;
    }
}

async fn vacant_room(hotel: &SimulatedHotel) -> String {
    let found = data(
        &hotel
            .front_desk(
                "search_available_rooms",
                None,
                json!({ "check_in_date": TODAY, "check_out_date": "2026-03-24", "limit": 200 }),
            )
            .await,
    );
    let rooms = data(
        &hotel
            .front_desk(
                "search_rooms_on_behalf_of_staff",
                None,
                json!({ "status_filter": "Vacant", "limit": 200 }),
            )
            .await,
    );
    let vacant: Vec<_> = items(&rooms["rooms"])
        .iter()
        .map(|r| r["room_number"].clone())
        .collect();
    let free = items(&found["rooms"])
        .iter()
        .map(|r| r["room_number"].clone());
    free.into_iter()
        .find(|r| vacant.contains(r))
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_partially_failed_move_has_a_known_outcome() {
    for kind in [
        FaultKind::TimeoutAfterEffect,
        FaultKind::TimeoutBeforeEffect,
        FaultKind::LateEffect,
    ] {
        let hotel = with(vec![]);
        let room = vacant_room(&hotel).await;
        hotel.fault(salesforce("composite", kind).ms(60_000));
        hotel
            .change_booking(
                "m1",
                json!({ "booking_number": "BK-0042", "room_number": room }),
            )
            .await;
        assert!(hotel.run_until_idle(DAY).await);
        assert_eq!(hotel.only().state, State::Completed, "{kind:?}");
        let (old, new, beth) = (hotel.room("302"), hotel.room(&room), hotel.contact(BETH));
        let left = json!({ "Status__c": "Cleaning", "Current_Guest__c": null });
        assert_fields(&old, left);
        let taken = json!({ "Status__c": "Occupied", "Current_Guest__c": beth["Id"] });
        assert_fields(&new, taken);
        assert_eq!(hotel.booking("BK-0042")["Room__c"], new["Id"]);
    }
}

/// Nights given up stay on the bill, as the check-out page says: a guest in the house does not shed
/// them by changing the booking first. The front desk may.
#[tokio::test(start_paused = true)]
async fn a_checked_in_guest_cannot_shorten_the_stay() {
    let hotel = with(vec![]);
    let until = |day: &str| json!({ "booking_number": "BK-0042", "check_out_date": day });
    let longer = hotel.guest(BETH, "manage_bookings", "g1", until("2026-03-14"));
    assert_eq!(longer.await.status(), 200);
    let owed = data(&hotel.guest(BETH, "get_folio", None, json!({})).await)["balance"].clone();
    let shorter = hotel.guest(BETH, "manage_bookings", "g2", until("2026-03-11"));
    let shorter = shorter.await;
    assert_refused(&shorter, ErrorCode::InvalidTransition);
    let why = details(&shorter)["why"].to_string();
    assert!(why.contains("front desk"), "{why}");
    let folio = data(&hotel.guest(BETH, "get_folio", None, json!({})).await);
    assert_eq!(folio["balance"], owed);
    let answer = hotel.change_booking("s1", until("2026-03-12")).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    let folio = data(&hotel.guest(BETH, "get_folio", None, json!({})).await);
    assert!(folio["balance"].as_i64() < owed.as_i64());
    hotel.ends_sound().await;
}

/// The text about a booking is out of date once its nights, its room, or all of it has changed; by
/// whom does not matter.
#[tokio::test(start_paused = true)]
async fn a_change_and_a_cancellation_are_told_by_text() {
    let hotel = with(vec![]);
    let sarah = hotel.row("Contact", "Email", "sarah@example.com");
    let id = text_of(&sarah["Id"]);
    let number = text_of(&hotel.row("Booking__c", "Primary_Guest__c", &id)["Name"]);
    let change = |more: Value| {
        let mut input = json!({ "booking_number": number });
        let more = more.as_object().unwrap().clone();
        input.as_object_mut().unwrap().extend(more);
        input
    };
    for (token, input) in [
        ("m1", change(json!({ "check_out_date": "2026-03-15" }))),
        ("m2", change(json!({ "special_requests": "Quiet" }))),
        ("m3", change(json!({ "action": "cancel" }))),
    ] {
        let answer = hotel.change_booking(token, input).await;
        assert_eq!(answer.status(), 200, "{answer:?}");
    }
    hotel.ends_sound().await;
    let mut texts = hotel.sandbox_ledger().messages();
    texts.sort();
    let about = |(_, text): &(String, String)| text.contains(&number);
    let [changed, canceled] = &texts[..] else {
        panic!("{texts:?}");
    };
    assert!(about(canceled) && about(changed), "{texts:?}");
    assert!(canceled.1.contains("is canceled"), "{canceled:?}");
    assert!(
        changed.1.contains("your booking has changed"),
        "{changed:?}"
    );
    assert!(changed.1.contains("Mar 15"), "{changed:?}");
}

#[tokio::test(start_paused = true)]
async fn staff_fill_what_others_left_empty_in_a_booking() {
    for lost in [false, true] {
        let hotel = with(vec![]);
        let room = free_room(&hotel).await;
        let number = booked(&hotel, &room, "2026-03-11", "2026-03-13").await;
        let before = hotel.booking(&number);
        let empty = json!({ "Room__c": null, "Check_In_Date__c": null, "Check_Out_Date__c": null,
            "Primary_Guest__c": null });
        hotel.edit("Booking__c", &before, empty.clone());
        let sale = before["Opportunity__c"].as_str().unwrap();
        hotel.edit(
            "Opportunity",
            &before["Opportunity__c"],
            json!({ "Amount": 0 }),
        );

        let mut input = json!({ "booking_number": number, "room_number": room });
        let some = hotel.change_booking("f1", input.clone()).await;
        assert_refused(&some, ErrorCode::RecordIncomplete);
        input["check_in_date"] = json!("2026-03-11");
        input["check_out_date"] = json!("2026-03-13");
        input["new_guest_email"] = json!("ada@example.com");
        if lost {
            hotel.fault(salesforce("composite", FaultKind::TimeoutAfterEffect));
        }
        let filled = data(&hotel.change_booking("f2", input).await);
        let changed = [
            "room_number",
            "check_in_date",
            "check_out_date",
            "guest",
            "amount",
        ];
        assert_eq!(filled["changed"], json!(changed), "{filled}");
        let after = hotel.booking(&number);
        for (field, _) in empty.as_object().unwrap() {
            assert_eq!(after[field], before[field], "{field}");
        }
        let sale = hotel.row("Opportunity", "Id", sale);
        assert_eq!(sale["Arrival_Date__c"], "2026-03-11");
        assert!(sale["Amount"].as_f64().unwrap() > 0.0);
        hotel.ends_sound().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_filled_booking_is_emptied_again_when_its_room_was_taken_meanwhile() {
    for empty in [
        json!({ "Room__c": null, "Check_Out_Date__c": null }),
        json!({ "Check_Out_Date__c": null }),
        json!({ "Primary_Guest__c": null }),
    ] {
        let org = OrgSettings {
            stamps: TimestampPrecision::EXACT,
            ..OrgSettings::default()
        };
        let hotel = set_up(|s| s.org = org);
        let old = free_room(&hotel).await;
        let number = booked(&hotel, &old, "2026-03-11", "2026-03-13").await;
        let room = free_room(&hotel).await;
        let row = hotel.booking(&number);
        hotel.edit("Booking__c", &row, empty.clone());
        let before = hotel.booking(&number);
        hotel.fault(salesforce("composite", FaultKind::Status).status(503));
        hotel.watched.blind_the_guard();
        let elsewhere = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            booked_elsewhere(&hotel, &room, "2026-03-11", "2026-03-13").await;
        };
        let mut input = json!({ "booking_number": number, "room_number": room, "check_out_date": "2026-03-13" });
        if empty.get("Primary_Guest__c").is_some() {
            input["new_guest_email"] = json!(BETH);
        }
        let (filled, ()) = futures::join!(hotel.change_booking("f1", input), elsewhere);
        assert_refused(&filled, ErrorCode::RoomAlreadyBooked);
        assert!(hotel.run_until_idle(DAY).await);
        let after = hotel.booking(&number);
        for field in [
            "Room__c",
            "Check_In_Date__c",
            "Check_Out_Date__c",
            "Primary_Guest__c",
        ] {
            assert_eq!(after[field], before[field], "{empty}: {field}");
        }
        assert_eq!(bookings(&hotel, &room).len(), 1);
    }
}

/// The guest is in the house: whoever fills in a room moves them into it.
#[tokio::test(start_paused = true)]
async fn a_room_filled_in_during_the_stay_becomes_occupied() {
    for rival in [false, true] {
        let org = OrgSettings {
            stamps: TimestampPrecision::EXACT,
            ..OrgSettings::default()
        };
        let hotel = set_up(|s| s.org = org);
        let beth = hotel.booking("BK-0042");
        let edit = |object: &str, id: &Value, fields: Value| {
            let fields = fields.as_object().unwrap();
            let id = id.as_str().unwrap();
            hotel.sandbox.edit(object, id, fields).unwrap();
        };
        edit("Booking__c", &beth["Id"], json!({ "Room__c": null }));
        let room = |number: &str| {
            let room = hotel.room(number);
            (room["Status__c"].clone(), room["Current_Guest__c"].clone())
        };
        let fill = async |number: &str, token: &str| {
            let input = json!({ "booking_number": "BK-0042", "room_number": number, "check_out_date": "2026-03-12" });
            hotel.change_booking(token, input).await
        };
        let mut dirty = hotel.records("Hotel_Room__c").into_iter();
        let dirty = dirty.find(|room| room["Status__c"] == "Cleaning").unwrap();
        let refused = fill(dirty["Room_Number__c"].as_str().unwrap(), "f1").await;
        assert_refused(&refused, ErrorCode::RoomNotVacant);

        if !rival {
            // They live in 302 already
            data(&fill("302", "f2").await);
            let lives = (json!("Occupied"), beth["Primary_Guest__c"].clone());
            assert_eq!(room("302"), lives);
            edit("Booking__c", &beth["Id"], json!({ "Room__c": null }));
        }
        let vacant = json!({ "Status__c": "Vacant", "Current_Guest__c": null });
        edit("Hotel_Room__c", &beth["Room__c"], vacant);
        let new = vacant_room(&hotel).await;
        if rival {
            hotel.fault(salesforce("composite", FaultKind::Status).status(503));
            hotel.watched.blind_the_guard();
            let elsewhere = async {
                tokio::time::sleep(Duration::from_millis(200)).await;
                booked_elsewhere(&hotel, &new, TODAY, "2026-03-12").await;
            };
            let (filled, ()) = futures::join!(fill(&new, "f3"), elsewhere);
            assert_refused(&filled, ErrorCode::RoomAlreadyBooked);
            assert!(hotel.run_until_idle(DAY).await);
            assert_eq!(room(&new), (json!("Vacant"), Value::Null));
            assert!(hotel.booking("BK-0042")["Room__c"].is_null());
        } else {
            data(&fill(&new, "f3").await);
            assert_eq!(
                room(&new),
                (json!("Occupied"), beth["Primary_Guest__c"].clone())
            );
            assert!(hotel.run_until_idle(DAY).await);
        }
    }
}

/// Its nights never had a price, and the folio's amount is for the other booking.
#[tokio::test(start_paused = true)]
async fn a_booking_on_a_shared_folio_is_not_filled_for_free() {
    let hotel = with(vec![]);
    let all = hotel.records("Booking__c");
    let shared = all.iter().find(|one| {
        let folio = &one["Opportunity__c"];
        all.iter()
            .filter(|other| other["Opportunity__c"] == *folio)
            .count()
            > 1
    });
    let shared = shared.unwrap();
    let sale = || hotel.opportunity_of(shared);
    let before = sale()["Amount"].clone();
    let (id, empty) = (
        shared["Id"].as_str().unwrap(),
        json!({ "Check_Out_Date__c": null }),
    );
    hotel.edit("Booking__c", shared, empty);
    let input = json!({ "booking_number": shared["Name"], "check_out_date": "2026-03-25" });
    let filled = hotel.change_booking("f1", input).await;
    assert_refused(&filled, ErrorCode::InvalidTransition);
    assert_eq!(sale()["Amount"], before);
    assert!(hotel.row("Booking__c", "Id", id)["Check_Out_Date__c"].is_null());
}

/// What a booking lacks never keeps it from being ended.
#[tokio::test(start_paused = true)]
async fn a_booking_that_was_never_complete_is_canceled() {
    for (empty, lost) in [
        (json!({ "Room__c": null }), false),
        (json!({ "Room__c": null }), true),
        (
            json!({ "Room__c": null, "Check_In_Date__c": null, "Check_Out_Date__c": null, "Primary_Guest__c": null }),
            false,
        ),
    ] {
        let hotel = with(vec![]);
        let room = free_room(&hotel).await;
        let number = booked(&hotel, &room, "2026-03-11", "2026-03-13").await;
        let id = hotel.booking(&number)["Id"].clone();
        let fields = empty.as_object().unwrap();
        hotel.edit("Booking__c", &id, empty.clone());
        if lost {
            hotel.fault(salesforce("composite", FaultKind::TimeoutAfterEffect));
        }
        if fields.contains_key("Check_In_Date__c") {
            let gone = json!({ "booking_number": number, "action": "no_show" });
            let gone = hotel.change_booking("n1", gone).await;
            assert_refused(&gone, ErrorCode::InvalidTransition);
        }
        let cancel = json!({ "booking_number": number, "action": "cancel" });
        let answer = hotel.change_booking("c1", cancel).await;
        let over = data(&answer);
        assert_eq!(over["booking_status"], "Cancelled");
        assert_eq!(over.get("room_number"), None, "{over}");
        let after = hotel.booking(&number);
        assert_eq!(after["Status__c"], "Cancelled");
        for field in fields.keys() {
            assert!(after[field].is_null(), "{field}");
        }
        let sale = after["Opportunity__c"].as_str().unwrap();
        assert_eq!(
            hotel.row("Opportunity", "Id", sale)["StageName"],
            "Closed Lost"
        );
        hotel.ends_sound().await;
    }
}
