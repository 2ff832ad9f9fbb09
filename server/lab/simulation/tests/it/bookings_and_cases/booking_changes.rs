//! Changes of a booking: dates, room, cancellation, no-show.

use super::*;

#[test]
fn a_move_into_a_room_taken_concurrently_is_reverted() {
    for lost in [false, true] {
        on_virtual_time(async {
            // Stamps decide who was first: here they have a resolution of milliseconds.
            let org = OrgSettings {
                stamps: TimestampPrecision::EXACT,
                ..OrgSettings::default()
            };
            let hotel = SimulatedHotel::new(Setup {
                org,
                ..Setup::default()
            });
            let room = vacant_room(&hotel).await;
            let before = hotel.row("Booking__c", "Name", "BK-0042");
            hotel
                .sandbox
                .add_fault(salesforce("composite", FaultKind::Status).status(503));
            if lost {
                hotel
                    .sandbox
                    .add_fault(salesforce("composite", FaultKind::TimeoutAfterEffect).skip(2));
            }
            hotel.watched.blind_the_guard();
            let elsewhere = async {
                tokio::time::sleep(Duration::from_millis(200)).await;
                booked_elsewhere(&hotel, &room, TODAY, "2026-03-14").await;
            };
            // One more night: the original departure is today.
            let input = json!({ "booking_number": "BK-0042", "room_number": room, "check_out_date": "2026-03-12" });
            let (moved, ()) = futures::join!(
                call_as_front_desk(&hotel, "manage_bookings", "m1", input),
                elsewhere
            );
            assert_eq!(
                moved.error(),
                Some(ErrorCode::RoomAlreadyBooked),
                "{}",
                moved.body(Persona::Staff)
            );
            assert!(hotel.run_until_idle(DAY).await);
            assert_eq!(hotel.only().state, State::Compensated);
            let after = hotel.row("Booking__c", "Name", "BK-0042");
            for field in [
                "Room__c",
                "Check_Out_Date__c",
                "Status__c",
                "Number_of_Guests__c",
            ] {
                assert_eq!(before[field], after[field], "{field}");
            }
            let beth = hotel.row("Contact", "Email", BETH);
            let old = hotel.row("Hotel_Room__c", "Room_Number__c", "302");
            assert_eq!(
                (&old["Status__c"], &old["Current_Guest__c"]),
                (&json!("Occupied"), &beth["Id"])
            );
            let new = hotel.row("Hotel_Room__c", "Room_Number__c", &room);
            assert_eq!(
                (&new["Status__c"], &new["Current_Guest__c"]),
                (&json!("Vacant"), &Value::Null)
            );
            assert_eq!(violations(&hotel), Vec::<String>::new());
        });
    }
}

/// Creates a booking; returns its number.
async fn booked(hotel: &SimulatedHotel, room: &str, from: &str, to: &str) -> String {
    let answer = call_as_front_desk(
        hotel,
        "create_booking",
        &format!("{room}:{from}"),
        ada(room, from, to),
    )
    .await;
    data(&answer)["booking_number"].as_str().unwrap().to_owned()
}

