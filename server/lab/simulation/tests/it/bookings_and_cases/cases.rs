//! Requests, defects and cases.

use std::collections::BTreeSet;

use dewy_domain::case::signed_comment;

use super::*;

#[test]
fn requests_defects_and_cases_are_filed_once_and_worked_on() {
    on_virtual_time(async {
        let hotel = world();
        hotel
            .sandbox
            .add_fault(salesforce("composite", FaultKind::TimeoutAfterEffect));
        let input = json!({ "type": "Housekeeping", "description": "Two more towels, please.\nLarge ones." });
        let filed = guest(
            &hotel,
            BETH,
            "submit_guest_service_request",
            Some("r1"),
            input,
        )
        .await;
        assert_eq!(filed.status(), 201, "{}", filed.body(Persona::Guest));
        let filed = data(&filed);
        assert_eq!(
            (&filed["room_number"], &filed["subject"]),
            (&json!("302"), &json!("Two more towels, please."))
        );
        let number = filed["case_number"].as_str().unwrap().to_owned();
        let row = hotel.row("Case", "CaseNumber", &number);
        assert_eq!(
            row["Booking__c"],
            hotel.row("Booking__c", "Name", "BK-0042")["Id"]
        );
        assert_eq!(
            hotel
                .records("Case")
                .iter()
                .filter(|c| c["Subject"] == "Two more towels, please.")
                .count(),
            1
        );

        let housekeeping = Caller::staff(
            "housekeeping@dewy.example",
            Role::Housekeeping,
            Interface::Mcp,
        );
        let work = async |token: &str, input: Value| {
            hotel
                .call(&housekeeping, "manage_cases", Some(token), input)
                .await
        };
        let closed = work("w0", json!({ "case_number": number, "status": "Closed" })).await;
        assert_eq!(closed.error(), Some(ErrorCode::InvalidTransition));
        assert_eq!(details(&closed)["allowed"], json!(["New", "In Progress"]));
        let taken = work(
            "w1",
            json!({ "case_number": number.trim_start_matches('0'), "status": "In Progress",
            "assignee": "housekeeping@dewy.example", "comment": "On my way." }),
        )
        .await;
        assert_eq!(data(&taken)["case_status"], "In Progress");
        assert_eq!(
            data(&work("w2", json!({ "case_number": number, "status": "Closed" })).await)["case_status"],
            "Closed"
        );
        assert_eq!(
            data(
                &work(
                    "w3",
                    json!({ "case_number": number, "status": "In Progress" })
                )
                .await
            )["case_status"],
            "In Progress"
        );
        let listed = data(
            &hotel
                .call(
                    &housekeeping,
                    "search_cases_on_behalf_of_staff",
                    None,
                    json!({ "status_filter": "In Progress", "room_number": "302" }),
                )
                .await,
        );
        let case = &listed["cases"][0];
        assert_eq!(
            (&case["case_number"], &case["assignee"]),
            (&json!(number), &json!("housekeeping@dewy.example"))
        );
        let comment = &case["comments"][0];
        assert_eq!(
            (&comment["body"], &comment["author"]),
            (&json!("On my way."), &json!(housekeeping.email))
        );
        // What is written in Salesforce itself is by the user who wrote it there
        let program = OtherProgram::signed_in(&hotel).await;
        let comment = json!({ "ParentId": row["Id"], "CommentBody": "The guest called." });
        program.make("CaseComment", comment).await;
        let search = json!({ "case_number": number });
        let found = call_tool(&hotel, "search_cases_on_behalf_of_staff", search).await;
        let comment = &data(&found)["cases"][0]["comments"][0];
        assert_eq!(
            (&comment["body"], &comment["author"]),
            (&json!("The guest called."), &json!("Dewy Integration"))
        );
        let mine = data(
            &guest(
                &hotel,
                BETH,
                "search_cases_on_behalf_of_guest",
                None,
                json!({}),
            )
            .await,
        );
        assert!(
            mine["cases"]
                .as_array()
                .unwrap()
                .iter()
                .any(|c| c["case_number"] == number.as_str())
        );
        assert!(
            mine["cases"]
                .as_array()
                .unwrap()
                .iter()
                .all(|c| c.get("assignee").is_none())
        );
        let new = work(
            "w4",
            json!({ "type": "Facilities", "subject": "Lift squeaks" }),
        )
        .await;
        assert_eq!(
            (new.status(), data(&new)["case_status"].clone()),
            (201, json!("New"))
        );
        assert_eq!(
            work(
                "w5",
                json!({ "case_number": "99999999", "status": "Closed" })
            )
            .await
            .error(),
            Some(ErrorCode::CaseNotFound)
        );
    });
}

