//! Words that the org added (W15): each known word of each vocabulary is replaced by one that we
//! don't know, which is never taken for a harmless one and is shown as it is.

use dewy_domain::vocabulary::{
    BookingStatus, CasePriority, CaseStatus, CaseType, LineStatus, OpportunityStage, RoomStatus,
};

use crate::prelude::*;

/// No vocabulary has it.
const UNKNOWN: &str = "Chimera";
const FROM: &str = "2026-03-20";
const TO: &str = "2026-03-22";

fn open() -> SimulatedHotel {
    with(vec![])
}

fn data(answer: &ToolAnswer) -> Value {
    let body = answer.body(Persona::Staff);
    assert!(answer.status() < 300, "{body}");
    body["data"].clone()
}

fn id(row: &Value) -> &str {
    row["Id"].as_str().unwrap()
}

fn set(hotel: &SimulatedHotel, object: &str, row: &Value, field: &str) {
    hotel
        .sandbox
        .set_word(object, id(row), field, UNKNOWN)
        .unwrap();
}

/// A record of the seed with this word.
fn with_word(hotel: &SimulatedHotel, object: &str, field: &str, word: &str) -> Value {
    let mut all = hotel.records(object).into_iter();
    let found = all.find(|row| row[field] == word);
    found.unwrap_or_else(|| panic!("the seed has no {object} with {field} {word}"))
}

async fn offered(hotel: &SimulatedHotel, from: &str, to: &str) -> Vec<String> {
    let input = json!({ "check_in_date": from, "check_out_date": to, "limit": 50 });
    let found = data(&hotel.staff("search_available_rooms", None, input).await);
    let rooms = items(&found["rooms"]).iter();
    rooms.map(|room| text_of(&room["room_number"])).collect()
}

async fn book(hotel: &SimulatedHotel, room: &str, from: &str, to: &str) -> Option<ErrorCode> {
    let input = json!({ "room_number": room, "check_in_date": from, "check_out_date": to,
        "guest_email": "new@example.com", "guest_first_name": "N", "guest_last_name": "Ew" });
    hotel.staff("create_booking", "book", input).await.error()
}

fn manager() -> Caller {
    Caller::staff("manager@dewy.example", Role::Manager, Interface::Form)
}

async fn snapshot(hotel: &SimulatedHotel) -> Arc<dewy_domain::ports::HotelSnapshot> {
    let board = BoardService::new(Arc::clone(&hotel.processes[0]));
    board.snapshot(&manager()).await.unwrap()
}

