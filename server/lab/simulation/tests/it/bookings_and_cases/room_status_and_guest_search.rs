//! Room status, and guest search by any known detail.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_guest_is_created_once_though_the_response_is_lost() {
    let hotel = with(vec![]);
    let ada = json!({ "email": "Ada@Example.com", "first_name": "Ada", "last_name": "Lovelace" });
    hotel.fault(salesforce("create", FaultKind::TimeoutAfterEffect));
    let made = hotel
        .front_desk("create_contact_if_not_found", "c1", ada.clone())
        .await;
    assert_eq!(
        (made.status(), data(&made)["created"].clone()),
        (201, json!(true))
    );
    let found = hotel
        .front_desk("create_contact_if_not_found", "c2", ada)
        .await;
    assert_eq!(
        (found.status(), data(&found)["created"].clone()),
        (200, json!(false))
    );
    assert_eq!(
        hotel
            .records("Contact")
            .iter()
            .filter(|c| c["Email"] == "ada@example.com")
            .count(),
        1
    );
}

#[tokio::test(start_paused = true)]
async fn guests_see_their_own_stays_only() {
    let hotel = with(vec![]);
    let mine = data(
        &hotel
            .guest(BETH, "search_rooms_on_behalf_of_guest", None, json!({}))
            .await,
    );
    assert_eq!(items(&mine["stays"]).len(), 1);
    for name in ["guest_email", "guest_name", "room_status"] {
        assert!(mine["stays"][0].get(name).is_none(), "{name}");
    }
    let bookings = data(&hotel.guest(BETH, "search_bookings", None, json!({})).await);
    assert!(
        items(&bookings["bookings"])
            .iter()
            .all(|b| b.get("guest_email").is_none())
    );
}

#[tokio::test(start_paused = true)]
async fn a_guest_is_found_by_the_room_in_any_words_for_it() {
    let hotel = with(vec![]);
    let found = async |query: &str| {
        let input = json!({ "query": query });
        let found = data(&hotel.front_desk("search_guests", None, input).await);
        let emails = items(&found["guests"])
            .iter()
            .map(|one| one["guest_email"].clone());
        emails.collect::<Vec<_>>()
    };
    for query in [
        "302",
        "room 302",
        "Room #302",
        "rm. 302",
        "habitación 302",
        "№ 302",
    ] {
        assert_eq!(found(query).await, [json!(BETH)], "{query}");
    }
    // A room whose own name begins with the word
    hotel.edit(
        "Hotel_Room__c",
        &hotel.room("302"),
        json!({ "Room_Number__c": "Room 7" }),
    );
    assert_eq!(found("room 7").await, [json!(BETH)]);
}

#[tokio::test(start_paused = true)]
async fn a_stay_that_others_moved_frees_its_own_room_only() {
    let hotel = with(vec![]);
    let beth = hotel.booking("BK-0042");
    let lived_in = |row: &&Value| row["Status__c"] == "Occupied" && row["Id"] != beth["Room__c"];
    let rooms = hotel.records("Hotel_Room__c");
    let other = rooms.iter().find(lived_in).unwrap();
    hotel.edit("Booking__c", &beth, json!({ "Room__c": other["Id"] }));

    let input = json!({ "booking_number": "BK-0042", "amount": 25000 });
    let out = hotel
        .front_desk("process_guest_checkout", "o1", input)
        .await;
    assert_eq!(data(&out)["booking_status"], "Checked Out");
    assert!(hotel.run_until_idle(DAY).await);
    let of = |number: &Value| hotel.room(number.as_str().unwrap());
    let now = of(&other["Room_Number__c"]);
    assert_fields(
        &now,
        json!({ "Status__c": "Occupied", "Current_Guest__c": other["Current_Guest__c"] }),
    );
    let executions = hotel.requested_executions();
    let left = executions
        .iter()
        .find(|one| one.saga == "process_guest_checkout")
        .unwrap();
    assert_eq!(
        left.state,
        State::NeedsAttention,
        "the desk looks who lives where"
    );

    // Nobody is checked in to the room that was left behind
    let set = |room: &str, token: &'static str| {
        let input = json!({ "room_number": room, "status": "Cleaning" });
        let hotel = &hotel;
        async move { hotel.set_room_status(token, input).await }
    };
    let kept = set(other["Room_Number__c"].as_str().unwrap(), "s1").await;
    assert_refused(&kept, ErrorCode::RoomOccupied);
    assert_eq!(set("302", "s2").await.error(), None);
    assert_fields(
        &hotel.room("302"),
        json!({ "Status__c": "Cleaning", "Current_Guest__c": null }),
    );
}

#[tokio::test(start_paused = true)]
async fn a_guest_in_a_status_of_the_orgs_own_keeps_the_room() {
    let hotel = with(vec![]);
    let beth = hotel.booking("BK-0042");
    let id = beth["Id"].as_str().unwrap();
    hotel
        .sandbox
        .set_word("Booking__c", id, "Status__c", "In House VIP")
        .unwrap();
    let input = json!({ "room_number": "302", "status": "Cleaning" });
    let set = hotel.set_room_status("s1", input).await;
    assert_refused(&set, ErrorCode::RoomOccupied);
    let room = hotel.room("302");
    assert_eq!(room["Current_Guest__c"], beth["Primary_Guest__c"]);
}

