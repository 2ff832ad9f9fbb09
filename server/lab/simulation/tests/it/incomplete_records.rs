//! Incomplete records: each affects only itself, and an operation that needs the missing value
//! reports its name.

use crate::prelude::*;

fn blank_room(hotel: &SimulatedHotel, number: &str, field: &str) {
    hotel.blank("Hotel_Room__c", &hotel.room(number), &[field]);
}

fn data(answer: &ToolAnswer) -> Value {
    match answer {
        ToolAnswer::Settled {
            settled: FinalAnswer::Done { data, .. },
            ..
        } => data.clone(),
        other => panic!("{}", other.body(Persona::Staff)),
    }
}

fn incomplete(answer: &ToolAnswer, problem: &str) {
    let body = answer.body(Persona::Staff);
    assert_eq!(
        (
            body["error_code"].as_str(),
            body["details"]["problem"].as_str()
        ),
        (Some("RECORD_INCOMPLETE"), Some(problem))
    );
    assert_eq!(body["retry_safe"], false);
}

#[tokio::test(start_paused = true)]
async fn a_room_without_a_status_breaks_neither_board_nor_search() {
    let hotel = with(vec![]);
    let board = BoardService::new(Arc::clone(&hotel.processes[0]));
    blank_room(&hotel, "204", "Status__c");
    let manager = Caller::staff("somebody@dewy.example", Role::Manager, Interface::Form);
    let snapshot = board.snapshot(&manager).await.unwrap();
    assert_eq!(
        (snapshot.rooms.len(), snapshot.problems()),
        (44, vec!["Room 204: status is empty".to_owned()])
    );
    let rooms = hotel
        .staff("search_rooms_on_behalf_of_staff", None, json!({}))
        .await;
    let rooms = data(&rooms)["rooms"].as_array().unwrap().clone();
    let room = rooms
        .iter()
        .find(|room| room["room_number"] == "204")
        .unwrap();
    assert_eq!(
        (room["problems"].clone(), rooms.len()),
        (json!(["Room 204: status is empty"]), 44)
    );
    let set = hotel
        .staff(
            "set_room_status",
            "s1",
            json!({ "room_number": "204", "status": "Vacant" }),
        )
        .await;
    assert_eq!(data(&set)["room_status"], "Vacant", "nobody had set one");
    assert!(hotel.run_until_idle(DAY).await);
}

#[tokio::test(start_paused = true)]
async fn a_room_without_a_rate_is_not_sold_and_names_the_reason() {
    let hotel = with(vec![]);
    let nights =
        json!({ "check_in_date": "2026-03-20", "check_out_date": "2026-03-22", "limit": 50 });
    let search = || hotel.staff("search_available_rooms", None, nights.clone());
    let free = search().await;
    let rooms = data(&free)["rooms"].as_array().unwrap().clone();
    let number = text_of(&rooms[0]["room_number"]);
    blank_room(&hotel, &number, "Nightly_Rate__c");
    let free = search().await;
    assert_eq!(items(&data(&free)["rooms"]).len(), rooms.len() - 1);
    let input = json!({ "room_number": number, "check_in_date": "2026-03-20", "check_out_date": "2026-03-22",
            "number_of_guests": 1, "guest_email": BETH, "guest_first_name": "Beth", "guest_last_name": "Gibbs" });
    let booked = hotel.staff("create_booking", "b1", input).await;
    incomplete(
        &booked,
        &format!("Room {number}: nightly rate is empty, or hidden from our user."),
    );
    assert!(hotel.run_until_idle(DAY).await);
}