#[test]
fn a_reservation_moves_to_other_nights_and_rooms_at_its_price() {
    on_virtual_time(async {
        let hotel = world();
        let room = free_room(&hotel).await;
        let number = booked(&hotel, &room, "2026-03-11", "2026-03-13").await;
        let two = hotel.row("Booking__c", "Name", &number);
        let sale = |hotel: &SimulatedHotel, booking: &Value| {
            hotel.row(
                "Opportunity",
                "Id",
                booking["Opportunity__c"].as_str().unwrap(),
            )
        };
        let before = sale(&hotel, &two)["Amount"].as_f64().unwrap();
        let longer = json!({ "booking_number": number, "check_out_date": "2026-03-14" });
        let changed = data(&call_as_front_desk(&hotel, "manage_bookings", "m1", longer).await);
        assert_eq!(changed["changed"], json!(["check_out_date", "amount"]));
        let three = hotel.row("Booking__c", "Name", &number);
        assert_eq!(
            (&three["Status__c"], &three["Check_Out_Date__c"]),
            (&json!("Reserved"), &json!("2026-03-14"))
        );
        let opportunity = sale(&hotel, &three);
        assert!((opportunity["Amount"].as_f64().unwrap() - before * 1.5).abs() < 0.001);
        assert_eq!(
            (&opportunity["CloseDate"], &opportunity["Departure_Date__c"]),
            (&json!("2026-03-14"), &json!("2026-03-14"))
        );

        let taken = json!({ "booking_number": number, "room_number": "302" });
        let to_taken = call_as_front_desk(&hotel, "manage_bookings", "m2", taken).await;
        assert!(matches!(
            to_taken.error(),
            None | Some(ErrorCode::RoomAlreadyBooked)
        ));
        let suite = data(
            &call_tool(
                &hotel,
                "search_available_rooms",
                json!({ "check_in_date": "2026-03-11", "check_out_date": "2026-03-14", "room_type": "Suite" }),
            )
            .await,
        );
        let suite = &suite["rooms"][0];
        let moving = json!({ "booking_number": number, "room_number": suite["room_number"] });
        let moved = data(&call_as_front_desk(&hotel, "manage_bookings", "m3", moving).await);
        assert_eq!(moved["room_number"], suite["room_number"]);
        assert_eq!(moved["amount"], suite["total"], "a room has its own rate");
        let same = call_as_front_desk(
            &hotel,
            "manage_bookings",
            "m4",
            json!({ "booking_number": number, "room_number": suite["room_number"] }),
        )
        .await;
        assert_eq!(data(&same)["changed"], json!([]));
        assert!(hotel.run_until_idle(DAY).await);
        assert_eq!(violations(&hotel), Vec::<String>::new());
    });
}

#[test]
fn edits_keep_a_stay_checked_in_and_a_completed_stay_is_final() {
    on_virtual_time(async {
        let hotel = world();
        let edit = json!({ "booking_number": "BK-0042", "special_requests": "A cot, please" });
        let edited = data(&guest(&hotel, BETH, "manage_bookings", Some("m1"), edit).await);
        assert_eq!(edited["booking_status"], "Checked In");
        let row = hotel.row("Booking__c", "Name", "BK-0042");
        assert_eq!(
            (&row["Status__c"], &row["Special_Requests__c"]),
            (&json!("Checked In"), &json!("A cot, please"))
        );
        for (token, input) in [
            (
                "arrival",
                json!({ "booking_number": "BK-0042", "check_in_date": "2026-03-09" }),
            ),
            (
                "cancel",
                json!({ "booking_number": "BK-0042", "action": "cancel" }),
            ),
            (
                "move",
                json!({ "booking_number": "BK-0042", "room_number": "100" }),
            ),
        ] {
            let answer = guest(&hotel, BETH, "manage_bookings", Some(token), input).await;
            assert!(
                matches!(
                    answer.error(),
                    Some(ErrorCode::InvalidTransition | ErrorCode::RoomNotVacant)
                ),
                "{token}: {}",
                answer.body(Persona::Staff)
            );
        }
        assert_eq!(
            hotel.row("Booking__c", "Name", "BK-0042")["Status__c"],
            "Checked In"
        );
        let other = guest(
            &hotel,
            "sarah@example.com",
            "manage_bookings",
            Some("o"),
            json!({ "booking_number": "BK-0042", "special_requests": "mine" }),
        )
        .await;
        assert_eq!(
            other.error(),
            Some(ErrorCode::BookingNotFound),
            "somebody else's is none"
        );
        let theirs = guest(
            &hotel,
            BETH,
            "manage_bookings",
            Some("n"),
            json!({ "booking_number": "BK-0042", "action": "no_show" }),
        )
        .await;
        assert_eq!(
            theirs.error(),
            Some(ErrorCode::ValidationFailed),
            "guests have no such action"
        );
    });
}