#[test]
fn a_case_is_found_by_its_number_however_many_came_after_it() {
    on_virtual_time(async {
        let hotel = world();
        let search = "search_cases_on_behalf_of_staff";
        let old = json!({ "type": "Facilities", "subject": "The lift squeaks" });
        let old = data(&call_as_front_desk(&hotel, "manage_cases", "c1", old).await)["case_number"]
            .as_str()
            .unwrap()
            .to_owned();
        for (token, status) in [("c2", "In Progress"), ("c3", "Closed")] {
            data(
                &call_as_front_desk(
                    &hotel,
                    "manage_cases",
                    token,
                    json!({ "case_number": old, "status": status }),
                )
                .await,
            );
        }
        let later = |n: usize| json!({ "attributes": { "type": "Case" }, "Subject": format!("Towels {n}"), "Status": "New" });
        let program = OtherProgram::signed_in(&hotel).await;
        for _ in 0..2 {
            program.make_many((0..105).map(later).collect()).await;
        }
        let newest = data(
            &call_tool(
                &hotel,
                search,
                json!({ "status_filter": "All", "limit": 200 }),
            )
            .await,
        );
        assert_eq!(newest["cut"], true);
        assert!(
            newest["cases"]
                .as_array()
                .unwrap()
                .iter()
                .all(|case| case["case_number"] != old.as_str())
        );
        for number in [old.as_str(), old.trim_start_matches('0')] {
            let found = data(&call_tool(&hotel, search, json!({ "case_number": number })).await);
            assert_eq!(
                (&found["cases"][0]["case_number"], &found["cut"]),
                (&json!(old), &json!(false))
            );
            assert_eq!(found["cases"].as_array().map(Vec::len), Some(1));
        }
        let open = data(
            &call_tool(
                &hotel,
                search,
                json!({ "case_number": old, "status_filter": "Open" }),
            )
            .await,
        );
        assert_eq!(open["cases"], json!([]), "a filter that is given must fit");
        let wrong = call_tool(&hotel, search, json!({ "case_number": "BK-0042" })).await;
        assert_eq!(wrong.error(), Some(ErrorCode::ValidationFailed));
    });
}

#[test]
fn a_comment_with_a_lost_response_is_added_once() {
    for (kind, crlf_line_ends) in [
        (FaultKind::TimeoutAfterEffect, false),
        (FaultKind::TimeoutAfterEffect, true),
        (FaultKind::TimeoutBeforeEffect, false),
        (FaultKind::LateEffect, false),
        (FaultKind::LateEffect, true),
    ] {
        on_virtual_time(async {
            let hotel = world();
            hotel.sandbox.set_org_settings(OrgSettings {
                crlf_line_ends,
                ..hotel.sandbox.org_settings()
            });
            let stored = signed_comment("frontdesk@dewy.example", "Parts are ordered.");
            let case = hotel
                .records("Case")
                .into_iter()
                .find(|c| c["Status"] == "In Progress")
                .unwrap();
            hotel
                .sandbox
                .add_fault(salesforce("composite", kind).ms(60_000));
            let input =
                json!({ "case_number": case["CaseNumber"], "comment": "Parts are ordered." });
            call_as_front_desk(&hotel, "manage_cases", "w1", input).await;
            assert!(hotel.run_until_idle(DAY).await);
            let said = hotel
                .records("CaseComment")
                .iter()
                .filter_map(|c| c["CommentBody"].as_str())
                .filter(|body| body.replace("\r\n", "\n") == stored)
                .count();
            assert_eq!(
                (hotel.only().state, said),
                (State::Completed, 1),
                "{kind:?}, CRLF: {crlf_line_ends}"
            );
        });
    }
}

