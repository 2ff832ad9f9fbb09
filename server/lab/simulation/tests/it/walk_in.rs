//! A walk-in: booked and checked in by one call, and never half of it without a word.

use crate::prelude::*;

fn walk_in(more: Value) -> Value {
    let mut input = json!({ "guest_first_name": "Ida", "guest_last_name": "Walker", "guest_phone": "+1 212 555 0147",
        "room_type": "Standard", "check_in_date": "2026-03-10", "check_out_date": "2026-03-11", "check_in": true });
    input
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    input
}

fn data(answer: &ToolAnswer) -> Value {
    let body = answer.body(Persona::Staff);
    assert!(answer.status() < 300, "{body}");
    body["data"].clone()
}

fn booked(hotel: &SimulatedHotel) -> Vec<Value> {
    let ids: Vec<_> = of(hotel, "walk_in")
        .iter()
        .map(|run| run.id.to_string())
        .collect();
    let mut all = hotel.records("Booking__c");
    all.retain(|row| ids.iter().any(|id| row["External_ID__c"] == *id));
    all
}

/// Texts to the walk-in's guest.
fn texts(hotel: &SimulatedHotel) -> Vec<String> {
    let state = hotel.sandbox.state();
    let sent = state["twilio"]["messages"].as_array().cloned();
    let body = |text: Value| text["body"].as_str().unwrap_or_default().to_owned();
    sent.unwrap_or_default().into_iter().map(body).collect()
}

/// The two composites are the booking and the check-in: whatever becomes of either, both are done
/// once, and the call that is repeated meanwhile is the same walk-in.
#[tokio::test(start_paused = true)]
async fn a_fault_in_either_part_or_between_them_loses_and_repeats_nothing() {
    use FaultKind::*;
    let kinds = [
        TimeoutBeforeEffect,
        TimeoutAfterEffect,
        LateEffect,
        ResetAfterEffect,
        DeliveredTwice,
        UnableToLockRow,
    ];
    for kind in kinds {
        for part in [0, 1] {
            let hotel = with(vec![]);
            let fault = Fault::new(System::Salesforce, "composite", kind).skip(part);
            hotel.fault(fault.ms(60_000));
            hotel.staff("create_booking", "w", walk_in(json!({}))).await;
            assert!(hotel.run_until_idle(DAY).await, "{kind:?} {part}");
            let booking = data(&hotel.staff("create_booking", "w", walk_in(json!({}))).await);
            assert_eq!(booking["booking_status"], "Checked In", "{kind:?} {part}");
            assert_eq!(booking["note"], Value::Null, "{kind:?} {part}");
            let [row] = <[Value; 1]>::try_from(booked(&hotel)).unwrap();
            assert_eq!(row["Status__c"], "Checked In");
            let room = hotel.row("Hotel_Room__c", "Id", row["Room__c"].as_str().unwrap());
            assert_eq!(room["Status__c"], "Occupied", "{kind:?} {part}");
            assert_eq!(room["Current_Guest__c"], row["Primary_Guest__c"]);
            assert_eq!(texts(&hotel).len(), 1, "{:?}", texts(&hotel));
            assert!(
                texts(&hotel)[0].contains("You are checked in"),
                "{:?}",
                texts(&hotel)
            );
            hotel.ends_sound().await;
        }
    }
}

/// The booking system is down for an hour after the booking: the caller is told that it goes on, and
/// it does.
#[tokio::test(start_paused = true)]
async fn an_outage_between_the_parts_is_waited_out() {
    let hotel = with(vec![]);
    let down = Fault::new(System::Salesforce, "composite", FaultKind::Status);
    hotel.fault(down.status(503).skip(1).count(0));
    let answer = hotel.staff("create_booking", "w", walk_in(json!({}))).await;
    assert!(matches!(answer, ToolAnswer::Pending { .. }), "{answer:?}");
    assert_eq!(booked(&hotel)[0]["Status__c"], "Reserved");
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!(booked(&hotel)[0]["Status__c"], "Reserved");
    hotel.sandbox.clear_faults();
    hotel.ends_sound().await;
    let answer = hotel.staff("create_booking", "w", walk_in(json!({}))).await;
    assert_eq!(data(&answer)["booking_status"], "Checked In");
    assert_eq!(booked(&hotel).len(), 1);
}