#[test]
fn a_cancelled_booking_stays_cancelled() {
    on_virtual_time(async {
        let hotel = world();
        let room = free_room(&hotel).await;
        let number = booked(&hotel, &room, "2026-03-11", "2026-03-13").await;
        let cancel = json!({ "booking_number": number, "action": "cancel" });
        let cancelled = guest(
            &hotel,
            "ada@example.com",
            "manage_bookings",
            Some("c1"),
            cancel.clone(),
        )
        .await;
        assert_eq!(data(&cancelled)["booking_status"], "Cancelled");
        assert_eq!(data(&cancelled)["opportunity_stage"], "Closed Lost");
        let again = guest(
            &hotel,
            "ada@example.com",
            "manage_bookings",
            Some("c2"),
            cancel,
        )
        .await;
        assert_eq!(again.error(), Some(ErrorCode::InvalidTransition));
        let edit = json!({ "booking_number": number, "check_out_date": "2026-03-14" });
        assert_eq!(
            call_as_front_desk(&hotel, "manage_bookings", "c3", edit)
                .await
                .error(),
            Some(ErrorCode::InvalidTransition)
        );
        assert_eq!(
            hotel.row("Booking__c", "Name", &number)["Status__c"],
            "Cancelled"
        );
        assert_eq!(
            booked(&hotel, &room, "2026-03-12", "2026-03-13")
                .await
                .len(),
            number.len(),
            "the nights are free again"
        );
    });
}

#[test]
fn a_no_show_is_possible_from_the_next_day() {
    on_virtual_time(async {
        let hotel = world();
        let sandbox_ledger = hotel.sandbox_ledger();
        let late = sandbox_ledger
            .rows("Booking__c")
            .iter()
            .find(|b| b["Status__c"] == "Reserved" && b["Check_In_Date__c"] == "2026-03-09")
            .expect("the seed has a no-show of yesterday");
        let number = late["Name"].as_str().unwrap();
        let no_show = call_as_front_desk(
            &hotel,
            "manage_bookings",
            "n1",
            json!({ "booking_number": number, "action": "no_show" }),
        )
        .await;
        assert_eq!(data(&no_show)["booking_status"], "No Show");
        let room = free_room(&hotel).await;
        let today = booked(&hotel, &room, TODAY, "2026-03-12").await;
        let early = call_as_front_desk(
            &hotel,
            "manage_bookings",
            "n2",
            json!({ "booking_number": today, "action": "no_show" }),
        )
        .await;
        assert_eq!(early.error(), Some(ErrorCode::InvalidTransition));
    });
}

#[test]
fn moving_a_checked_in_guest_updates_both_rooms() {
    on_virtual_time(async {
        let hotel = world();
        let room = vacant_room(&hotel).await;
        let moved = data(
            &call_as_front_desk(
                &hotel,
                "manage_bookings",
                "m1",
                json!({ "booking_number": "BK-0042", "room_number": room }),
            )
            .await,
        );
        assert_eq!(moved["room_number"], room.as_str());
        let (old, new) = (
            hotel.row("Hotel_Room__c", "Room_Number__c", "302"),
            hotel.row("Hotel_Room__c", "Room_Number__c", &room),
        );
        let beth = hotel.row("Contact", "Email", BETH);
        assert_eq!(
            (&old["Status__c"], &old["Current_Guest__c"]),
            (&json!("Cleaning"), &Value::Null)
        );
        assert_eq!(
            (&new["Status__c"], &new["Current_Guest__c"]),
            (&json!("Occupied"), &beth["Id"])
        );
        assert_eq!(
            hotel.row("Booking__c", "Name", "BK-0042")["Room__c"],
            new["Id"]
        );
        assert_eq!(violations(&hotel), Vec::<String>::new());
    });
}

