//! Check-in.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_repeated_check_in_is_one_check_in_of_two_calls() {
    let hotel = with(vec![]);
    let sarah = Caller::guest(SARAH, Interface::Mcp);
    let answer = hotel.call(&sarah, "check_in_guest", "a", json!({})).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    let calls = hotel.sandbox.calls();
    assert_eq!(
        calls
            .iter()
            .filter(|c| c.system == System::Salesforce && c.operation != "token")
            .count(),
        2,
        "{calls:?}"
    );
    let (booking, room, opportunity) = sarahs_stay(&hotel);
    assert_eq!(
        (&booking["Status__c"], &room["Status__c"]),
        (&json!("Checked In"), &json!("Occupied"))
    );
    assert_eq!(room["Current_Guest__c"], booking["Primary_Guest__c"]);
    assert_eq!(opportunity["StageName"], "Checked In");
    let again = hotel.call(&sarah, "check_in_guest", "b", json!({})).await;
    assert_eq!(again.status(), 200, "{again:?}");
    assert!(
        data(&again)["note"]
            .as_str()
            .is_some_and(|n| n.contains("before")),
        "{again:?}"
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(
        texts(&hotel)
            .iter()
            .filter(|t| t.contains("checked in"))
            .count(),
        1,
        "{:?}",
        texts(&hotel)
    );
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn twenty_check_ins_at_once_are_one() {
    let hotel = with(vec![]);
    let sarah = Caller::guest(SARAH, Interface::Mcp);
    let calls = (0..20).map(|n| {
        let (hotel, sarah) = (&hotel, &sarah);
        async move {
            hotel
                .call(sarah, "check_in_guest", &format!("t{n}"), json!({}))
                .await
        }
    });
    for answer in futures::future::join_all(calls).await {
        assert!(
            answer.status() == 200 || code(&answer) == Some(ErrorCode::OperationInProgress),
            "{answer:?}"
        );
    }
    assert_eq!(hotel.count_calls(|c| c.operation == "composite"), 1);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn of_two_reservations_neither_is_guessed() {
    let hotel = with(vec![]);
    let (booking, ..) = sarahs_stay(&hotel);
    let ask =
        async |token: &str, input: Value| hotel.front_desk("check_in_guest", token, input).await;
    // A second reservation of the same guest for the same days.
    let other = hotel
        .records("Booking__c")
        .into_iter()
        .find(|b| b["Status__c"] == "Reserved" && b["Id"] != booking["Id"])
        .unwrap();
    hotel.edit("Booking__c", &other["Id"], json!({ "Primary_Guest__c": booking["Primary_Guest__c"], "Check_In_Date__c": booking["Check_In_Date__c"],
            "Check_Out_Date__c": booking["Check_Out_Date__c"] }));
    let two = ask("d", json!({ "guest_email": SARAH })).await;
    assert_refused(&two, ErrorCode::MultipleReservations);
    let listed = two.body(Persona::Staff)["details"]["reservations"].clone();
    assert_eq!(items(&listed).len(), 2, "{listed}");
    let writes = hotel.count_calls(|c| c.operation == "composite");
    assert_eq!(writes, 0);
    let one = ask(
        "e",
        json!({ "guest_email": SARAH, "booking_number": booking["Name"] }),
    )
    .await;
    assert_eq!(one.status(), 200, "{one:?}");
    hotel.ends_sound().await;
}

/// At the same latencies, the reference's own order takes longer: contact, booking, room or customer,
/// a payment created and then confirmed, and three updates, one call after another.
#[tokio::test(start_paused = true)]
async fn check_in_and_check_out_compared_with_the_reference_order() {
    let balance = json!({ "amount": 25000 });
    for (guest, tool, input, reference, at_most) in [
        (SARAH, "check_in_guest", json!({}), 3 * 850 + 3 * 900, 0.45),
        (
            BETH,
            "process_guest_checkout",
            balance,
            2 * 850 + 600 + 700 + 2_000 + 3 * 900,
            0.60,
        ),
    ] {
        let hotel = with(vec![]);
        hotel.sandbox.set_latency(Latency::reference());
        // Warm session, as in any running hotel.
        hotel.beth("get_folio", None, json!({})).await;
        let began = tokio::time::Instant::now();
        let answer = hotel.guest(guest, tool, "a", input).await;
        let took = began.elapsed();
        assert_eq!(answer.status(), 200, "{tool}: {answer:?}");
        let ratio = took.as_secs_f64() * 1000.0 / f64::from(reference);
        println!("{tool}: {took:?}, in the reference's order {reference} ms, ratio {ratio:.2}");
        assert!(ratio <= at_most, "{tool}: {ratio}");
    }
}

/// Sarah is checked in; returns her booking's number.
async fn checked_in(hotel: &SimulatedHotel) -> Value {
    let answer = hotel
        .front_desk("check_in_guest", "in", json!({ "guest_email": SARAH }))
        .await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    json!({ "booking_number": sarahs_stay(hotel).0["Name"] })
}

#[tokio::test(start_paused = true)]
async fn a_check_in_is_undone_once_and_can_be_made_again() {
    let hotel = with(vec![]);
    let before = sarahs_stay(&hotel);
    let input = checked_in(&hotel).await;
    let undone = hotel.front_desk("undo_check_in", "u1", input.clone()).await;
    assert_eq!(undone.status(), 200, "{undone:?}");
    let fields = |(booking, room, opportunity): &(Value, Value, Value)| {
        let of = |row: &Value, name: &str| row[name].clone();
        [
            of(booking, "Status__c"),
            of(room, "Status__c"),
            of(room, "Current_Guest__c"),
            of(opportunity, "StageName"),
            of(opportunity, "CloseDate"),
        ]
    };
    let after = sarahs_stay(&hotel);
    assert_eq!(fields(&after), fields(&before));
    assert_eq!(data(&undone)["room_status"], "Vacant");
    // The same request again, and a new one for what is undone already
    let again = hotel.front_desk("undo_check_in", "u1", input.clone()).await;
    assert_eq!(data(&again), data(&undone));
    let repeated = hotel.front_desk("undo_check_in", "u2", input.clone()).await;
    assert!(
        data(&repeated)["note"]
            .as_str()
            .is_some_and(|n| n.contains("not checked in")),
        "{repeated:?}"
    );
    let back = hotel
        .front_desk("check_in_guest", "in2", json!({ "guest_email": SARAH }))
        .await;
    assert_eq!(data(&back)["booking_status"], "Checked In", "{back:?}");
    let undone = hotel.front_desk("undo_check_in", "u3", input).await;
    assert_eq!(undone.status(), 200, "{undone:?}");
    hotel.ends_sound().await;
}

#[test]
fn a_check_in_is_not_undone_after_a_foreign_edit() {
    let why = |answer: &ToolAnswer| match answer {
        ToolAnswer::Settled {
            settled: dewy_domain::tool_answer::FinalAnswer::Failed { code, details },
            ..
        } => (
            *code,
            details["why"].as_str().unwrap_or_default().to_owned(),
        ),
        other => panic!("{other:?}"),
    };
    let refusal = |change: &'static str| {
        on_virtual_time(async move {
            let hotel = with(vec![]);
            let input = checked_in(&hotel).await;
            let (booking, room, opportunity) = sarahs_stay(&hotel);
            tokio::time::sleep(Duration::from_secs(60)).await;
            match change {
                "charge" => {
                    let charge =
                        json!({ "room_number": "205", "amount": 500, "description": "Bar" });
                    assert_eq!(hotel.post_charge("c", charge).await.status(), 201);
                }
                "booking" => hotel.edit(
                    "Booking__c",
                    &booking["Id"],
                    json!({ "Number_of_Guests__c": 2 }),
                ),
                "room" => hotel.edit(
                    "Hotel_Room__c",
                    &room["Id"],
                    json!({ "Status__c": "Cleaning" }),
                ),
                "sale" => hotel.edit(
                    "Opportunity",
                    &opportunity["Id"],
                    json!({ "StageName": "Negotiation/Review" }),
                ),
                _ => tokio::time::sleep(Duration::from_secs(2 * 3600)).await,
            }
            let stood = sarahs_stay(&hotel);
            let answer = hotel.front_desk("undo_check_in", "u", input).await;
            let now = sarahs_stay(&hotel);
            assert_eq!(
                (&now.0, &now.1, &now.2),
                (&stood.0, &stood.1, &stood.2),
                "nothing was written"
            );
            answer
        })
    };
    for (change, words) in [
        ("charge", "Its folio has changed"),
        ("booking", "changed the booking"),
        ("room", "changed the room"),
        ("sale", "changed the sale"),
        ("time", "the last two hours"),
    ] {
        let (code, why) = why(&refusal(change));
        assert_eq!(code, ErrorCode::InvalidTransition, "{change}");
        assert!(why.contains(words), "{change}: {why}");
    }
}
