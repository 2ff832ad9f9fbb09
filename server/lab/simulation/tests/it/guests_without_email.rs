//! People without an email are guests too: at the desk the booking number alone names them, in every
//! tool that begins from a person.

use crate::prelude::*;

/// Clears the email of the guest with it; returns their booking number.
fn without_email(hotel: &SimulatedHotel, email: &str) -> String {
    let contact = hotel.contact(email);
    let id = contact["Id"].as_str().unwrap();
    hotel.blank("Contact", &contact, &["Email", "Unique_Email__c"]);
    hotel.row("Booking__c", "Primary_Guest__c", id)["Name"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn data(answer: &ToolAnswer) -> Value {
    let body = answer.body(Persona::Staff);
    assert!(answer.status() < 300, "{body}");
    body["data"].clone()
}

fn sent_texts(hotel: &SimulatedHotel) -> usize {
    let state = hotel.sandbox.state();
    state["twilio"]["messages"].as_array().map_or(0, Vec::len)
}

#[tokio::test(start_paused = true)]
async fn every_tool_that_begins_from_a_person_takes_the_booking_alone() {
    let hotel = with(vec![]);
    let number = without_email(&hotel, "sarah@example.com");
    let named = || json!({ "booking_number": number });
    let with = |more: Value| {
        let mut input = named();
        input
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        input
    };
    let before = sent_texts(&hotel);
    let inside = hotel.staff("check_in_guest", "in", named()).await;
    assert_eq!(data(&inside)["booking_status"], "Checked In");
    let balance = data(&hotel.staff("get_folio", None, named()).await)["balance"].clone();
    for (tool, input) in [
        (
            "submit_guest_service_request",
            json!({ "type": "Housekeeping", "description": "Two towels" }),
        ),
        (
            "submit_maintenance_request",
            json!({ "description": "The lamp is broken" }),
        ),
        (
            "manage_cases",
            json!({ "type": "Concierge", "subject": "A taxi" }),
        ),
    ] {
        let case = data(&hotel.staff(tool, tool, with(input)).await);
        let case = hotel.case(case["case_number"].as_str().unwrap());
        let booking = hotel.booking(&number);
        assert_eq!(case["ContactId"], booking["Primary_Guest__c"], "{tool}");
    }
    let pay = json!({ "amount": balance, "payment_method_id": "pm_card_visa" });
    let out = hotel
        .staff("process_guest_checkout", "out", with(pay))
        .await;
    assert_eq!(data(&out)["booking_status"], "Checked Out");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(
        sent_texts(&hotel),
        before + 2,
        "welcome and farewell by phone"
    );
    let customers = hotel.sandbox.calls().into_iter().filter(|call| {
        call.system == System::Stripe && call.method == "GET" && call.operation == "customers"
    });
    assert_eq!(customers.count(), 0, "nobody's customer is looked up");
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn the_booking_alone_finds_the_card_and_the_labels_of_a_guest_with_an_email() {
    let hotel = with(vec![]);
    let named = json!({ "booking_number": "BK-0042", "amount": 25_000 });
    let out = hotel.staff("process_guest_checkout", "out", named).await;
    assert_eq!(data(&out)["amount"], 25_000, "by the saved card");
    let label = ("guest_email".to_owned(), BETH.to_owned());
    assert!(hotel.only().labels.contains(&label));
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn nobody_named_is_an_error_that_names_the_way_out() {
    let hotel = with(vec![]);
    without_email(&hotel, "sarah@example.com");
    for input in [json!({}), json!({ "booking_number": "BK-9999" })] {
        let answer = hotel.staff("check_in_guest", "t", input.clone()).await;
        let body = answer.body(Persona::Staff);
        match input["booking_number"].as_str() {
            None => {
                let problem = &body["details"]["problems"][0];
                assert_eq!(problem["field"], "guest_email", "{body}");
                assert!(
                    problem["message"]
                        .as_str()
                        .unwrap()
                        .contains("booking_number")
                );
            }
            Some(_) => assert_refused(&answer, ErrorCode::ReservationNotFound),
        }
    }
    // A guest stays bound to their own email, whatever booking they name.
    let other = hotel.booking("BK-0034")["Name"].clone();
    let answer = hotel
        .beth("get_folio", None, json!({ "booking_number": other }))
        .await;
    assert_refused(&answer, ErrorCode::BookingNotFound);
}

/// Staff book for whoever stands at the desk, and again by an earlier booking.
#[tokio::test(start_paused = true)]
async fn a_walk_in_without_an_email_is_booked_once_by_name_and_phone() {
    for fault in [
        None,
        Some(FaultKind::TimeoutAfterEffect),
        Some(FaultKind::LateEffect),
    ] {
        let hotel = with(vec![]);
        if let Some(kind) = fault {
            let fault = Fault::new(System::Salesforce, "composite", kind);
            hotel.fault(fault.ms(60_000));
        }
        let mut input = json!({ "guest_first_name": "Ida", "guest_last_name": "Walker",
                "room_type": "Standard", "check_in_date": "2026-03-10", "check_out_date": "2026-03-11" });
        let nobody = hotel.staff("create_booking", "w0", input.clone()).await;
        let body = nobody.body(Persona::Staff);
        assert_refused(&nobody, ErrorCode::ValidationFailed);
        assert!(
            body["details"].to_string().contains("guest_phone"),
            "{body}"
        );
        input["guest_phone"] = json!("+1 212 555 0147");
        hotel.staff("create_booking", "w1", input.clone()).await;
        assert!(hotel.run_until_idle(DAY).await);
        let booked = data(&hotel.staff("create_booking", "w1", input).await);
        let walkers = || -> Vec<Value> {
            let all = hotel.records("Contact").into_iter();
            all.filter(|contact| contact["LastName"] == "Walker")
                .collect()
        };
        let [ida] = <[Value; 1]>::try_from(walkers()).unwrap();
        assert!(ida["Email"].is_null(), "{ida}");
        let number = booked["booking_number"].as_str().unwrap();
        let booking = hotel.booking(number);
        assert_eq!(booking["Primary_Guest__c"], ida["Id"]);
        let again = json!({ "same_guest_as": number, "room_type": "Standard",
                "check_in_date": "2026-03-20", "check_out_date": "2026-03-21" });
        let again = data(&hotel.staff("create_booking", "w2", again).await);
        assert_eq!(again["contact_created"], false);
        let again = hotel.booking(again["booking_number"].as_str().unwrap());
        assert_eq!(again["Primary_Guest__c"], ida["Id"]);
        assert_eq!(walkers().len(), 1);
        let inside = json!({ "booking_number": number });
        let inside = hotel.staff("check_in_guest", "in", inside).await;
        assert_eq!(data(&inside)["booking_status"], "Checked In");
        hotel.ends_sound().await;
    }
}

/// Whoever stays in a room is named by the room alone, too.
#[tokio::test(start_paused = true)]
async fn a_room_names_whoever_stays_in_it() {
    let hotel = with(vec![]);
    without_email(&hotel, BETH);
    let room = json!({ "room_number": "302" });
    let folio = data(&hotel.staff("get_folio", None, room.clone()).await);
    assert_eq!(folio["booking_number"], "BK-0042");
    let towels = json!({ "room_number": "302", "type": "Housekeeping", "description": "Towels" });
    let case = data(
        &hotel
            .staff("submit_guest_service_request", "r1", towels)
            .await,
    );
    let case = hotel.case(case["case_number"].as_str().unwrap());
    let booking = hotel.booking("BK-0042");
    assert_eq!(case["ContactId"], booking["Primary_Guest__c"]);
    let empty = json!({ "room_number": "204" });
    let nobody = hotel.staff("get_folio", None, empty).await;
    assert_refused(&nobody, ErrorCode::BookingNotFound);
    let pay = json!({ "room_number": "302", "amount": folio["balance"], "payment_method_id": "pm_card_visa" });
    let out = hotel.staff("process_guest_checkout", "out", pay).await;
    assert_eq!(data(&out)["booking_status"], "Checked Out");
    hotel.ends_sound().await;
}
