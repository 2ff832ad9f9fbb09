//! Bytes of the front desk's writes: check-in, charge, void, a logged message.

use dewy_domain::{
    ports::{ChargeOrder, CheckInOrder, SentTextRecord, VoidOrder},
    stay::{Booking, Line, LineKind, Opportunity, Room},
};
use percent_encoding::percent_decode_str;

use crate::{golden_writes::FOLIO, prelude::*};

fn clear(call: &Call) -> String {
    percent_decode_str(&call.body)
        .decode_utf8()
        .unwrap()
        .into_owned()
}

const OPEN: &str = r#"{"allOrNone":true,"collateSubrequests":false,"compositeRequest":["#;
const QUERY: &str = r#"{"method":"GET","url":"/services/data/v62.0/query?q="#;
const BOOKING_DATE: &str =
    r#""httpHeaders":{"If-Unmodified-Since":"Mon, 09 Mar 2026 09:00:00 GMT"},"#;

fn trace() -> String {
    [
        QUERY,
        "SELECT Id, StageName, Amount, CloseDate, Payment_ID__c, LastModifiedDate, LastModifiedById, ",
        "(SELECT Id, Name, Status__c, Check_In_Date__c, Check_Out_Date__c, Primary_Guest__c, Primary_Guest__r.Email, ",
        "External_ID__c, LastModifiedDate, LastModifiedById, Room__c, Room__r.Id, Room__r.Room_Number__c, Room__r.Status__c, ",
        "Room__r.Current_Guest__c, Room__r.LastModifiedDate, Room__r.LastModifiedById ",
        "FROM Bookings__r WHERE Id = 'a01000000000042AAA'), ",
        "(SELECT Id, Name, Transaction_Type__c, Amount__c, Status__c, Transaction_Date__c, External_ID__c, ",
        "Stripe_Transaction_ID__c, CreatedDate, CreatedById FROM Payment_Transactions__r ORDER BY Name) ",
        "FROM Opportunity WHERE Id = '006000000000042AAA'",
        r#"","referenceId":"trace"}]}"#,
    ]
    .concat()
}

fn reserved() -> Stay {
    Stay {
        booking: Booking {
            status: "Reserved".into(),
            ..example_check_out::booking()
        },
        room: Room {
            status: "Vacant".into(),
            current_guest: None,
            ..example_check_out::room()
        },
        opportunity: Opportunity {
            stage: "Booking Confirmed".into(),
            ..example_check_out::opportunity()
        },
        ..example_check_out::stay()
    }
}

const CHECK_IN_GUARD: &str = "SELECT Id FROM Booking__c WHERE Id = 'a01000000000042AAA' AND Status__c = 'Reserved' \
    AND Primary_Guest__c = '003000000000007AAA' AND LastModifiedById = '005000000000003AAA' \
    AND Room__c = 'a02000000000302AAA' AND Room__r.Status__c = 'Vacant' AND Room__r.Current_Guest__c = null \
    AND Room__r.LastModifiedById = '005000000000003AAA'";

fn room_and_booking() -> String {
    [
        r#"{"method":"PATCH","url":"/services/data/v62.0/sobjects/Hotel_Room__c/a02000000000302AAA","referenceId":"room","#,
        r#""httpHeaders":{"If-Unmodified-Since":"Mon, 09 Mar 2026 09:00:01 GMT"},"#,
        r#""body":{"Status__c":"Occupied","Current_Guest__c":"003000000000007AAA"}},"#,
        r#"{"method":"PATCH","url":"/services/data/v62.0/sobjects/Booking__c/@{guard.records[0].Id}","referenceId":"booking","#,
        BOOKING_DATE,
        r#""body":{"Status__c":"Checked In"}},"#,
    ]
    .concat()
}