#[tokio::test(start_paused = true)]
async fn a_folio_without_an_amount_refuses_check_out_and_names_the_field() {
    let hotel = with(vec![]);
    let room = hotel.room("302");
    let booking = hotel.row("Booking__c", "Room__c", room["Id"].as_str().unwrap());
    hotel.blank("Opportunity", &booking["Opportunity__c"], &["Amount"]);
    incomplete(
        &hotel.check_out("t1").await,
        "The stay's opportunity: Amount is empty.",
    );
    // What is known is shown, but no sum
    let folio = data(&hotel.beth("get_folio", None, json!({})).await);
    let missing = "The stay's opportunity: Amount is empty.";
    assert_eq!(
        (&folio["incomplete"], folio.get("balance")),
        (&json!(missing), None)
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert!(
        hotel.ledger().values().all(|(_, _, owner)| owner.is_none()),
        "nothing was charged"
    );
}

#[tokio::test(start_paused = true)]
async fn a_folio_without_a_guest_is_shown_to_staff_and_not_paid() {
    let hotel = with(vec![]);
    let room = hotel.room("302");
    let booking = hotel.row("Booking__c", "Room__c", room["Id"].as_str().unwrap());
    hotel.blank("Booking__c", &booking["Id"], &["Primary_Guest__c"]);
    let number = json!({ "booking_number": booking["Name"] });
    let folio = data(&hotel.staff("get_folio", None, number.clone()).await);
    assert_eq!(
        (&folio["balance"], &folio["saved_cards"]),
        (&json!(25_000), &json!([]))
    );
    let mut order = number;
    order["amount"] = json!(25_000);
    let problem = format!(
        "Booking {}: Primary Guest is empty.",
        text_of(&booking["Name"])
    );
    let answer = hotel
        .front_desk("process_guest_checkout", "c1", order)
        .await;
    incomplete(&answer, &problem);
    assert!(hotel.run_until_idle(DAY).await);
}

#[tokio::test(start_paused = true)]
async fn a_line_without_an_amount_is_shown_by_name_and_only_the_sum_is_missing() {
    let hotel = with(vec![]);
    for (token, amount, what) in [("c1", 900, "Spa"), ("c2", 700, "Tea")] {
        let input = json!({ "room_number": "302", "amount": amount, "description": what });
        let posted = hotel.front_desk("post_charge", token, input).await;
        assert_eq!(posted.status(), 201, "{posted:?}");
    }
    let folio = async || data(&hotel.beth("get_folio", None, json!({})).await);
    let named = |folio: &Value, what: &str| {
        let lines = items(&folio["lines"]).to_vec();
        lines
            .into_iter()
            .find(|line| line["description"] == what)
            .unwrap()
    };
    let before = folio().await;
    let spa = text_of(&named(&before, "Spa")["number"]);
    let record = hotel.row("Payment_Transaction__c", "Name", &spa);
    hotel.blank("Payment_Transaction__c", &record, &["Amount__c"]);
    let after = folio().await;
    let problem = format!("Folio line {spa}: Amount is empty.");
    assert_eq!(
        (&after["incomplete"], after.get("balance")),
        (&json!(problem), None)
    );
    assert_eq!(named(&after, "Spa").get("amount"), None);
    assert_eq!(named(&after, "Tea")["amount"], 700);
    assert!(text_of(&after["balance_text"]).contains(&spa), "{after}");
    let out = json!({ "booking_number": "BK-0042", "amount": 26600 });
    incomplete(
        &hotel.staff("process_guest_checkout", "o1", out).await,
        &problem,
    );
    // The line can be voided, and then nothing is missing
    let void = json!({ "booking_number": "BK-0042", "charge_number": spa, "void": true });
    let voided = hotel.front_desk("post_charge", "v1", void).await;
    assert!(voided.status() < 300, "{}", voided.body(Persona::Staff));
    let whole = folio().await;
    assert_eq!(
        (whole["balance"].as_i64(), whole.get("incomplete")),
        (Some(25_700), None)
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert!(hotel.ledger().values().all(|(_, _, owner)| owner.is_none()));
}

/// Only what is charged needs the amounts.
#[tokio::test(start_paused = true)]
async fn a_folio_without_an_amount_blocks_neither_check_in_nor_changes_nor_a_cancellation() {
    let without_amount = || {
        let hotel = with(vec![]);
        let sarah = hotel.contact("sarah@example.com");
        let booking = hotel.row(
            "Booking__c",
            "Primary_Guest__c",
            sarah["Id"].as_str().unwrap(),
        );
        hotel.blank("Opportunity", &booking["Opportunity__c"], &["Amount"]);
        (hotel, booking)
    };
    let (hotel, booking) = without_amount();
    let number = &booking["Name"];
    let quiet = json!({ "booking_number": number, "special_requests": "Quiet" });
    let changed = hotel.staff("manage_bookings", "m1", quiet).await;
    assert_eq!(data(&changed)["changed"], json!(["special_requests"]));
    assert!(
        hotel.opportunity_of(&booking)["Amount"].is_null(),
        "nobody has priced it"
    );
    let arrived = hotel
        .staff("check_in_guest", "i1", json!({ "booking_number": number }))
        .await;
    assert_eq!(data(&arrived)["booking_status"], "Checked In");
    let spa = json!({ "booking_number": number, "amount": 900, "description": "Spa" });
    let posted = hotel.staff("post_charge", "c1", spa).await;
    assert_eq!((posted.status(), data(&posted).get("balance")), (201, None));
    let out = json!({ "booking_number": number, "amount": 900 });
    incomplete(
        &hotel.staff("process_guest_checkout", "o1", out).await,
        "The stay's opportunity: Amount is empty.",
    );
    // A night more is priced, and with it the stay
    let to: jiff::civil::Date = booking["Check_Out_Date__c"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let longer = json!({ "booking_number": number, "check_out_date": to.tomorrow().unwrap() });
    let changed = data(&hotel.staff("manage_bookings", "m2", longer).await);
    assert!(changed["amount"].as_i64().unwrap() > 0, "{changed}");
    let folio = hotel
        .staff("get_folio", None, json!({ "booking_number": number }))
        .await;
    let owed = changed["amount"].as_i64().map(|room| room + 900);
    assert_eq!(data(&folio)["balance"].as_i64(), owed);
    assert!(hotel.run_until_idle(DAY).await);
    let (hotel, booking) = without_amount();
    let cancel = json!({ "booking_number": booking["Name"], "action": "cancel" });
    let gone = hotel.staff("manage_bookings", "m1", cancel).await;
    assert_eq!(data(&gone)["booking_status"], "Cancelled");
    assert!(hotel.run_until_idle(DAY).await);
}

#[tokio::test(start_paused = true)]
async fn check_out_is_exact_with_paged_lists() {
    let org = OrgSettings {
        page_size: Some(1),
        ..OrgSettings::default()
    };
    let hotel = set_up(|s| s.org = org);
    let input = json!({ "room_number": "302", "amount": 700, "description": "Breakfast" });
    assert_eq!(
        hotel
            .staff("post_charge", "c1", input.clone())
            .await
            .status(),
        201
    );
    let mut other = input;
    other["description"] = json!("Lunch");
    other["amount"] = json!(701);
    assert_eq!(hotel.staff("post_charge", "c2", other).await.status(), 201);
    let folio = data(&hotel.beth("get_folio", None, json!({})).await);
    assert_eq!(folio["balance"], 26_401);
    let out = hotel
        .check_out_with("t1", json!({ "amount": 26_401 }))
        .await;
    assert_eq!(out.status(), 200, "{}", out.body(Persona::Staff));
    assert!(hotel.run_until_idle(DAY).await);
}

#[tokio::test(start_paused = true)]
async fn missing_booking_fields_are_named_to_the_guest_and_staff() {
    let hotel = with(vec![]);
    let sarah = hotel.contact("sarah@example.com");
    let theirs = hotel.row(
        "Booking__c",
        "Primary_Guest__c",
        sarah["Id"].as_str().unwrap(),
    );
    let own = hotel.booking("BK-0042");
    for booking in [&theirs, &own] {
        hotel.blank("Booking__c", booking, &["Check_Out_Date__c"]);
    }
    let change =
        |booking: &Value| json!({ "booking_number": booking["Name"], "special_requests": "Quiet" });
    let answer = hotel.beth("manage_bookings", "m1", change(&theirs)).await;
    assert_refused(&answer, ErrorCode::BookingNotFound);
    let nobodys = json!({ "booking_number": "BK-9999", "special_requests": "Quiet" });
    let unknown = hotel.beth("manage_bookings", "m2", nobodys).await;
    let told = |answer: &ToolAnswer, number: &str| {
        let mut body = answer.body(Persona::Guest);
        assert_eq!(body["details"]["booking_number"], number);
        body.as_object_mut()
            .unwrap()
            .retain(|name, _| !["details", "execution_id"].contains(&name.as_str()));
        body
    };
    let number = theirs["Name"].as_str().unwrap();
    assert_eq!(
        told(&answer, number),
        told(&unknown, "BK-9999"),
        "as if there were none"
    );
    let dates = |booking: &Value| json!({ "booking_number": booking["Name"], "check_in_date": "2026-03-12" });
    let answer = hotel.beth("manage_bookings", "m3", dates(&own)).await;
    assert_refused(&answer, ErrorCode::RecordIncomplete);
    let answer = hotel.staff("manage_bookings", "m4", dates(&theirs)).await;
    incomplete(
        &answer,
        &format!("Booking {number}: Check Out Date is empty."),
    );
    // Requests need no departure
    let answer = hotel.beth("manage_bookings", "m5", change(&own)).await;
    assert_eq!(data(&answer)["special_requests"], "Quiet");
    let answer = hotel.staff("manage_bookings", "m6", change(&theirs)).await;
    assert_eq!(data(&answer)["changed"], json!(["special_requests"]));
    let row = hotel.booking(number);
    assert_eq!(
        (&row["Special_Requests__c"], &row["Check_Out_Date__c"]),
        (&json!("Quiet"), &Value::Null)
    );
    assert!(hotel.run_until_idle(DAY).await);
}

#[tokio::test(start_paused = true)]
async fn a_booking_without_dates_or_guest_is_on_the_board_as_incomplete() {
    let hotel = with(vec![]);
    let bookings = hotel.records("Booking__c");
    let of = |status: &str| {
        bookings
            .iter()
            .find(|b| b["Status__c"] == status)
            .unwrap()
            .clone()
    };
    let (reserved, over) = (of("Reserved"), of("Checked Out"));
    for booking in [&reserved, &over] {
        hotel.blank(
            "Booking__c",
            booking,
            &["Check_In_Date__c", "Check_Out_Date__c", "Primary_Guest__c"],
        );
    }
    let board = BoardService::new(Arc::clone(&hotel.processes[0]));
    let manager = Caller::staff("somebody@dewy.example", Role::Manager, Interface::Form);
    let snapshot = board.snapshot(&manager).await.unwrap();
    let number = reserved["Name"].as_str().unwrap();
    let expected = ["arrival", "departure", "guest"]
        .map(|field| format!("Booking {number}: {field} is empty"));
    assert_eq!(snapshot.problems(), expected);
    let crew = Role::Housekeeping;
    let crew = Caller::staff("crew@dewy.example", crew, Interface::Form);
    let seen = board.snapshot(&crew).await.unwrap();
    assert_eq!(
        seen.problems(),
        expected,
        "they see no guest of any booking"
    );
    let over = over["Name"].as_str().unwrap();
    assert!(
        snapshot
            .bookings
            .iter()
            .all(|booking| booking.booking_number != over),
        "what is over needs no dates"
    );
}
