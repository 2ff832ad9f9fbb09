//! Room status, and guest search by any known detail.

use super::*;

#[test]
fn room_statuses_change_as_documented() {
    on_virtual_time(async {
        let hotel = world();
        let housekeeping = Caller::staff(
            "housekeeping@dewy.example",
            Role::Housekeeping,
            Interface::Mcp,
        );
        let set = async |token: &str, room: &str, status: &str| {
            let input = json!({ "room_number": room, "status": status });
            hotel
                .call(&housekeeping, "set_room_status", Some(token), input)
                .await
        };
        let dirty = data(
            &call_tool(
                &hotel,
                "search_rooms_on_behalf_of_staff",
                json!({ "status_filter": "Cleaning" }),
            )
            .await,
        );
        let dirty = dirty["rooms"][0]["room_number"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(
            set("s1", &dirty, "Maintenance").await.error(),
            Some(ErrorCode::InvalidTransition)
        );
        assert_eq!(
            data(&set("s2", &dirty, "Vacant").await)["room_status"],
            "Vacant"
        );
        assert_eq!(
            data(&set("s3", &dirty, "Vacant").await)["note"],
            "No changes needed."
        );
        assert_eq!(
            set("s4", "302", "Cleaning").await.error(),
            Some(ErrorCode::RoomOccupied)
        );
        assert_eq!(
            set("s5", "999", "Cleaning").await.error(),
            Some(ErrorCode::RoomNotFound)
        );
        assert_eq!(
            set("s6", &dirty, "Occupied").await.error(),
            Some(ErrorCode::ValidationFailed)
        );
        let defect = json!({ "room_number": dirty, "description": "The window does not close", "take_out_of_service": true });
        let reported = data(
            &hotel
                .call(
                    &housekeeping,
                    "submit_maintenance_request",
                    Some("d1"),
                    defect,
                )
                .await,
        );
        assert_eq!(
            (&reported["room_status"], &reported["type"]),
            (&json!("Out of Service"), &json!("Maintenance"))
        );
        let occupied =
            json!({ "room_number": "302", "description": "Leak", "take_out_of_service": true });
        let refused = hotel
            .call(
                &housekeeping,
                "submit_maintenance_request",
                Some("d2"),
                occupied,
            )
            .await;
        assert_eq!(refused.error(), Some(ErrorCode::RoomOccupied));
        let free = data(
            &call_tool(
                &hotel,
                "search_available_rooms",
                json!({ "check_in_date": "2026-03-20", "check_out_date": "2026-03-21", "limit": 200 }),
            )
            .await,
        );
        assert!(
            free["rooms"]
                .as_array()
                .unwrap()
                .iter()
                .all(|r| r["room_number"] != dirty.as_str()),
            "it cannot be let"
        );
        assert_eq!(violations(&hotel), Vec::<String>::new());
    });
}

#[test]
fn guests_are_found_by_any_field_and_created_once() {
    on_virtual_time(async {
        let hotel = world();
        let phone = hotel.row("Contact", "Email", BETH)["Phone"]
            .as_str()
            .unwrap()
            .to_owned();
        for query in [
            "Gibbs",
            "beth gib",
            BETH,
            "beth.gibbs@",
            "302",
            "BK-0042",
            &phone,
            phone.get(5..).unwrap(),
        ] {
            let found = data(&call_tool(&hotel, "search_guests", json!({ "query": query })).await);
            let emails: Vec<_> = found["guests"]
                .as_array()
                .unwrap()
                .iter()
                .map(|g| g["guest_email"].clone())
                .collect();
            assert!(emails.contains(&json!(BETH)), "{query}: {emails:?}");
        }
        let quoted = data(&call_tool(&hotel, "search_guests", json!({ "query": "O'Brien" })).await);
        assert_eq!(quoted["guests"].as_array().unwrap().len(), 1);
        let wild = data(&call_tool(&hotel, "search_guests", json!({ "query": "%" })).await);
        assert_eq!(wild["guests"], json!([]), "a wild card is a letter");
        let all =
            data(&call_tool(&hotel, "search_guests", json!({ "query": "e", "limit": 2 })).await);
        assert_eq!(
            (
                all["guests"].as_array().unwrap().len(),
                all["cut"].as_bool()
            ),
            (2, Some(true))
        );

        let ada =
            json!({ "email": "Ada@Example.com", "first_name": "Ada", "last_name": "Lovelace" });
        hotel
            .sandbox
            .add_fault(salesforce("create", FaultKind::TimeoutAfterEffect));
        let made =
            call_as_front_desk(&hotel, "create_contact_if_not_found", "c1", ada.clone()).await;
        assert_eq!(
            (made.status(), data(&made)["created"].clone()),
            (201, json!(true))
        );
        let found = call_as_front_desk(&hotel, "create_contact_if_not_found", "c2", ada).await;
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
    });
}

#[test]
fn guests_see_their_own_stays_only() {
    on_virtual_time(async {
        let hotel = world();
        let mine = data(
            &guest(
                &hotel,
                BETH,
                "search_rooms_on_behalf_of_guest",
                None,
                json!({}),
            )
            .await,
        );
        assert_eq!(mine["stays"].as_array().unwrap().len(), 1);
        assert_eq!(mine["stays"][0]["room_number"], "302");
        for name in ["guest_email", "guest_name", "room_status"] {
            assert!(mine["stays"][0].get(name).is_none(), "{name}");
        }
        let upcoming = data(
            &guest(
                &hotel,
                "sarah@example.com",
                "search_rooms_on_behalf_of_guest",
                None,
                json!({ "filter": "upcoming" }),
            )
            .await,
        );
        assert_eq!(upcoming["stays"][0]["room_number"], "205");
        let none = data(
            &guest(
                &hotel,
                "sarah@example.com",
                "search_rooms_on_behalf_of_guest",
                None,
                json!({}),
            )
            .await,
        );
        assert_eq!(none["stays"], json!([]));
        let bookings = data(&guest(&hotel, BETH, "search_bookings", None, json!({})).await);
        assert!(
            bookings["bookings"]
                .as_array()
                .unwrap()
                .iter()
                .all(|b| b.get("guest_email").is_none())
        );
        let other = guest(
            &hotel,
            BETH,
            "search_bookings",
            None,
            json!({ "guest_email": "sarah@example.com" }),
        )
        .await;
        assert_eq!(other.error(), Some(ErrorCode::NotYourStay));
        let arrivals = data(
            &call_tool(
                &hotel,
                "search_bookings",
                json!({ "status": "Reserved", "from_date": TODAY, "to_date": TODAY, "limit": 200 }),
            )
            .await,
        );
        assert!(
            arrivals["bookings"]
                .as_array()
                .unwrap()
                .iter()
                .any(|b| b["guest_email"] == "sarah@example.com")
        );
        let few = data(&call_tool(&hotel, "search_bookings", json!({ "limit": 2 })).await);
        assert_eq!(
            (
                few["bookings"].as_array().unwrap().len(),
                few["cut"].as_bool()
            ),
            (2, Some(true))
        );
    });
}

#[test]
fn a_stay_that_others_moved_frees_its_own_room_only() {
    on_virtual_time(async {
        let hotel = world();
        let beth = hotel.row("Booking__c", "Name", "BK-0042");
        let lived_in =
            |row: &&Value| row["Status__c"] == "Occupied" && row["Id"] != beth["Room__c"];
        let rooms = hotel.records("Hotel_Room__c");
        let other = rooms.iter().find(lived_in).unwrap();
        let moved = json!({ "Room__c": other["Id"] });
        let id = beth["Id"].as_str().unwrap();
        hotel
            .sandbox
            .edit("Booking__c", id, moved.as_object().unwrap())
            .unwrap();

        let input = json!({ "booking_number": "BK-0042", "amount": 25000 });
        let out = call_as_front_desk(&hotel, "process_guest_checkout", "o1", input).await;
        assert_eq!(data(&out)["booking_status"], "Checked Out");
        assert!(hotel.run_until_idle(DAY).await);
        let of =
            |number: &Value| hotel.row("Hotel_Room__c", "Room_Number__c", number.as_str().unwrap());
        let now = of(&other["Room_Number__c"]);
        assert_eq!(
            (&now["Status__c"], &now["Current_Guest__c"]),
            (&json!("Occupied"), &other["Current_Guest__c"])
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
            async move { call_as_front_desk(hotel, "set_room_status", token, input).await }
        };
        let kept = set(other["Room_Number__c"].as_str().unwrap(), "s1").await;
        assert_eq!(kept.error(), Some(ErrorCode::RoomOccupied));
        assert_eq!(set("302", "s2").await.error(), None);
        let left = hotel.row("Hotel_Room__c", "Room_Number__c", "302");
        assert_eq!(
            (&left["Status__c"], &left["Current_Guest__c"]),
            (&json!("Cleaning"), &Value::Null)
        );
    });
}

#[test]
fn a_guest_in_a_status_of_the_orgs_own_keeps_the_room() {
    on_virtual_time(async {
        let hotel = world();
        let beth = hotel.row("Booking__c", "Name", "BK-0042");
        let id = beth["Id"].as_str().unwrap();
        hotel
            .sandbox
            .set_word("Booking__c", id, "Status__c", "In House VIP")
            .unwrap();
        let input = json!({ "room_number": "302", "status": "Cleaning" });
        let set = call_as_front_desk(&hotel, "set_room_status", "s1", input).await;
        assert_eq!(set.error(), Some(ErrorCode::RoomOccupied));
        let room = hotel.row("Hotel_Room__c", "Room_Number__c", "302");
        assert_eq!(room["Current_Guest__c"], beth["Primary_Guest__c"]);
    });
}

/// Two bookings are checked in to one room; a room number names neither.
#[test]
fn a_room_of_two_stays_is_no_reference_to_one_of_them() {
    on_virtual_time(async {
        let hotel = world();
        let room = hotel.row("Hotel_Room__c", "Room_Number__c", "302")["Id"].clone();
        let wei = hotel.row("Contact", "Email", "wei.chen@example.com")["Id"].clone();
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
        let answer = call_as_front_desk(&hotel, "post_charge", "c1", wine).await;
        assert_eq!(answer.error(), Some(ErrorCode::MultipleBookings));
        let listed = details(&answer)["bookings"].to_string();
        let mut numbers = vec!["BK-0042"];
        numbers.extend(moved.iter().map(|stay| stay["Name"].as_str().unwrap()));
        assert!(numbers.len() > 2);
        for number in &numbers {
            assert!(listed.contains(number), "{number}: {listed}");
        }
        let named = json!({ "room_number": "302", "booking_number": numbers[1], "amount": 900, "description": "Wine" });
        let answer = call_as_front_desk(&hotel, "post_charge", "c2", named).await;
        assert_eq!(data(&answer)["booking_number"], json!(numbers[1]));

        // The room is enough for towels, but the case belongs to neither booking
        let towels =
            json!({ "type": "Housekeeping", "description": "Towels", "room_number": "302" });
        let tool = "submit_guest_service_request";
        let answer = guest(&hotel, "wei.chen@example.com", tool, Some("c3"), towels).await;
        assert_eq!(data(&answer)["room_number"], "302");
        let number = data(&answer)["case_number"].clone();
        let case = hotel.row("Case", "CaseNumber", number.as_str().unwrap());
        assert_eq!(
            (&case["Room__c"], &case["Booking__c"]),
            (&room, &Value::Null)
        );
        assert!(hotel.run_until_idle(DAY).await);
    });
}