#[tokio::test]
async fn a_check_in_is_one_guarded_composite() {
    let call = salesforce(Canned::new([])).check_in(&CheckInOrder { stay: reserved() });
    assert_eq!(
        (call.operation.as_str(), call.path.as_str()),
        ("composite", "/services/data/v62.0/composite")
    );
    let expected = [
        OPEN,
        QUERY,
        CHECK_IN_GUARD,
        " AND Opportunity__c = '006000000000042AAA' AND Opportunity__r.StageName = 'Booking Confirmed' ",
        "AND Opportunity__r.LastModifiedById = '005000000000003AAA'",
        r#"","referenceId":"guard"},"#,
        r#"{"method":"PATCH","url":"/services/data/v62.0/sobjects/Opportunity/006000000000042AAA","referenceId":"opportunity","#,
        r#""httpHeaders":{"If-Unmodified-Since":"Mon, 09 Mar 2026 09:00:02 GMT"},"body":{"StageName":"Checked In"}},"#,
        &room_and_booking(),
        &trace(),
    ];
    assert_eq!(clear(&call), expected.concat());
}

#[tokio::test]
async fn an_opportunity_in_another_stage_is_unchanged() {
    let mut stay = reserved();
    stay.opportunity.stage = "Negotiation/Review".into();
    let call = salesforce(Canned::new([])).check_in(&CheckInOrder { stay });
    let guard = format!(r#"{OPEN}{QUERY}{CHECK_IN_GUARD}","referenceId":"guard"}},"#);
    assert_eq!(
        clear(&call),
        format!("{guard}{}{}", room_and_booking(), trace())
    );
}

#[tokio::test]
async fn a_reverted_check_in_writes_no_lines() {
    let before = reserved();
    let order = RevertOrder {
        booking: Some((example_check_out::booking(), before.booking)),
        room: Some((example_check_out::room(), before.room)),
        opportunity: Some((example_check_out::opportunity(), before.opportunity)),
        refund: None,
        ..example_check_out::revert()
    };
    let body = clear(&salesforce(Canned::new([])).revert(&order));
    assert!(
        !body.contains("Payment_Transaction__c") && !body.contains(r#""method":"POST""#),
        "{body}"
    );
    assert!(
        body.contains(r#""body":{"Status__c":"Reserved"}"#),
        "{body}"
    );
    assert!(
        body.contains(r#""body":{"Status__c":"Vacant","Current_Guest__c":null}"#),
        "{body}"
    );
    assert!(
        body.contains(r#""body":{"StageName":"Booking Confirmed","CloseDate":"2026-03-10""#),
        "{body}"
    );
}

const IN_HOUSE_GUARD: &str = "SELECT Id FROM Booking__c WHERE Id = 'a01000000000042AAA' AND Status__c = 'Checked In' \
    AND LastModifiedById = '005000000000003AAA' AND Opportunity__c = '006000000000042AAA'";

fn touch() -> String {
    [
        r#"{"method":"PATCH","url":"/services/data/v62.0/sobjects/Booking__c/@{guard.records[0].Id}","referenceId":"booking","#,
        BOOKING_DATE,
        r#""body":{"External_ID__c":null}},"#,
    ]
    .concat()
}

#[tokio::test]
async fn a_charge_touches_the_booking_and_makes_a_line() {
    let order = ChargeOrder {
        execution_id: example_check_out::EXECUTION.to_owned(),
        stay: example_check_out::stay(),
        amount: Cents(5_005),
        at: example_check_out::at("2026-03-09T20:00:00Z"),
    };
    let expected = [
        OPEN,
        QUERY,
        IN_HOUSE_GUARD,
        r#"","referenceId":"guard"},"#,
        &touch(),
        FOLIO,
        r#"('exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000'))","referenceId":"folio"},"#,
        r#"{"method":"POST","url":"/services/data/v62.0/sobjects/Payment_Transaction__c","referenceId":"line","#,
        r#""body":{"Opportunity__c":"@{folio.records[0].Id}","External_ID__c":"exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000","#,
        r#""Transaction_Type__c":"Charge","Status__c":"Pending","Amount__c":50.05,"#,
        r#""Transaction_Date__c":"2026-03-09T20:00:00.000Z"}},"#,
        &trace(),
    ];
    assert_eq!(
        clear(&salesforce(Canned::new([])).charge(&order)),
        expected.concat()
    );
}

#[tokio::test]
async fn a_void_cancels_a_charge_as_it_was_read_and_nothing_else() {
    let line = Line {
        id: "a03000000000001AAA".to_owned(),
        kind: LineKind::Charge,
        org_type: None,
        number: "PT-00001".to_owned(),
        amount: Some(Cents(5_005)),
        status: "Pending".into(),
        at: None,
        external_id: None,
        stripe_id: None,
    };
    let order = VoidOrder {
        stay: Stay {
            lines: vec![line.clone()],
            ..example_check_out::stay()
        },
        line_id: line.id,
    };
    let expected = [
        OPEN,
        QUERY,
        IN_HOUSE_GUARD,
        r#"","referenceId":"guard"},"#,
        QUERY,
        "SELECT Id FROM Payment_Transaction__c WHERE Id = 'a03000000000001AAA' AND Opportunity__c = '006000000000042AAA' ",
        "AND Transaction_Type__c = 'Charge' AND Status__c = 'Pending'",
        r#"","referenceId":"line_guard"},"#,
        &touch(),
        r#"{"method":"PATCH","url":"/services/data/v62.0/sobjects/Payment_Transaction__c/@{line_guard.records[0].Id}","#,
        r#""referenceId":"line","body":{"Status__c":"Cancelled"}},"#,
        &trace(),
    ];
    assert_eq!(
        clear(&salesforce(Canned::new([])).void_charge(&order)),
        expected.concat()
    );
}

#[tokio::test]
async fn a_message_is_upserted_by_its_sid() {
    let canned = Canned::new([crate::canned_transport::status(
        201,
        r#"{"id":"a04000000000001AAA","success":true,"errors":[],"created":true}"#,
    )]);
    let note = SentTextRecord {
        sid: "SM0123456789abcdef0123456789abcdef".to_owned(),
        to: "+15550100".to_owned(),
        body: "Welcome, Beth".to_owned(),
        status: "Queued".to_owned(),
        at: example_check_out::at("2026-03-09T20:00:00Z"),
        opportunity_id: Some(example_check_out::OPPORTUNITY.to_owned()),
    };
    assert_eq!(
        salesforce(canned.clone())
            .send_record_text(&salesforce(canned.clone()).record_text(&note))
            .await,
        dewy_domain::upstream_request::Outcome::Done(())
    );
    let seen = canned.seen();
    assert_eq!(seen[0].method, "POST");
    assert_eq!(
        seen[0].url,
        "https://na1.example/services/data/v62.0/sobjects/SMS_Notification__c"
    );
    assert_eq!(
        String::from_utf8(seen[0].body.clone()).unwrap(),
        [
            r#"{"Twilio_Message_SID__c":"SM0123456789abcdef0123456789abcdef","To_Phone_Number__c":"+15550100","Message_Body__c":"Welcome, Beth","Direction__c":"Outbound","#,
            r#""Status__c":"Queued","Sent_Date__c":"2026-03-09T20:00:00.000Z","Opportunity__c":"006000000000042AAA"}"#,
        ]
        .concat()
    );
}

#[tokio::test]
async fn an_undone_check_in_is_a_revert_and_a_trace() {
    let before = reserved();
    let order = RevertOrder {
        booking: Some((example_check_out::booking(), before.booking)),
        room: Some((example_check_out::room(), before.room)),
        opportunity: None,
        refund: None,
        ..example_check_out::revert()
    };
    let salesforce = salesforce(Canned::new([]));
    let (reverted, undone) = (
        clear(&salesforce.revert(&order)),
        clear(&salesforce.undo_check_in(&order)),
    );
    let parts = reverted.strip_suffix("]}").unwrap();
    assert!(undone.starts_with(parts), "{undone}");
    assert!(undone.ends_with(&format!(",{}", trace())), "{undone}");
}