/// A change sent within a second of the row's last one, whose response is lost: the touch falls
/// into the same second, and waiting for the next one is no failed attempt. The hotel's clock may
/// be behind Salesforce's for all of it.
#[test]
fn a_second_change_within_a_second_is_applied() {
    for behind in [-300, 0, 4, 300] {
        for lost in 1..=2 {
            on_virtual_time(async {
                let hotel = world();
                hotel.set_clocks(-behind);
                let new = json!({ "type": "Facilities", "subject": "Lift squeaks" });
                let case = data(&call_as_front_desk(&hotel, "manage_cases", "c1", new).await);
                let fault = salesforce("composite", FaultKind::ResetBeforeEffect);
                hotel.sandbox.add_fault(fault.count(lost));
                let change = json!({ "case_number": case["case_number"], "status": "In Progress" });
                let changed = call_as_front_desk(&hotel, "manage_cases", "c2", change).await;
                assert_eq!(
                    changed.error(),
                    None,
                    "{behind} s behind, {lost} lost: {}",
                    changed.body(Persona::Staff)
                );
                let number = case["case_number"].as_str().unwrap();
                let row = hotel.row("Case", "CaseNumber", number);
                assert_eq!(row["Status"], "In Progress");
                assert_eq!(violations(&hotel), Vec::<String>::new());
            });
        }
    }
}

/// Comments of a case with this text.
fn comments_with(hotel: &SimulatedHotel, case: &Value, words: &str) -> Vec<Value> {
    let comments = hotel.records("CaseComment");
    let these =
        |comment: &Value| comment["ParentId"] == case["Id"] && comment["CommentBody"] == words;
    comments.into_iter().filter(these).collect()
}

/// More comments in one second than are read with a case: a further one is distinguished from all
/// of them, even with the same text.
#[test]
fn a_case_with_many_comments_in_one_second_is_changed_once() {
    const WORDS: &str = "Still broken.";
    let stored = signed_comment("frontdesk@dewy.example", WORDS);
    for lost in [None, Some(FaultKind::TimeoutAfterEffect)] {
        for many in [19, 20, 21, 45] {
            on_virtual_time(async {
                let hotel = world();
                let case = hotel
                    .records("Case")
                    .into_iter()
                    .find(|c| c["Status"] == "In Progress")
                    .unwrap();
                let program = OtherProgram::signed_in(&hotel).await;
                for _ in 0..many {
                    let comment = json!({ "ParentId": case["Id"], "CommentBody": stored });
                    program.make("CaseComment", comment).await;
                }
                let before = comments_with(&hotel, &case, &stored);
                let stamps: BTreeSet<_> = before
                    .iter()
                    .map(|comment| comment["CreatedDate"].to_string())
                    .collect();
                assert_eq!((before.len(), stamps.len()), (many, 1), "in one second");
                // Some read after their second has passed, and some within it.
                tokio::time::sleep(Duration::from_secs(many as u64 % 2 * 5)).await;
                if let Some(kind) = lost {
                    let fault = salesforce("composite", kind).ms(60_000);
                    hotel.sandbox.add_fault(fault);
                }
                let input = json!({ "case_number": case["CaseNumber"], "comment": WORDS });
                call_as_front_desk(&hotel, "manage_cases", "w1", input).await;
                assert!(hotel.run_until_idle(DAY).await);
                assert_eq!(
                    (
                        hotel.only().state,
                        comments_with(&hotel, &case, &stored).len()
                    ),
                    (State::Completed, many + 1),
                    "{many} {lost:?}"
                );
            });
        }
    }
}

