//! Requests, defects and cases.

use std::collections::BTreeSet;

use dewy_domain::case::signed_comment;

use super::*;

#[tokio::test(start_paused = true)]
async fn a_request_is_filed_once_though_the_response_is_lost() {
    let hotel = with(vec![]);
    hotel.fault(salesforce("composite", FaultKind::TimeoutAfterEffect));
    let input =
        json!({ "type": "Housekeeping", "description": "Two more towels, please.\nLarge ones." });
    let filed = hotel
        .guest(BETH, "submit_guest_service_request", "r1", input)
        .await;
    assert_eq!(filed.status(), 201, "{}", filed.body(Persona::Guest));
    let filed = data(&filed);
    assert_fields(
        &filed,
        json!({ "room_number": "302", "subject": "Two more towels, please." }),
    );
    let number = text_of(&filed["case_number"]);
    let row = hotel.case(&number);
    assert_eq!(row["Booking__c"], hotel.booking("BK-0042")["Id"]);
    assert_eq!(
        hotel
            .records("Case")
            .iter()
            .filter(|c| c["Subject"] == "Two more towels, please.")
            .count(),
        1
    );

    // What is written in Salesforce itself is by the user who wrote it there
    let program = OtherProgram::signed_in(&hotel).await;
    let comment = json!({ "ParentId": row["Id"], "CommentBody": "The guest called." });
    program.make("CaseComment", comment).await;
    let search = json!({ "case_number": number });
    let found = hotel
        .front_desk("search_cases_on_behalf_of_staff", None, search)
        .await;
    let comment = &data(&found)["cases"][0]["comments"][0];
    assert_fields(
        comment,
        json!({ "body": "The guest called.", "author": "Dewy Integration" }),
    );
    let taken = json!({ "case_number": number, "assignee": "housekeeping@dewy.example" });
    assert_eq!(hotel.work_on_case("w1", taken).await.error(), None);
    let mine = data(
        &hotel
            .guest(BETH, "search_cases_on_behalf_of_guest", None, json!({}))
            .await,
    );
    assert!(
        items(&mine["cases"])
            .iter()
            .any(|c| c["case_number"] == number.as_str())
    );
    assert!(
        items(&mine["cases"])
            .iter()
            .all(|c| c.get("assignee").is_none())
    );
}

#[tokio::test(start_paused = true)]
async fn a_case_is_found_by_its_number_however_many_came_after_it() {
    let hotel = with(vec![]);
    let search = "search_cases_on_behalf_of_staff";
    let old = json!({ "type": "Facilities", "subject": "The lift squeaks" });
    let old = data(&hotel.work_on_case("c1", old).await)["case_number"]
        .as_str()
        .unwrap()
        .to_owned();
    for (token, status) in [("c2", "In Progress"), ("c3", "Closed")] {
        data(
            &hotel
                .work_on_case(token, json!({ "case_number": old, "status": status }))
                .await,
        );
    }
    let later = |n: usize| json!({ "attributes": { "type": "Case" }, "Subject": format!("Towels {n}"), "Status": "New" });
    let program = OtherProgram::signed_in(&hotel).await;
    for _ in 0..2 {
        program.make_many((0..105).map(later).collect()).await;
    }
    let newest = data(
        &hotel
            .front_desk(
                search,
                None,
                json!({ "status_filter": "All", "limit": 200 }),
            )
            .await,
    );
    assert_eq!(newest["cut"], true);
    assert!(
        items(&newest["cases"])
            .iter()
            .all(|case| case["case_number"] != old.as_str())
    );
    for number in [old.as_str(), old.trim_start_matches('0')] {
        let found = data(
            &hotel
                .front_desk(search, None, json!({ "case_number": number }))
                .await,
        );
        assert_eq!(
            (&found["cases"][0]["case_number"], &found["cut"]),
            (&json!(old), &json!(false))
        );
        assert_eq!(items(&found["cases"]).len(), 1);
    }
    let open = data(
        &hotel
            .front_desk(
                search,
                None,
                json!({ "case_number": old, "status_filter": "Open" }),
            )
            .await,
    );
    assert_eq!(open["cases"], json!([]), "a filter that is given must fit");
    let wrong = hotel
        .front_desk(search, None, json!({ "case_number": "BK-0042" }))
        .await;
    assert_refused(&wrong, ErrorCode::ValidationFailed);
}

#[tokio::test(start_paused = true)]
async fn a_comment_with_a_lost_response_is_added_once() {
    for (kind, crlf_line_ends) in [
        (FaultKind::TimeoutAfterEffect, false),
        (FaultKind::TimeoutAfterEffect, true),
        (FaultKind::TimeoutBeforeEffect, false),
        (FaultKind::LateEffect, false),
        (FaultKind::LateEffect, true),
    ] {
        let hotel = with(vec![]);
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
        hotel.fault(salesforce("composite", kind).ms(60_000));
        let input = json!({ "case_number": case["CaseNumber"], "comment": "Parts are ordered." });
        hotel.work_on_case("w1", input).await;
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
    }
}

