//! Every Salesforce row of ADR 4's response table, and the shapes behind them.

use dewy_domain::{
    inventory::{RoomFacts, RoomQuery},
    money::Cents,
    ports::{CheckOutRecords, CheckOutRecordsQuery, Crm, Rooms, StayQuery},
    stay::{Line, LineKind},
};

use crate::{prelude::*, replies::broken, wire_responses};

async fn check_out(response: Response) -> Outcome<CheckOutRecords> {
    let crm = salesforce(Canned::new([response]));
    let call = crm.check_out(&example_check_out::check_out());
    crm.send_check_out(&call).await
}

#[tokio::test(start_paused = true)]
async fn outcomes_of_check_out_responses() {
    for (error, expected) in broken() {
        assert_eq!(arm(&check_out(Err(error)).await), expected);
    }
    for (code, body, expected) in [
        (200, wire_responses::CHECKED_OUT, "done"),
        (200, &wire_responses::CHECKED_OUT[..400], "unknown garbage"),
        (200, "<html>", "unknown garbage"),
        (200, r#"{"compositeResponse":[]}"#, "unknown garbage"),
        (503, "<html>", "unknown http_503"),
        (403, "blocked by a proxy", "unknown garbage"),
        (302, "", "unknown garbage"),
    ] {
        let reply = check_out(status(code, body)).await;
        assert_eq!(arm(&reply), expected, "{code} {body}");
    }
    // Errors of the whole request
    for (code, error, expected) in [
        (500, "UNKNOWN_EXCEPTION", "unknown http_500"),
        (503, "SERVER_UNAVAILABLE", "try_later SERVER_UNAVAILABLE"),
        (502, "SERVER_UNAVAILABLE", "unknown http_502"),
        (
            403,
            "REQUEST_LIMIT_EXCEEDED",
            "try_later REQUEST_LIMIT_EXCEEDED",
        ),
        (400, "UNABLE_TO_LOCK_ROW", "try_later UNABLE_TO_LOCK_ROW"),
        (400, "JSON_PARSER_ERROR", "refused JSON_PARSER_ERROR"),
    ] {
        let reply = check_out(status(code, &wire_responses::errors(error))).await;
        assert_eq!(arm(&reply), expected, "{code} {error}");
    }
    // Errors of one subrequest; the others are halted
    let halted = "Invalid reference specified. No value for guard.records[0].Id found in guard";
    for (part, code, error, message, expected) in [
        (
            "room",
            412,
            "PRECONDITION_FAILED",
            "",
            "refused guard_failed",
        ),
        (
            "booking",
            400,
            "PROCESSING_HALTED",
            halted,
            "refused guard_failed",
        ),
        ("none", 0, "", "", "refused guard_failed"),
        (
            "room",
            400,
            "UNABLE_TO_LOCK_ROW",
            "",
            "try_later UNABLE_TO_LOCK_ROW",
        ),
        (
            "room",
            403,
            "REQUEST_LIMIT_EXCEEDED",
            "",
            "try_later REQUEST_LIMIT_EXCEEDED",
        ),
        (
            "room",
            503,
            "SERVER_UNAVAILABLE",
            "",
            "try_later SERVER_UNAVAILABLE",
        ),
        ("room", 500, "UNKNOWN_EXCEPTION", "", "unknown http_500"),
        (
            "marker",
            400,
            "REQUIRED_FIELD_MISSING",
            "",
            "refused REQUIRED_FIELD_MISSING",
        ),
        (
            "room",
            404,
            "ENTITY_IS_DELETED",
            "",
            "refused ENTITY_IS_DELETED",
        ),
    ] {
        let body = wire_responses::rolled_back(part, code, error, message);
        let reply = check_out(status(200, &body)).await;
        assert_eq!(arm(&reply), expected, "{part}: {code} {error}");
    }
}

#[tokio::test]
async fn a_failed_guard_names_its_subrequest_without_data() {
    let secret = "duplicate value: beth.gibbs@email.com";
    let body = wire_responses::rolled_back("room", 412, "PRECONDITION_FAILED", secret);
    let error = refused(check_out(status(200, &body)).await);
    assert_eq!(
        (
            error.details["subrequest"].as_str(),
            error.details["status"].as_u64()
        ),
        (Some("room"), Some(412))
    );
    assert!(!format!("{error:?}").contains("beth.gibbs"), "{error:?}");
}

#[tokio::test]
async fn a_check_out_that_went_through_brings_its_trace() {
    let trace = done(check_out(status(200, wire_responses::CHECKED_OUT)).await);
    let marker = trace.marker.unwrap();
    assert_eq!(
        (marker.id.as_str(), marker.created_by.as_str()),
        ("a03000000000009AAA", example_check_out::US)
    );
    assert_eq!(
        marker.created_at,
        example_check_out::at("2026-03-11T00:30:02Z")
    );
    assert_eq!(
        (trace.booking.status.as_str(), trace.room.status.as_str()),
        ("Checked Out", "Cleaning")
    );
    assert_eq!(
        (
            trace.room.current_guest,
            trace.opportunity.payment_id.as_deref()
        ),
        (None, Some("pi_1"))
    );
    assert_eq!(trace.opportunity.stamp.by, example_check_out::US);
    assert!(!trace.compensated);
}

#[tokio::test]
async fn an_applied_check_out_whose_trace_lacks_the_marker_is_unknown() {
    let body = wire_responses::CHECKED_OUT.replace(
        r#""Id":"a03000000000009AAA","Name""#,
        r#""Id":"a03000000000008AAA","Name""#,
    );
    assert_eq!(arm(&check_out(status(200, &body)).await), "unknown garbage");
    let body =
        wire_responses::CHECKED_OUT.replace(r#""referenceId":"trace""#, r#""referenceId":"other""#);
    assert_eq!(arm(&check_out(status(200, &body)).await), "unknown garbage");
}

fn beth() -> StayQuery {
    StayQuery::in_house("beth.gibbs@email.com".into())
}

async fn stays(query: &StayQuery, body: &str) -> Outcome<Vec<dewy_domain::stay::Stay>> {
    salesforce(Canned::new([status(200, body)]))
        .stays(query)
        .await
}

#[tokio::test]
async fn a_stay_is_read_to_the_cent_with_its_folio() {
    let stays = done(stays(&beth(), wire_responses::STAYS).await);
    let [stay] = stays.as_slice() else {
        panic!("{stays:?}")
    };
    assert_eq!(stay.booking, example_check_out::booking());
    assert_eq!(stay.room, example_check_out::room());
    assert_eq!(stay.opportunity, example_check_out::opportunity());
    let lines: Vec<_> = stay
        .lines
        .iter()
        .map(|l| {
            (
                l.kind,
                l.number.as_str(),
                l.amount.unwrap().0,
                l.status.as_str(),
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            (LineKind::Charge, "PT-00001", 1_800, "Pending"),
            (LineKind::Payment, "PT-00002", 10_000, "Completed")
        ]
    );
    assert_eq!(stay.lines[1].external_id.as_deref(), Some("exe_older"));
    assert_eq!(stay.balance(), Some(Cents(25_010 + 1_800 - 10_000)));
    assert_eq!(
        stay.shares_folio_with,
        ["BK-0043"],
        "neither the cancelled one nor the no-show"
    );
}

#[tokio::test]
async fn other_bookings_of_the_folio_are_filtered_out() {
    let nobody = StayQuery {
        guest: Some("nobody@example.com".into()),
        ..beth()
    };
    assert_eq!(
        stays(&nobody, wire_responses::STAYS).await,
        Outcome::Done(vec![])
    );
    let other_room = StayQuery {
        room_number: Some("303".into()),
        ..beth()
    };
    assert_eq!(
        stays(&other_room, wire_responses::STAYS).await,
        Outcome::Done(vec![])
    );
    let by_number = StayQuery {
        booking_number: Some("bk-0042".into()),
        ..beth()
    };
    assert!(
        matches!(stays(&by_number, wire_responses::STAYS).await, Outcome::Done(found) if found.len() == 1)
    );
}

#[tokio::test]
async fn a_booking_named_alone_is_found_whoever_its_guest_is() {
    let named = StayQuery {
        guest: None,
        booking_number: Some("BK-0042".into()),
        ..beth()
    };
    assert!(
        matches!(stays(&named, wire_responses::STAYS).await, Outcome::Done(found) if found.len() == 1)
    );
    for nobody in [
        StayQuery {
            guest: None,
            ..beth()
        },
        StayQuery {
            guest: Some("".into()),
            booking_number: Some("BK-0042".into()),
            ..beth()
        },
    ] {
        assert_eq!(
            stays(&nobody, wire_responses::STAYS).await,
            Outcome::Done(vec![])
        );
    }
}

#[tokio::test]
async fn a_line_of_an_unknown_type_hides_no_folio() {
    for (word, org_type) in [(r#""Goodwill""#, "Goodwill"), ("null", "")] {
        let body = wire_responses::STAYS.replace(
            r#""Transaction_Type__c":"Charge""#,
            &format!(r#""Transaction_Type__c":{word}"#),
        );
        let found = done(stays(&beth(), &body).await);
        let unknown = |line: &&Line| line.kind == LineKind::Other;
        let line = found[0].lines.iter().find(unknown).unwrap();
        assert_eq!(line.org_type.as_deref(), Some(org_type));
    }
}

#[tokio::test]
async fn missing_amounts_are_no_balance_and_missing_rooms_are_named() {
    for (from, to) in [
        (r#""Amount":250.1"#, r#""Amount":null"#),
        (r#""Amount":250.1"#, r#""Amount":250.125"#),
        (r#""Amount__c":18.0"#, r#""Amount__c":null"#),
    ] {
        let found = done(stays(&beth(), &wire_responses::STAYS.replace(from, to)).await);
        assert_eq!(found[0].balance(), None, "{to}");
    }
    let roomless = StayQuery {
        booking_number: Some("BK-0044".into()),
        ..beth()
    };
    assert_eq!(
        arm(&stays(&roomless, wire_responses::STAYS).await),
        "refused incomplete_record"
    );
}

#[tokio::test]
async fn a_room_without_its_number_hides_neither_other_rooms_nor_its_stay() {
    let room = |id: u8, number: &str| {
        format!(
            r#"{{"Id":"a0200000000030{id}AAA","Room_Number__c":{number},"Status__c":"Vacant","Nightly_Rate__c":125,
            "Max_Occupancy__c":2,"LastModifiedDate":"2026-03-09T09:00:01.000+0000","LastModifiedById":"005000000000003AAA"}}"#
        )
    };
    let rooms = [room(1, r#""301""#), room(2, "null"), room(3, r#"" ""#)].join(",");
    let body = format!(r#"{{"totalSize":3,"done":true,"records":[{rooms}]}}"#);
    let crm = salesforce(Canned::new([status(200, &body)]));
    let rooms = done(crm.rooms(&RoomQuery::default()).await);
    let lacking: Vec<_> = rooms.iter().map(RoomFacts::problems).collect();
    let named = |id: &str| {
        vec![format!(
            "Room record a0200000000030{id}AAA: room number is empty"
        )]
    };
    assert_eq!(lacking, [vec![], named("2"), named("3")]);
    let unnumbered =
        wire_responses::STAYS.replace(r#""Room_Number__c":"302""#, r#""Room_Number__c":null"#);
    let found = done(stays(&beth(), &unnumbered).await);
    assert_eq!(found[0].booking.number.as_str(), "BK-0042");
}

#[tokio::test]
async fn a_truncated_folio_is_never_treated_as_complete() {
    let cut = wire_responses::STAYS.replace(
        r#"{"totalSize":2,"done":true"#,
        r#"{"totalSize":2,"done":false"#,
    );
    assert_eq!(arm(&stays(&beth(), &cut).await), "refused too_many_rows");
    let forged =
        wire_responses::STAYS.replace("a01000000000042AAA\",\"Name", "a01' OR Id != '\",\"Name");
    assert_eq!(
        arm(&stays(&beth(), &forged).await),
        "unknown garbage",
        "an id of another shape is not Salesforce's"
    );
}

#[tokio::test]
async fn an_empty_email_matches_nobody_without_a_request() {
    let canned = Canned::new([]);
    let crm = salesforce(canned.clone());
    assert_eq!(
        crm.stays(&StayQuery::in_house("".into())).await,
        Outcome::Done(vec![])
    );
    assert_eq!(crm.knows_guest(&"".into()).await, Outcome::Done(false));
    assert!(canned.seen().is_empty());
}

#[tokio::test]
async fn a_trace_knows_marker_and_compensation_by_our_own_reference() {
    let query = |execution: &str| CheckOutRecordsQuery {
        execution_id: execution.to_owned(),
        opportunity_id: example_check_out::OPPORTUNITY.to_owned(),
        booking_id: example_check_out::BOOKING.to_owned(),
    };
    let read = async |body: &str, execution: &str| {
        done(
            salesforce(Canned::new([status(200, body)]))
                .check_out_records(&query(execution))
                .await,
        )
    };
    assert!(
        read(wire_responses::STAYS, "exe_older")
            .await
            .unwrap()
            .marker
            .is_some()
    );
    assert!(
        read(wire_responses::STAYS, "exe_other")
            .await
            .unwrap()
            .marker
            .is_none()
    );
    let refunded = wire_responses::STAYS.replace(
        r#""External_ID__c":null"#,
        r#""External_ID__c":"exe_older#refund""#,
    );
    assert!(read(&refunded, "exe_older").await.unwrap().compensated);
    assert!(!read(&refunded, "exe_other").await.unwrap().compensated);
    assert_eq!(
        read(r#"{"totalSize":0,"done":true,"records":[]}"#, "exe_older").await,
        None
    );

    let canned = Canned::new([]);
    let crooked = CheckOutRecordsQuery {
        booking_id: "a01' OR Name != '".to_owned(),
        ..query("exe")
    };
    assert_eq!(
        arm(&salesforce(canned.clone()).check_out_records(&crooked).await),
        "refused MALFORMED_ID"
    );
    assert!(canned.seen().is_empty());
}

#[tokio::test]
async fn touch_and_create_read_inner_results() {
    let touch = async |response: Response| {
        let crm = salesforce(Canned::new([response]));
        let call = crm.build_touch(&example_check_out::booking());
        crm.send_touch(&call).await
    };
    assert_eq!(touch(status(204, "")).await, Outcome::Done(()));
    assert_eq!(
        arm(&touch(status(412, &wire_responses::errors("PRECONDITION_FAILED"))).await),
        "refused guard_failed"
    );
    assert_eq!(arm(&touch(status(200, "{\"id")).await), "unknown garbage");

    let create = async |response: Response| {
        let crm = salesforce(Canned::new([response]));
        let call = crm.revert(&example_check_out::lines_only());
        crm.send_revert(&call).await
    };
    let good = r#"[{"id":"a03000000000001AAA","success":true,"errors":[]},{"id":"a03000000000002AAA","success":true,"errors":[]}]"#;
    assert_eq!(create(status(200, good)).await, Outcome::Done(()));
    let rolled = r#"{"success":false,"errors":[{"statusCode":"ALL_OR_NONE_OPERATION_ROLLED_BACK","message":"","fields":[]}]}"#;
    let own = |code: &str| {
        format!(
            r#"[{rolled},{{"success":false,"errors":[{{"statusCode":"{code}","message":"","fields":["Status__c"]}}]}}]"#
        )
    };
    assert_eq!(
        arm(&create(status(200, &own("STRING_TOO_LONG"))).await),
        "refused STRING_TOO_LONG"
    );
    assert_eq!(
        arm(&create(status(200, &own("UNABLE_TO_LOCK_ROW"))).await),
        "try_later UNABLE_TO_LOCK_ROW"
    );
    let there = create(status(200, &own("INVALID_FIELD_FOR_INSERT_UPDATE"))).await;
    assert_eq!(
        arm(&there),
        "refused guard_failed",
        "a line that is there already"
    );
    assert_eq!(arm(&create(status(200, "[]")).await), "unknown garbage");
}

#[tokio::test]
async fn an_expired_session_is_refreshed_exactly_once() {
    let expired = || status(401, &wire_responses::errors("INVALID_SESSION_ID"));
    let canned = Canned::new([expired(), status(200, wire_responses::CHECKED_OUT)]);
    let crm = salesforce(canned.clone());
    let call = crm.check_out(&example_check_out::check_out());
    assert_eq!(arm(&crm.send_check_out(&call).await), "done");
    let seen = canned.seen();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0].body, seen[1].body, "the same bytes");
    assert_eq!(
        seen[0].url, "https://na1.example/services/data/v62.0/composite",
        "instance_url is the base"
    );

    let canned = Canned::new([expired(), expired(), expired()]);
    let crm = salesforce(canned.clone());
    assert_eq!(
        arm(&crm.send_check_out(&call).await),
        "try_later INVALID_SESSION_ID"
    );
    assert_eq!(canned.seen().len(), 2, "once and no more");
}