#[test]
fn open_requests_end_with_the_stay() {
    on_virtual_time(async {
        let hotel = world();
        let file = async |kind: &str, token: &str| {
            let input = json!({ "type": kind, "description": format!("About {kind}.") });
            let tool = "submit_guest_service_request";
            let filed = guest(&hotel, BETH, tool, Some(token), input).await;
            data(&filed)["case_number"].as_str().unwrap().to_owned()
        };
        let (towels, bill, soap) = (
            file("Housekeeping", "r1").await,
            file("Concierge", "r2").await,
            file("Housekeeping", "r3").await,
        );
        for (status, token) in [("In Progress", "m1"), ("Closed", "m2")] {
            let input = json!({ "case_number": soap, "status": status });
            let brought = call_as_front_desk(&hotel, "manage_cases", token, input).await;
            assert_eq!(brought.error(), None, "{}", brought.body(Persona::Staff));
        }
        let others = hotel.records("Case").len() - 3;
        let input = json!({ "booking_number": "BK-0042", "amount": 25000 });
        let out = call_as_front_desk(&hotel, "process_guest_checkout", "o1", input).await;
        assert_eq!(out.error(), None, "{}", out.body(Persona::Staff));
        // Salesforce fails when the cases are looked for, and when the first one is changed
        hotel
            .sandbox
            .add_fault(salesforce("query", FaultKind::Status).status(503).count(3));
        hotel
            .sandbox
            .add_fault(salesforce("composite", FaultKind::TimeoutAfterEffect));
        assert!(hotel.run_until_idle(DAY).await);

        let comments = hotel.records("CaseComment");
        for (number, status) in [(&towels, "Closed"), (&bill, "New")] {
            let case = hotel.row("Case", "CaseNumber", number);
            assert_eq!(case["Status"], status, "{number}");
            let told = |c: &&Value| {
                c["ParentId"] == case["Id"] && c["CommentBody"] == "The guest has checked out."
            };
            assert_eq!(comments.iter().filter(told).count(), 1, "{number}");
        }
        assert_eq!(hotel.records("Case").len(), others + 3);
        let seen = guest(
            &hotel,
            BETH,
            "search_cases_on_behalf_of_guest",
            None,
            json!({ "status_filter": "all" }),
        )
        .await;
        let seen = data(&seen);
        let lapsed = |number: &str| {
            let all = seen["cases"].as_array().unwrap().iter();
            all.clone().find(|c| c["case_number"] == number).unwrap()["lapsed"].clone()
        };
        assert_eq!((lapsed(&towels), lapsed(&bill)), (json!(true), Value::Null));
        assert_eq!(lapsed(&soap), Value::Null, "it was done before");
        assert_eq!(violations(&hotel), Vec::<String>::new());
    });
}

#[test]
fn an_ended_stay_whose_cases_stay_unreadable_costs_little_and_is_given_up_after_a_day() {
    on_virtual_time(async {
        // Nobody can tell which cases end
        let org = OrgSettings {
            hidden_fields: vec!["Case.Booking__c".to_owned()],
            ..OrgSettings::default()
        };
        let hotel = SimulatedHotel::new(Setup {
            workers: 2,
            org,
            ..Setup::default()
        });
        let input = json!({ "booking_number": "BK-0042", "amount": 25000 });
        let out = call_as_front_desk(&hotel, "process_guest_checkout", "o1", input).await;
        assert_eq!(out.error(), None, "{}", out.body(Persona::Staff));
        tokio::time::sleep(Duration::from_secs(60)).await;
        let calls = || hotel.sandbox.calls().len();
        let (waiting, before) = (|| hotel.journal.projected("ended_stay").len(), calls());
        tokio::time::sleep(Duration::from_secs(23 * 3600)).await;
        let spent = calls() - before;
        assert!(spent < 400, "{spent} calls for one stay");
        assert_eq!(waiting(), 1);
        assert!(hotel.run_until_idle(Duration::from_secs(3 * 3600)).await);
        assert_eq!(waiting(), 0);
    });
}

#[test]
fn requests_stay_open_when_the_check_out_was_taken_back() {
    on_virtual_time(async {
        let hotel = world();
        let input = json!({ "type": "Housekeeping", "description": "Two more towels, please." });
        let tool = "submit_guest_service_request";
        let filed = data(&guest(&hotel, BETH, tool, Some("r1"), input).await);
        let input = json!({ "booking_number": "BK-0042", "amount": 25000 });
        let out = call_as_front_desk(&hotel, "process_guest_checkout", "o1", input).await;
        assert_eq!(out.error(), None, "{}", out.body(Persona::Staff));
        let down = salesforce("query", FaultKind::Status).status(503);
        hotel.sandbox.add_fault(down.count(0));
        tokio::time::sleep(Duration::from_secs(10)).await;
        let booking = hotel.row("Booking__c", "Name", "BK-0042");
        let back = json!({ "Status__c": "Checked In" });
        let (id, back) = (booking["Id"].as_str().unwrap(), back.as_object().unwrap());
        hotel.sandbox.edit("Booking__c", id, back).unwrap();
        hotel.sandbox.clear_faults();
        assert!(hotel.run_until_idle(DAY).await);
        let number = filed["case_number"].as_str().unwrap();
        assert_eq!(hotel.row("Case", "CaseNumber", number)["Status"], "New");
    });
}