/// A change sent within a second of the row's last one, whose response is lost: the touch falls
/// into the same second, and waiting for the next one is no failed attempt. The hotel's clock may
/// be behind Salesforce's for all of it.
#[tokio::test(start_paused = true)]
async fn a_second_change_within_a_second_is_applied() {
    for behind in [-300, 0, 4, 300] {
        for lost in 1..=2 {
            let hotel = with(vec![]);
            hotel.set_clocks(-behind);
            let new = json!({ "type": "Facilities", "subject": "Lift squeaks" });
            let case = data(&hotel.work_on_case("c1", new).await);
            let fault = salesforce("composite", FaultKind::ResetBeforeEffect);
            hotel.fault(fault.count(lost));
            let change = json!({ "case_number": case["case_number"], "status": "In Progress" });
            let changed = hotel.work_on_case("c2", change).await;
            assert_eq!(
                changed.error(),
                None,
                "{behind} s behind, {lost} lost: {}",
                changed.body(Persona::Staff)
            );
            let number = case["case_number"].as_str().unwrap();
            let row = hotel.case(number);
            assert_eq!(row["Status"], "In Progress");
            assert_sound(&hotel);
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
                let hotel = with(vec![]);
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
                    hotel.fault(fault);
                }
                let input = json!({ "case_number": case["CaseNumber"], "comment": WORDS });
                hotel.work_on_case("w1", input).await;
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

#[tokio::test(start_paused = true)]
async fn open_requests_end_with_the_stay() {
    let hotel = with(vec![]);
    let file = async |kind: &str, token: &str| {
        let input = json!({ "type": kind, "description": format!("About {kind}.") });
        let tool = "submit_guest_service_request";
        let filed = hotel.guest(BETH, tool, token, input).await;
        text_of(&data(&filed)["case_number"])
    };
    let (towels, bill, soap) = (
        file("Housekeeping", "r1").await,
        file("Concierge", "r2").await,
        file("Housekeeping", "r3").await,
    );
    for (status, token) in [("In Progress", "m1"), ("Closed", "m2")] {
        let input = json!({ "case_number": soap, "status": status });
        let brought = hotel.work_on_case(token, input).await;
        assert_eq!(brought.error(), None, "{}", brought.body(Persona::Staff));
    }
    let others = hotel.records("Case").len() - 3;
    let input = json!({ "booking_number": "BK-0042", "amount": 25000 });
    let out = hotel
        .front_desk("process_guest_checkout", "o1", input)
        .await;
    assert_eq!(out.error(), None, "{}", out.body(Persona::Staff));
    // Salesforce fails when the cases are looked for, and when the first one is changed
    hotel.fault(salesforce("query", FaultKind::Status).status(503).count(3));
    hotel.fault(salesforce("composite", FaultKind::TimeoutAfterEffect));
    assert!(hotel.run_until_idle(DAY).await);

    let comments = hotel.records("CaseComment");
    for (number, status) in [(&towels, "Closed"), (&bill, "New")] {
        let case = hotel.case(number);
        assert_eq!(case["Status"], status, "{number}");
        let told = |c: &&Value| {
            c["ParentId"] == case["Id"] && c["CommentBody"] == "The guest has checked out."
        };
        assert_eq!(comments.iter().filter(told).count(), 1, "{number}");
    }
    assert_eq!(hotel.records("Case").len(), others + 3);
    let seen = hotel
        .guest(
            BETH,
            "search_cases_on_behalf_of_guest",
            None,
            json!({ "status_filter": "all" }),
        )
        .await;
    let seen = data(&seen);
    let lapsed = |number: &str| {
        let all = items(&seen["cases"]).iter();
        all.clone().find(|c| c["case_number"] == number).unwrap()["lapsed"].clone()
    };
    assert_eq!((lapsed(&towels), lapsed(&bill)), (json!(true), Value::Null));
    assert_eq!(lapsed(&soap), Value::Null, "it was done before");
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn an_ended_stay_whose_cases_stay_unreadable_costs_little_and_is_given_up_after_a_day() {
    // Nobody can tell which cases end
    let org = OrgSettings {
        hidden_fields: vec!["Case.Booking__c".to_owned()],
        ..OrgSettings::default()
    };
    let hotel = SimulatedHotel::new(Setup {
        workers: 2,
        poll: Duration::from_secs(20),
        org,
        ..Setup::default()
    });
    let input = json!({ "booking_number": "BK-0042", "amount": 25000 });
    let out = hotel
        .front_desk("process_guest_checkout", "o1", input)
        .await;
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
}

#[tokio::test(start_paused = true)]
async fn requests_stay_open_when_the_check_out_was_taken_back() {
    let hotel = with(vec![]);
    let input = json!({ "type": "Housekeeping", "description": "Two more towels, please." });
    let tool = "submit_guest_service_request";
    let filed = data(&hotel.guest(BETH, tool, "r1", input).await);
    let input = json!({ "booking_number": "BK-0042", "amount": 25000 });
    let out = hotel
        .front_desk("process_guest_checkout", "o1", input)
        .await;
    assert_eq!(out.error(), None, "{}", out.body(Persona::Staff));
    let down = salesforce("query", FaultKind::Status).status(503);
    hotel.fault(down.count(0));
    tokio::time::sleep(Duration::from_secs(10)).await;
    let booking = hotel.booking("BK-0042");
    let back = json!({ "Status__c": "Checked In" });
    let (id, back) = (booking["Id"].as_str().unwrap(), back.as_object().unwrap());
    hotel.sandbox.edit("Booking__c", id, back).unwrap();
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    let number = filed["case_number"].as_str().unwrap();
    assert_eq!(hotel.case(number)["Status"], "New");
}