/// Somebody closes the room between the two parts: the booking stands, and the answer says that the
/// guest is not checked in.
#[tokio::test(start_paused = true)]
async fn a_check_in_that_became_impossible_is_told_and_the_booking_stands() {
    let hotel = with(vec![]);
    let down = Fault::new(System::Salesforce, "composite", FaultKind::Status);
    hotel.fault(down.status(503).skip(1).count(0));
    hotel.staff("create_booking", "w", walk_in(json!({}))).await;
    let row = booked(&hotel).remove(0);
    hotel.edit(
        "Hotel_Room__c",
        &row["Room__c"],
        json!({ "Status__c": "Maintenance" }),
    );
    hotel.sandbox.clear_faults();
    hotel.ends_sound().await;
    let booking = data(&hotel.staff("create_booking", "w", walk_in(json!({}))).await);
    assert_eq!(booking["booking_status"], "Reserved");
    let note = booking["note"].as_str().unwrap();
    assert!(note.contains("the guest is not checked in"), "{note}");
    assert_eq!(booked(&hotel)[0]["Status__c"], "Reserved");
    assert!(
        texts(&hotel)[0].contains("is yours from"),
        "{:?}",
        texts(&hotel)
    );
    // Tried again once the room is ready
    hotel.edit(
        "Hotel_Room__c",
        &row["Room__c"],
        json!({ "Status__c": "Vacant" }),
    );
    let again = json!({ "booking_number": booking["booking_number"] });
    let again = hotel.staff("check_in_guest", "again", again).await;
    assert_eq!(data(&again)["booking_status"], "Checked In");
    hotel.ends_sound().await;
}

/// Nothing is written for somebody who could not move in now.
#[tokio::test(start_paused = true)]
async fn a_room_that_is_not_ready_and_another_day_are_refused_before_anything_is_written() {
    let hotel = with(vec![]);
    let before = hotel.records("Booking__c").len();
    let mut rooms = hotel.records("Hotel_Room__c").into_iter();
    let dirty = rooms.find(|room| room["Status__c"] == "Cleaning").unwrap();
    let dirty = dirty["Room_Number__c"].clone();
    let mut input = walk_in(json!({ "room_number": dirty }));
    input.as_object_mut().unwrap().remove("room_type");
    let answer = hotel.staff("create_booking", "dirty", input).await;
    assert_refused(&answer, ErrorCode::RoomNotVacant);
    let later = walk_in(json!({ "check_in_date": "2026-03-20", "check_out_date": "2026-03-21" }));
    let answer = hotel.staff("create_booking", "later", later).await;
    assert_refused(&answer, ErrorCode::DatesInvalid);
    assert!(format!("{answer:?}").contains("A walk-in arrives today, and leaves on a later day."));
    // Guests check in by themselves
    let own = json!({ "room_type": "Standard", "check_in_date": "2026-03-10", "check_out_date": "2026-03-11", "check_in": true });
    let answer = hotel.beth("create_booking", "own", own).await;
    assert_refused(&answer, ErrorCode::ValidationFailed);
    assert_eq!(hotel.records("Booking__c").len(), before);
}

/// Undone like any other check-in.
#[tokio::test(start_paused = true)]
async fn the_check_in_of_a_walk_in_is_undone_and_the_booking_stays() {
    let hotel = with(vec![]);
    let booking = data(&hotel.staff("create_booking", "w", walk_in(json!({}))).await);
    assert_eq!(booking["booking_status"], "Checked In");
    let number = booking["booking_number"].clone();
    let undo = json!({ "booking_number": number });
    let undone = data(&hotel.staff("undo_check_in", "u", undo).await);
    assert_eq!(undone["booking_status"], "Reserved");
    assert_eq!(undone["room_status"], "Vacant");
    hotel.ends_sound().await;
}

/// The number of a guest on file is asked about before anybody is written a second time: it may be the
/// same person, or one of a family.
#[tokio::test(start_paused = true)]
async fn a_phone_number_on_file_is_asked_about_and_either_answer_books_once() {
    let contacts = |hotel: &SimulatedHotel| hotel.records("Contact").len();
    let beth = |hotel: &SimulatedHotel| hotel.row("Contact", "Email", BETH);
    for same in [true, false] {
        let hotel = with(vec![]);
        let (known, phone) = (contacts(&hotel), beth(&hotel)["Phone"].clone());
        // With an email of their own as well
        for (n, email) in [Value::Null, json!("ida@example.com")].iter().enumerate() {
            let input = walk_in(json!({ "guest_phone": phone, "guest_email": email }));
            let answer = hotel.staff("create_booking", &format!("w{n}"), input).await;
            assert_refused(&answer, ErrorCode::PhoneOfAnotherGuest);
        }
        let answer = hotel
            .staff(
                "create_booking",
                "w",
                walk_in(json!({ "guest_phone": phone })),
            )
            .await;
        let details = answer.body(Persona::Staff)["details"].clone();
        let [guest] = details["guests"].as_array().unwrap().as_slice() else {
            panic!("{details}");
        };
        assert_eq!([&guest["name"], &guest["email"]], ["Beth Gibbs", BETH]);
        assert_eq!(contacts(&hotel), known);
        let chosen = match same {
            true => json!({ "same_guest_as": guest["same_guest_as"], "guest_phone": null }),
            false => json!({ "guest_phone": phone, "repeat_of": details["similar"]["number"] }),
        };
        let booking = data(
            &hotel
                .staff("create_booking", "chosen", walk_in(chosen))
                .await,
        );
        assert_eq!(booking["booking_status"], "Checked In");
        let [row] = <[Value; 1]>::try_from(booked(&hotel)).unwrap();
        assert_eq!(row["Primary_Guest__c"] == beth(&hotel)["Id"], same);
        assert_eq!(contacts(&hotel), known + usize::from(!same));
        hotel.ends_sound().await;
    }
}