async fn rests(hotel: &SimulatedHotel) {
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(violations(hotel), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_booking_in_an_unknown_status_holds_its_room_and_nothing_else_happens_to_it() {
    for word in BookingStatus::WORDS {
        let hotel = open();
        let free = offered(&hotel, FROM, TO).await.remove(0);
        let room = hotel.room(&free);
        let booking = with_word(&hotel, "Booking__c", "Status__c", word);
        hotel.edit(
            "Booking__c",
            &booking,
            json!({ "Room__c": room["Id"], "Check_In_Date__c": FROM, "Check_Out_Date__c": TO }),
        );
        set(&hotel, "Booking__c", &booking, "Status__c");
        assert!(!offered(&hotel, FROM, TO).await.contains(&free), "{word}");
        assert_eq!(
            book(&hotel, &free, FROM, TO).await,
            Some(ErrorCode::RoomAlreadyBooked),
            "{word}"
        );
        let number = booking["Name"].as_str().unwrap();
        for (tool, input) in [
            ("check_in_guest", json!({ "check_in_date": FROM })),
            ("process_guest_checkout", json!({ "amount": 0 })),
            ("manage_bookings", json!({ "action": "cancel" })),
            ("manage_bookings", json!({ "special_requests": "Quiet" })),
        ] {
            let mut input = input;
            input["booking_number"] = json!(number);
            let token = format!("{tool}{input}");
            let answer = hotel.staff(tool, &token, input).await;
            assert_eq!(
                answer.error(),
                Some(ErrorCode::InvalidTransition),
                "{word}: {tool}"
            );
        }
        let folio = hotel
            .staff("get_folio", None, json!({ "booking_number": number }))
            .await;
        assert_eq!(data(&folio)["booking_status"], UNKNOWN);
        let shown = snapshot(&hotel).await;
        let shown = shown
            .bookings
            .iter()
            .find(|row| row.booking_number == number);
        assert_eq!(shown.map(|row| row.booking_status.as_str()), Some(UNKNOWN));
        rests(&hotel).await;
        let after = hotel.booking(number);
        assert_eq!(after["Status__c"], UNKNOWN, "{word}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_room_in_an_unknown_status_is_not_let_and_keeps_it() {
    for word in RoomStatus::WORDS {
        let hotel = open();
        let room = with_word(&hotel, "Hotel_Room__c", "Status__c", word);
        let number = room["Room_Number__c"].as_str().unwrap();
        let today = snapshot(&hotel).await.today;
        let tomorrow = today.tomorrow().unwrap().to_string();
        set(&hotel, "Hotel_Room__c", &room, "Status__c");
        for (from, to) in [
            (today.to_string(), tomorrow),
            (FROM.to_owned(), TO.to_owned()),
        ] {
            assert!(
                !offered(&hotel, &from, &to)
                    .await
                    .iter()
                    .any(|one| one == number),
                "{word}"
            );
        }
        assert_eq!(
            book(&hotel, number, FROM, TO).await,
            Some(ErrorCode::RoomOutOfService),
            "{word}"
        );
        let shown = snapshot(&hotel).await;
        let shown = shown.rooms.iter().find(|row| row.room.number == number);
        assert_eq!(shown.map(|row| row.room.status.as_str()), Some(UNKNOWN));
        let input = json!({ "room_number": number, "status": "Vacant" });
        let answer = hotel.staff("set_room_status", "set", input).await;
        assert!(answer.error().is_some(), "{word}: it may mean anything");
        rests(&hotel).await;
        let after = hotel.room(number);
        assert_eq!(after["Status__c"], UNKNOWN, "{word}");
    }
}

/// Statuses that somebody sets while the guest is in the room, those that we know and one that we
/// don't.
#[tokio::test(start_paused = true)]
async fn a_room_closed_during_the_stay_stays_closed_after_check_out() {
    for word in ["Maintenance", "Out of Service", UNKNOWN] {
        let hotel = open();
        let room = hotel.room("302");
        hotel
            .sandbox
            .set_word("Hotel_Room__c", id(&room), "Status__c", word)
            .unwrap();
        let out = hotel.check_out("out").await;
        assert_eq!(data(&out)["room_status"], word);
        rests(&hotel).await;
        let after = hotel.room("302");
        assert_eq!(after["Status__c"], word);
        assert!(after["Current_Guest__c"].is_null());
        let booking = hotel.booking("BK-0042");
        assert_eq!(booking["Status__c"], "Checked Out");
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_stage_blocks_no_arrival_and_stays() {
    for word in OpportunityStage::WORDS {
        let hotel = open();
        let booking = hotel.booking("BK-0034");
        let sale = hotel.opportunity_of(&booking);
        hotel.edit("Opportunity", &sale, json!({ "StageName": word }));
        set(&hotel, "Opportunity", &sale, "StageName");
        let input = json!({ "booking_number": "BK-0034" });
        let inside = data(&hotel.staff("check_in_guest", "in", input).await);
        assert_eq!(inside["opportunity_stage"], UNKNOWN, "{word}");
        rests(&hotel).await;
    }
}

/// The row of a charge of $7.00 on Beth's folio.
async fn posted_line(hotel: &SimulatedHotel) -> Value {
    let input = json!({ "room_number": "302", "amount": 700, "description": "Tea" });
    let posted = data(&hotel.staff("post_charge", "c", input).await);
    let number = posted["charge_number"].as_str().unwrap();
    hotel.row("Payment_Transaction__c", "Name", number)
}

#[tokio::test(start_paused = true)]
async fn a_line_of_an_unknown_type_counts_by_its_amount_and_has_its_own_word() {
    for word in ["Charge", "Payment", "Refund"] {
        for (amount, cents) in [("-40.00", -4_000), ("12.50", 1_250)] {
            let hotel = open();
            let line = posted_line(&hotel).await;
            let number = text_of(&line["Name"]);
            hotel.edit(
                "Payment_Transaction__c",
                &line,
                json!({ "Transaction_Type__c": word, "Amount__c": amount }),
            );
            set(
                &hotel,
                "Payment_Transaction__c",
                &line,
                "Transaction_Type__c",
            );
            let folio = data(&hotel.beth("get_folio", None, json!({})).await);
            assert_eq!(folio["balance"], 25_000 + cents, "{word}");
            let lines = folio["lines"].as_array().unwrap();
            let line = lines.iter().find(|line| line["number"] == number).unwrap();
            assert_fields(line, json!({ "kind": "other", "org_type": UNKNOWN }));
            let input = json!({ "amount": 25_000 + cents });
            let out = hotel.check_out_with("out", input).await;
            assert_eq!(data(&out)["amount"], 25_000 + cents);
            assert!(hotel.run_until_idle(DAY).await);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_line_in_an_unknown_status_is_neither_paid_nor_void() {
    for word in LineStatus::WORDS {
        for (kind, owed) in [("Charge", 25_700), ("Payment", 25_000)] {
            let hotel = open();
            let line = posted_line(&hotel).await;
            let number = text_of(&line["Name"]);
            hotel.edit(
                "Payment_Transaction__c",
                &line,
                json!({ "Transaction_Type__c": kind, "Status__c": word }),
            );
            set(&hotel, "Payment_Transaction__c", &line, "Status__c");
            let folio = data(&hotel.beth("get_folio", None, json!({})).await);
            assert_eq!(folio["balance"], owed, "{kind} {word}");
            let lines = folio["lines"].as_array().unwrap();
            let line = lines.iter().find(|line| line["number"] == number).unwrap();
            assert_eq!(line["status"], UNKNOWN);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_reservation_with_a_payment_in_an_unknown_status_is_not_canceled() {
    let hotel = open();
    let booking = hotel.booking("BK-0034");
    let line = hotel.records("Payment_Transaction__c").remove(0);
    hotel.edit(
        "Payment_Transaction__c",
        &line,
        json!({ "Transaction_Type__c": "Payment", "Status__c": "Pending" }),
    );
    set(&hotel, "Payment_Transaction__c", &line, "Status__c");
    // The line's own booking, waiting for its guest again
    let own = with_word(
        &hotel,
        "Booking__c",
        "Opportunity__c",
        line["Opportunity__c"].as_str().unwrap(),
    );
    hotel.edit("Booking__c", &own, json!({ "Status__c": "Reserved" }));
    let cancel = |number: &Value| json!({ "booking_number": number, "action": "cancel" });
    let answer = hotel
        .staff("manage_bookings", "a", cancel(&own["Name"]))
        .await;
    assert_refused(&answer, ErrorCode::InvalidTransition);
    let answer = hotel
        .staff("manage_bookings", "b", cancel(&booking["Name"]))
        .await;
    assert_eq!(answer.status(), 200, "without a payment it is");
}

#[test]
fn a_case_with_an_unknown_word_is_open_visible_and_can_be_closed() {
    let vocabularies = [
        ("Status", CaseStatus::WORDS, "case_status"),
        ("Priority", CasePriority::WORDS, "priority"),
        ("Type", CaseType::WORDS, "type"),
    ];
    for (field, words, shown) in vocabularies {
        for word in words {
            on_virtual_time(async {
                let hotel = open();
                let input = json!({ "type": "Maintenance", "subject": "A tap drips" });
                let case = data(&hotel.staff("manage_cases", "new", input).await);
                let number = case["case_number"].as_str().unwrap();
                let case = hotel.case(number);
                hotel.edit("Case", &case, json!({ field: word }));
                set(&hotel, "Case", &case, field);
                let input = json!({ "status_filter": "Open" });
                let open = data(
                    &hotel
                        .staff("search_cases_on_behalf_of_staff", None, input)
                        .await,
                );
                let open = open["cases"].as_array().unwrap();
                let listed = open.iter().find(|case| case["case_number"] == number);
                assert_eq!(
                    listed.map(|case| &case[shown]),
                    Some(&json!(UNKNOWN)),
                    "{field} {word}"
                );
                for (token, status) in [("a", "In Progress"), ("b", "Closed")] {
                    let input = json!({ "case_number": number, "status": status });
                    let done = hotel.staff("manage_cases", token, input).await;
                    assert_eq!(data(&done)["case_status"], status, "{field} {word}");
                }
                rests(&hotel).await;
            });
        }
    }
    let mut ranked: Vec<CasePriority> = CasePriority::WORDS
        .iter()
        .map(|word| (*word).into())
        .collect();
    ranked.push(UNKNOWN.into());
    ranked.sort_by_key(CasePriority::rank);
    let at = |word: &str| ranked.iter().position(|one| one.as_str() == word);
    assert!(at(UNKNOWN) < at("Medium"), "{ranked:?}");
}