#[test]
fn a_move_prices_only_the_nights_to_come() {
    for keep in [false, true] {
        on_virtual_time(async {
            let hotel = world();
            let longer = json!({ "booking_number": "BK-0042", "check_out_date": "2026-03-12" });
            let longer = data(&call_as_front_desk(&hotel, "manage_bookings", "m1", longer).await);
            assert_eq!(longer["amount"], 50_000, "two nights slept, two to come");
            let tonight = json!({ "check_in_date": TODAY, "check_out_date": "2026-03-12", "room_type": "Suite" });
            let free = data(&call_tool(&hotel, "search_available_rooms", tonight).await);
            let suite = &free["rooms"][0];
            assert_eq!(suite["ready"], true);
            let moving = json!({ "booking_number": "BK-0042", "room_number": suite["room_number"], "keep_rate": keep });
            let moved = data(&call_as_front_desk(&hotel, "manage_bookings", "m2", moving).await);
            let two = suite["total"].as_i64().unwrap();
            let expected = if keep { 50_000 } else { 25_000 + two };
            assert_eq!(moved["amount"], expected, "{moved}");
            let alone = json!({ "booking_number": "BK-0042", "check_out_date": "2026-03-13", "keep_rate": true });
            let alone = call_as_front_desk(&hotel, "manage_bookings", "m3", alone).await;
            assert_eq!(alone.error(), Some(ErrorCode::ValidationFailed));
            assert_eq!(violations(&hotel), Vec::<String>::new());
        });
    }
}