/// Two bookings are checked in to one room; a room number names neither.
#[tokio::test(start_paused = true)]
async fn a_room_of_two_stays_is_no_reference_to_one_of_them() {
    let hotel = with(vec![]);
    let room = hotel.room("302")["Id"].clone();
    let wei = hotel.contact("wei.chen@example.com")["Id"].clone();
    let own = |row: &Value| row["Primary_Guest__c"] == wei && row["Status__c"] == "Checked In";
    let mut moved = hotel.records("Booking__c");
    moved.retain(own);
    let into = json!({ "Room__c": room });
    for stay in &moved {
        let id = stay["Id"].as_str().unwrap();
        let fields = into.as_object().unwrap();
        hotel.sandbox.edit("Booking__c", id, fields).unwrap();
    }
    let wine = json!({ "room_number": "302", "amount": 900, "description": "Wine" });
    let answer = hotel.post_charge("c1", wine).await;
    assert_refused(&answer, ErrorCode::MultipleBookings);
    let listed = details(&answer)["bookings"].to_string();
    let mut numbers = vec!["BK-0042"];
    numbers.extend(moved.iter().map(|stay| stay["Name"].as_str().unwrap()));
    assert!(numbers.len() > 2);
    for number in &numbers {
        assert!(listed.contains(number), "{number}: {listed}");
    }
    let named = json!({ "room_number": "302", "booking_number": numbers[1], "amount": 900, "description": "Wine" });
    let answer = hotel.post_charge("c2", named).await;
    assert_eq!(data(&answer)["booking_number"], json!(numbers[1]));

    // The room is enough for towels, but the case belongs to neither booking
    let towels = json!({ "type": "Housekeeping", "description": "Towels", "room_number": "302" });
    let tool = "submit_guest_service_request";
    let answer = hotel
        .guest("wei.chen@example.com", tool, "c3", towels)
        .await;
    assert_eq!(data(&answer)["room_number"], "302");
    let number = data(&answer)["case_number"].clone();
    let case = hotel.case(number.as_str().unwrap());
    assert_fields(&case, json!({ "Room__c": room, "Booking__c": null }));
    assert!(hotel.run_until_idle(DAY).await);
}

#[tokio::test(start_paused = true)]
async fn a_closed_room_is_refused_as_closed_and_not_as_taken() {
    let hotel = with(vec![]);
    let room = free_room(&hotel).await;
    let row = hotel.room(&room);
    let close = |status: &str| hotel.edit("Hotel_Room__c", &row, json!({ "Status__c": status }));
    close("Out of Service");
    let mut mine = ada(&room, "2026-03-16", "2026-03-18");
    mine["room_type"] = row["Room_Type__c"].clone();
    mine.as_object_mut().unwrap().remove("room_number");
    let mine = hotel.front_desk("create_booking", "b0", mine).await;
    let book = |token: &'static str, from: &str, to: &str| {
        hotel.front_desk("create_booking", token, ada(&room, from, to))
    };
    let refused = book("b1", "2026-03-20", "2026-03-22").await;
    assert_refused(&refused, ErrorCode::RoomOutOfService);
    assert_eq!(details(&refused)["room_status"], "Out of Service");
    let moved = json!({ "booking_number": data(&mine)["booking_number"], "room_number": room });
    let moved = hotel.front_desk("manage_bookings", "m1", moved).await;
    assert_refused(&moved, ErrorCode::RoomOutOfService);
    // Under repair today: closed tonight, and to be had later
    close("Maintenance");
    let tonight = book("b2", TODAY, "2026-03-11").await;
    assert_refused(&tonight, ErrorCode::RoomOutOfService);
    let later = book("b3", "2026-03-20", "2026-03-22").await;
    assert_eq!(later.status(), 201, "{later:?}");
    let taken = book("b4", "2026-03-21", "2026-03-22").await;
    assert_refused(&taken, ErrorCode::RoomAlreadyBooked);
}

/// What a form showed is compared when it is written.
#[tokio::test(start_paused = true)]
async fn a_stale_form_overwrites_nobodys_change() {
    let hotel = with(vec![]);
    let change = |token: &'static str, shown: &str, text: &str| {
        let input = json!({ "booking_number": "BK-0042", "special_requests": text, "shown": { "special_requests": shown } });
        hotel.front_desk("manage_bookings", token, input)
    };
    let stored = || hotel.booking("BK-0042")["Special_Requests__c"].clone();
    assert_eq!(change("m1", "", "Nut allergy").await.status(), 200);
    let stale = change("m2", "", "Crib").await;
    assert_refused(&stale, ErrorCode::InvalidTransition);
    assert_eq!(
        details(&stale)["changed"],
        json!([{ "field": "special_requests", "shown": "", "now": "Nut allergy" }])
    );
    assert_eq!(stored(), "Nut allergy");
    assert_eq!(change("m3", "Nut allergy", "-").await.status(), 200);
    assert_eq!(stored(), Value::Null, "removed on purpose");
    let set = |token: &'static str, shown: &str| {
        let input =
            json!({ "room_number": "205", "status": "Cleaning", "shown": { "status": shown } });
        hotel.front_desk("set_room_status", token, input)
    };
    assert_refused(
        &set("s1", "Maintenance").await,
        ErrorCode::InvalidTransition,
    );
    assert_eq!(set("s2", "Vacant").await.status(), 200);
    let opened = json!({ "type": "Maintenance", "subject": "Lamp" });
    let opened = data(&hotel.front_desk("manage_cases", "c1", opened).await);
    let assign = |token: &'static str, shown: &str, to: &str| {
        let input = json!({ "case_number": opened["case_number"], "assignee": to, "shown": { "assignee": shown } });
        hotel.front_desk("manage_cases", token, input)
    };
    assert_eq!(assign("c2", "", "a@dewy.example").await.status(), 200);
    let late = assign("c3", "", "b@dewy.example").await;
    assert_eq!(details(&late)["assignee"], "a@dewy.example");
    assert_eq!(
        assign("c4", "a@dewy.example", "b@dewy.example")
            .await
            .status(),
        200
    );
}