async fn vacant_room(hotel: &SimulatedHotel) -> String {
    let found = data(
        &call_tool(
            hotel,
            "search_available_rooms",
            json!({ "check_in_date": TODAY, "check_out_date": "2026-03-24", "limit": 200 }),
        )
        .await,
    );
    let rooms = data(
        &call_tool(
            hotel,
            "search_rooms_on_behalf_of_staff",
            json!({ "status_filter": "Vacant", "limit": 200 }),
        )
        .await,
    );
    let vacant: Vec<_> = rooms["rooms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["room_number"].clone())
        .collect();
    let free = found["rooms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["room_number"].clone());
    free.into_iter()
        .find(|r| vacant.contains(r))
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_partially_failed_move_has_a_known_outcome() {
    for kind in [
        FaultKind::TimeoutAfterEffect,
        FaultKind::TimeoutBeforeEffect,
        FaultKind::LateEffect,
    ] {
        on_virtual_time(async {
            let hotel = world();
            let room = vacant_room(&hotel).await;
            hotel
                .sandbox
                .add_fault(salesforce("composite", kind).ms(60_000));
            call_as_front_desk(
                &hotel,
                "manage_bookings",
                "m1",
                json!({ "booking_number": "BK-0042", "room_number": room }),
            )
            .await;
            assert!(hotel.run_until_idle(DAY).await);
            assert_eq!(hotel.only().state, State::Completed, "{kind:?}");
            let occupied = [&room, &"302".to_owned()]
                .map(|n| hotel.row("Hotel_Room__c", "Room_Number__c", n)["Status__c"].clone());
            assert_eq!(occupied, [json!("Occupied"), json!("Cleaning")]);
        });
    }
}

/// Nights given up stay on the bill, as the check-out page says: a guest in the house does not shed
/// them by changing the booking first. The front desk may.
#[test]
fn a_checked_in_guest_cannot_shorten_the_stay() {
    on_virtual_time(async {
        let hotel = world();
        let until = |day: &str| json!({ "booking_number": "BK-0042", "check_out_date": day });
        let longer = guest(
            &hotel,
            BETH,
            "manage_bookings",
            Some("g1"),
            until("2026-03-14"),
        );
        assert_eq!(longer.await.status(), 200);
        let owed =
            data(&guest(&hotel, BETH, "get_folio", None, json!({})).await)["balance"].clone();
        let shorter = guest(
            &hotel,
            BETH,
            "manage_bookings",
            Some("g2"),
            until("2026-03-11"),
        );
        let shorter = shorter.await;
        let code = shorter.error();
        assert_eq!(code, Some(ErrorCode::InvalidTransition), "{shorter:?}");
        let why = details(&shorter)["why"].to_string();
        assert!(why.contains("front desk"), "{why}");
        let folio = data(&guest(&hotel, BETH, "get_folio", None, json!({})).await);
        assert_eq!(folio["balance"], owed);
        let answer = call_as_front_desk(&hotel, "manage_bookings", "s1", until("2026-03-12")).await;
        assert_eq!(answer.status(), 200, "{answer:?}");
        let folio = data(&guest(&hotel, BETH, "get_folio", None, json!({})).await);
        assert!(folio["balance"].as_i64() < owed.as_i64());
        assert_eq!(violations(&hotel), Vec::<String>::new());
    });
}

#[test]
fn staff_fill_what_others_left_empty_in_a_booking() {
    for lost in [false, true] {
        on_virtual_time(async {
            let hotel = world();
            let room = free_room(&hotel).await;
            let number = booked(&hotel, &room, "2026-03-11", "2026-03-13").await;
            let before = hotel.row("Booking__c", "Name", &number);
            let empty = json!({ "Room__c": null, "Check_In_Date__c": null, "Check_Out_Date__c": null,
                "Primary_Guest__c": null });
            let id = before["Id"].as_str().unwrap();
            hotel
                .sandbox
                .edit("Booking__c", id, empty.as_object().unwrap())
                .unwrap();
            let sale = before["Opportunity__c"].as_str().unwrap();
            let free = json!({ "Amount": 0 });
            hotel
                .sandbox
                .edit("Opportunity", sale, free.as_object().unwrap())
                .unwrap();

            let mut input = json!({ "booking_number": number, "room_number": room });
            let some = call_as_front_desk(&hotel, "manage_bookings", "f1", input.clone()).await;
            assert_eq!(
                some.error(),
                Some(ErrorCode::RecordIncomplete),
                "{}",
                details(&some)
            );
            input["check_in_date"] = json!("2026-03-11");
            input["check_out_date"] = json!("2026-03-13");
            input["new_guest_email"] = json!("ada@example.com");
            if lost {
                hotel
                    .sandbox
                    .add_fault(salesforce("composite", FaultKind::TimeoutAfterEffect));
            }
            let filled = data(&call_as_front_desk(&hotel, "manage_bookings", "f2", input).await);
            let changed = [
                "room_number",
                "check_in_date",
                "check_out_date",
                "guest",
                "amount",
            ];
            assert_eq!(filled["changed"], json!(changed), "{filled}");
            let after = hotel.row("Booking__c", "Name", &number);
            for (field, _) in empty.as_object().unwrap() {
                assert_eq!(after[field], before[field], "{field}");
            }
            let sale = hotel.row("Opportunity", "Id", sale);
            assert_eq!(sale["Arrival_Date__c"], "2026-03-11");
            assert!(sale["Amount"].as_f64().unwrap() > 0.0);
            assert!(hotel.run_until_idle(DAY).await);
            assert_eq!(violations(&hotel), Vec::<String>::new());
        });
    }
}

#[test]
fn a_filled_booking_is_emptied_again_when_its_room_was_taken_meanwhile() {
    for empty in [
        json!({ "Room__c": null, "Check_Out_Date__c": null }),
        json!({ "Check_Out_Date__c": null }),
        json!({ "Primary_Guest__c": null }),
    ] {
        on_virtual_time(async {
            let org = OrgSettings {
                stamps: TimestampPrecision::EXACT,
                ..OrgSettings::default()
            };
            let hotel = SimulatedHotel::new(Setup {
                org,
                ..Setup::default()
            });
            let old = free_room(&hotel).await;
            let number = booked(&hotel, &old, "2026-03-11", "2026-03-13").await;
            let room = free_room(&hotel).await;
            let row = hotel.row("Booking__c", "Name", &number);
            let id = row["Id"].as_str().unwrap();
            hotel
                .sandbox
                .edit("Booking__c", id, empty.as_object().unwrap())
                .unwrap();
            let before = hotel.row("Booking__c", "Name", &number);
            hotel
                .sandbox
                .add_fault(salesforce("composite", FaultKind::Status).status(503));
            hotel.watched.blind_the_guard();
            let elsewhere = async {
                tokio::time::sleep(Duration::from_millis(200)).await;
                booked_elsewhere(&hotel, &room, "2026-03-11", "2026-03-13").await;
            };
            let mut input = json!({ "booking_number": number, "room_number": room, "check_out_date": "2026-03-13" });
            if empty.get("Primary_Guest__c").is_some() {
                input["new_guest_email"] = json!(BETH);
            }
            let (filled, ()) = futures::join!(
                call_as_front_desk(&hotel, "manage_bookings", "f1", input),
                elsewhere
            );
            assert_eq!(filled.error(), Some(ErrorCode::RoomAlreadyBooked));
            assert!(hotel.run_until_idle(DAY).await);
            let after = hotel.row("Booking__c", "Name", &number);
            for field in [
                "Room__c",
                "Check_In_Date__c",
                "Check_Out_Date__c",
                "Primary_Guest__c",
            ] {
                assert_eq!(after[field], before[field], "{empty}: {field}");
            }
            assert_eq!(bookings(&hotel, &room).len(), 1);
        });
    }
}

/// The guest is in the house: whoever fills in a room moves them into it.
#[test]
fn a_room_filled_in_during_the_stay_becomes_occupied() {
    for rival in [false, true] {
        on_virtual_time(async {
            let org = OrgSettings {
                stamps: TimestampPrecision::EXACT,
                ..OrgSettings::default()
            };
            let hotel = SimulatedHotel::new(Setup {
                org,
                ..Setup::default()
            });
            let beth = hotel.row("Booking__c", "Name", "BK-0042");
            let edit = |object: &str, id: &Value, fields: Value| {
                let fields = fields.as_object().unwrap();
                let id = id.as_str().unwrap();
                hotel.sandbox.edit(object, id, fields).unwrap();
            };
            edit("Booking__c", &beth["Id"], json!({ "Room__c": null }));
            let room = |number: &str| {
                let room = hotel.row("Hotel_Room__c", "Room_Number__c", number);
                (room["Status__c"].clone(), room["Current_Guest__c"].clone())
            };
            let fill = async |number: &str, token: &str| {
                let input = json!({ "booking_number": "BK-0042", "room_number": number, "check_out_date": "2026-03-12" });
                call_as_front_desk(&hotel, "manage_bookings", token, input).await
            };
            let mut dirty = hotel.records("Hotel_Room__c").into_iter();
            let dirty = dirty.find(|room| room["Status__c"] == "Cleaning").unwrap();
            let refused = fill(dirty["Room_Number__c"].as_str().unwrap(), "f1").await;
            assert_eq!(
                refused.error(),
                Some(ErrorCode::RoomNotVacant),
                "{}",
                details(&refused)
            );

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
                hotel
                    .sandbox
                    .add_fault(salesforce("composite", FaultKind::Status).status(503));
                hotel.watched.blind_the_guard();
                let elsewhere = async {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                    booked_elsewhere(&hotel, &new, TODAY, "2026-03-12").await;
                };
                let (filled, ()) = futures::join!(fill(&new, "f3"), elsewhere);
                assert_eq!(filled.error(), Some(ErrorCode::RoomAlreadyBooked));
                assert!(hotel.run_until_idle(DAY).await);
                assert_eq!(room(&new), (json!("Vacant"), Value::Null));
                assert!(hotel.row("Booking__c", "Name", "BK-0042")["Room__c"].is_null());
            } else {
                data(&fill(&new, "f3").await);
                assert_eq!(
                    room(&new),
                    (json!("Occupied"), beth["Primary_Guest__c"].clone())
                );
                assert!(hotel.run_until_idle(DAY).await);
            }
        });
    }
}

/// Its nights never had a price, and the folio's amount is for the other booking.
#[test]
fn a_booking_on_a_shared_folio_is_not_filled_for_free() {
    on_virtual_time(async {
        let hotel = world();
        let all = hotel.records("Booking__c");
        let shared = all.iter().find(|one| {
            let folio = &one["Opportunity__c"];
            all.iter()
                .filter(|other| other["Opportunity__c"] == *folio)
                .count()
                > 1
        });
        let shared = shared.unwrap();
        let sale = || {
            hotel.row(
                "Opportunity",
                "Id",
                shared["Opportunity__c"].as_str().unwrap(),
            )
        };
        let before = sale()["Amount"].clone();
        let (id, empty) = (
            shared["Id"].as_str().unwrap(),
            json!({ "Check_Out_Date__c": null }),
        );
        hotel
            .sandbox
            .edit("Booking__c", id, empty.as_object().unwrap())
            .unwrap();
        let input = json!({ "booking_number": shared["Name"], "check_out_date": "2026-03-25" });
        let filled = call_as_front_desk(&hotel, "manage_bookings", "f1", input).await;
        assert_eq!(
            filled.error(),
            Some(ErrorCode::InvalidTransition),
            "{}",
            details(&filled)
        );
        assert_eq!(sale()["Amount"], before);
        assert!(hotel.row("Booking__c", "Id", id)["Check_Out_Date__c"].is_null());
    });
}

/// What a booking lacks never keeps it from being ended.
#[test]
fn a_booking_that_was_never_complete_is_canceled() {
    for (empty, lost) in [
        (json!({ "Room__c": null }), false),
        (json!({ "Room__c": null }), true),
        (
            json!({ "Room__c": null, "Check_In_Date__c": null, "Check_Out_Date__c": null, "Primary_Guest__c": null }),
            false,
        ),
    ] {
        on_virtual_time(async {
            let hotel = world();
            let room = free_room(&hotel).await;
            let number = booked(&hotel, &room, "2026-03-11", "2026-03-13").await;
            let id = hotel.row("Booking__c", "Name", &number)["Id"].clone();
            let fields = empty.as_object().unwrap();
            hotel
                .sandbox
                .edit("Booking__c", id.as_str().unwrap(), fields)
                .unwrap();
            if lost {
                hotel
                    .sandbox
                    .add_fault(salesforce("composite", FaultKind::TimeoutAfterEffect));
            }
            if fields.contains_key("Check_In_Date__c") {
                let gone = json!({ "booking_number": number, "action": "no_show" });
                let gone = call_as_front_desk(&hotel, "manage_bookings", "n1", gone).await;
                assert_eq!(gone.error(), Some(ErrorCode::InvalidTransition));
            }
            let cancel = json!({ "booking_number": number, "action": "cancel" });
            let answer = call_as_front_desk(&hotel, "manage_bookings", "c1", cancel).await;
            let over = data(&answer);
            assert_eq!(over["booking_status"], "Cancelled");
            assert_eq!(over.get("room_number"), None, "{over}");
            let after = hotel.row("Booking__c", "Name", &number);
            assert_eq!(after["Status__c"], "Cancelled");
            for field in fields.keys() {
                assert!(after[field].is_null(), "{field}");
            }
            let sale = after["Opportunity__c"].as_str().unwrap();
            assert_eq!(
                hotel.row("Opportunity", "Id", sale)["StageName"],
                "Closed Lost"
            );
            assert!(hotel.run_until_idle(DAY).await);
            assert_eq!(violations(&hotel), Vec::<String>::new());
        });
    }
}
