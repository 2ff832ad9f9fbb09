//! Bytes of every write. They are journaled and sent again after a crash, so a change here is a
//! change of contract.

use dewy_domain::{ports::RecordedPayment, stay::Booking, upstream_request::System};
use percent_encoding::percent_decode_str;

use crate::{
    canned_transport::{salesforce_config, stripe},
    prelude::*,
};

/// Body with its queries decoded for readability; the encoding itself is tested in `percent`.
fn clear(call: &Call) -> String {
    percent_decode_str(&call.body)
        .decode_utf8()
        .unwrap()
        .into_owned()
}

/// Folio query that matches only where none of these lines exists.
pub const FOLIO: &str = "{\"method\":\"GET\",\"url\":\"/services/data/v62.0/query?q=SELECT Id FROM Opportunity WHERE \
    Id = '006000000000042AAA' AND Id NOT IN (SELECT Opportunity__c FROM Payment_Transaction__c WHERE External_ID__c IN ";

const PAIR: &str = "('exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000#payment', 'exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000#refund'))\",\
    \"referenceId\":\"folio\"},";

#[tokio::test]
async fn a_check_out_is_one_guarded_composite() {
    let call = salesforce(Canned::new([])).check_out(&example_check_out::check_out());
    assert_eq!(
        (call.system, call.operation.as_str(), call.method.as_str()),
        (System::Salesforce, "composite", "POST")
    );
    assert_eq!(call.path, "/services/data/v62.0/composite");
    assert_eq!(
        call.headers,
        [("content-type".to_owned(), "application/json".to_owned())]
    );
    assert_eq!(call.idempotency_key, None);
    let expected = [
        r#"{"allOrNone":true,"collateSubrequests":false,"compositeRequest":["#,
        r#"{"method":"GET","url":"/services/data/v62.0/query?q="#,
        "SELECT Id FROM Booking__c WHERE Id = 'a01000000000042AAA' AND Status__c = 'Checked In' ",
        "AND LastModifiedById = '005000000000003AAA' AND Room__c = 'a02000000000302AAA' AND Room__r.Status__c = 'Occupied' ",
        "AND Room__r.Current_Guest__c = '003000000000007AAA' AND Room__r.LastModifiedById = '005000000000003AAA' ",
        "AND Opportunity__c = '006000000000042AAA' AND Opportunity__r.StageName = 'Checked In' ",
        "AND Opportunity__r.LastModifiedById = '005000000000003AAA'",
        r#"","referenceId":"guard"},"#,
        r#"{"method":"PATCH","url":"/services/data/v62.0/sobjects/Opportunity/006000000000042AAA","referenceId":"opportunity","#,
        r#""httpHeaders":{"If-Unmodified-Since":"Mon, 09 Mar 2026 09:00:02 GMT"},"#,
        r#""body":{"StageName":"Closed Won","CloseDate":"2026-03-11","Payment_ID__c":"pi_1"}},"#,
        r#"{"method":"PATCH","url":"/services/data/v62.0/sobjects/Hotel_Room__c/a02000000000302AAA","referenceId":"room","#,
        r#""httpHeaders":{"If-Unmodified-Since":"Mon, 09 Mar 2026 09:00:01 GMT"},"#,
        r#""body":{"Status__c":"Cleaning","Current_Guest__c":null}},"#,
        r#"{"method":"PATCH","url":"/services/data/v62.0/sobjects/Booking__c/@{guard.records[0].Id}","referenceId":"booking","#,
        r#""httpHeaders":{"If-Unmodified-Since":"Mon, 09 Mar 2026 09:00:00 GMT"},"body":{"Status__c":"Checked Out"}},"#,
        FOLIO,
        "('exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000', 'exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000#payment', ",
        "'exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000#refund'))",
        r#"","referenceId":"folio"},"#,
        r#"{"method":"POST","url":"/services/data/v62.0/sobjects/Payment_Transaction__c","referenceId":"marker","#,
        r#""body":{"Opportunity__c":"@{folio.records[0].Id}","External_ID__c":"exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000","#,
        r#""Transaction_Type__c":"Payment","Status__c":"Completed","Amount__c":250.10,"#,
        r#""Transaction_Date__c":"2026-03-11T00:30:00.500Z","Payment_Method__c":"Credit Card","#,
        r#""Stripe_Transaction_ID__c":"pi_1","Last_4_Digits__c":"4242","Receipt_URL__c":"https://pay.stripe.com/receipts/1"}},"#,
        r#"{"method":"GET","url":"/services/data/v62.0/query?q="#,
        "SELECT Id, StageName, Amount, CloseDate, Payment_ID__c, LastModifiedDate, LastModifiedById, ",
        "(SELECT Id, Name, Status__c, Check_In_Date__c, Check_Out_Date__c, Primary_Guest__c, Primary_Guest__r.Email, ",
        "External_ID__c, LastModifiedDate, LastModifiedById, Room__c, Room__r.Id, Room__r.Room_Number__c, Room__r.Status__c, ",
        "Room__r.Current_Guest__c, Room__r.LastModifiedDate, Room__r.LastModifiedById ",
        "FROM Bookings__r WHERE Id = 'a01000000000042AAA'), ",
        "(SELECT Id, Name, Transaction_Type__c, Amount__c, Status__c, Transaction_Date__c, External_ID__c, ",
        "Stripe_Transaction_ID__c, CreatedDate, CreatedById FROM Payment_Transactions__r ORDER BY Name) ",
        "FROM Opportunity WHERE Id = '006000000000042AAA'",
        r#"","referenceId":"trace"}]}"#,
    ];
    assert_eq!(clear(&call), expected.concat());
}

#[tokio::test]
async fn a_check_out_with_nothing_to_pay_has_a_marker_too() {
    let order = CheckOutOrder {
        held: vec![],
        payment: None,
        ..example_check_out::check_out()
    };
    let body = salesforce(Canned::new([])).check_out(&order).body;
    let marker = r#""body":{"Opportunity__c":"@{folio.records[0].Id}","External_ID__c":"exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000","Transaction_Type__c":"Payment","Status__c":"Completed","Amount__c":0.00,"Transaction_Date__c":"2026-03-11T00:30:00.500Z"}"#;
    assert!(body.contains(marker), "{body}");
    assert!(
        body.contains(r#""body":{"StageName":"Closed Won","CloseDate":"2026-03-11"}"#),
        "{body}"
    );
}

#[tokio::test]
async fn the_hotels_zone_decides_the_day_and_a_long_receipt_link_is_left_out() {
    let mut config = salesforce_config();
    config.time_zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(-5));
    let crm = dewy_connectors::Salesforce::new(
        config,
        Canned::new([]),
        std::sync::Arc::new(dewy_sandbox::test_clock::TestClock::new()),
    );
    let receipt_url = Some(format!("https://pay.stripe.com/{}", "x".repeat(300)));
    let order = CheckOutOrder {
        held: vec![],
        payment: Some(RecordedPayment {
            receipt_url,
            ..example_check_out::paid()
        }),
        ..example_check_out::check_out()
    };
    let body = crm.check_out(&order).body;
    assert!(
        body.contains(r#""CloseDate":"2026-03-10""#),
        "half past midnight in UTC is still the day before: {body}"
    );
    assert!(!body.contains("Receipt_URL__c\":"), "{body}");
}

#[tokio::test]
async fn a_revert_goes_backwards_guarded_by_the_present_rows() {
    let call = salesforce(Canned::new([])).revert(&example_check_out::revert());
    assert_eq!(call.operation, "composite");
    let expected = [
        r#"{"allOrNone":true,"collateSubrequests":false,"compositeRequest":["#,
        r#"{"method":"GET","url":"/services/data/v62.0/query?q="#,
        "SELECT Id FROM Booking__c WHERE Id = 'a01000000000042AAA' AND Status__c = 'Checked Out' AND LastModifiedById = '005000000000001AAA'",
        r#"","referenceId":"booking_guard"},"#,
        r#"{"method":"GET","url":"/services/data/v62.0/query?q="#,
        "SELECT Id FROM Hotel_Room__c WHERE Id = 'a02000000000302AAA' AND Status__c = 'Cleaning' AND Current_Guest__c = null ",
        "AND LastModifiedById = '005000000000001AAA'",
        r#"","referenceId":"room_guard"},"#,
        r#"{"method":"GET","url":"/services/data/v62.0/query?q="#,
        "SELECT Id FROM Opportunity WHERE Id = '006000000000042AAA' AND StageName = 'Closed Won' AND CloseDate = 2026-03-11 ",
        "AND Payment_ID__c = 'pi_1' AND LastModifiedById = '005000000000001AAA'",
        r#"","referenceId":"opportunity_guard"},"#,
        r#"{"method":"PATCH","url":"/services/data/v62.0/sobjects/Booking__c/@{booking_guard.records[0].Id}","referenceId":"booking","#,
        r#""httpHeaders":{"If-Unmodified-Since":"Wed, 11 Mar 2026 00:30:02 GMT"},"body":{"Status__c":"Checked In"}},"#,
        r#"{"method":"PATCH","url":"/services/data/v62.0/sobjects/Hotel_Room__c/@{room_guard.records[0].Id}","referenceId":"room","#,
        r#""httpHeaders":{"If-Unmodified-Since":"Wed, 11 Mar 2026 00:30:02 GMT"},"#,
        r#""body":{"Status__c":"Occupied","Current_Guest__c":"003000000000007AAA"}},"#,
        r#"{"method":"PATCH","url":"/services/data/v62.0/sobjects/Opportunity/@{opportunity_guard.records[0].Id}","referenceId":"opportunity","#,
        r#""httpHeaders":{"If-Unmodified-Since":"Wed, 11 Mar 2026 00:30:02 GMT"},"#,
        r#""body":{"StageName":"Checked In","CloseDate":"2026-03-10","Payment_ID__c":null}},"#,
        FOLIO,
        PAIR,
        r#"{"method":"POST","url":"/services/data/v62.0/sobjects/Payment_Transaction__c","referenceId":"refund","#,
        r#""body":{"Opportunity__c":"@{folio.records[0].Id}","External_ID__c":"exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000#refund","#,
        r#""Transaction_Type__c":"Refund","Status__c":"Completed","Amount__c":250.10,"#,
        r#""Transaction_Date__c":"2026-03-11T00:31:00.000Z","Payment_Method__c":"Credit Card","Stripe_Transaction_ID__c":"re_1"}}]}"#,
    ];
    assert_eq!(clear(&call), expected.concat());
}

#[tokio::test]
async fn only_own_rows_are_reverted() {
    let order = RevertOrder {
        booking: None,
        opportunity: None,
        ..example_check_out::revert()
    };
    let body = salesforce(Canned::new([])).revert(&order).body;
    assert!(
        body.contains("Hotel_Room__c/@{room_guard")
            && !body.contains("Booking__c/")
            && !body.contains("sobjects/Opportunity")
    );
}

#[tokio::test]
async fn without_rows_to_revert_the_lines_are_one_upsert() {
    let call = salesforce(Canned::new([])).revert(&example_check_out::lines_only());
    let path = "/services/data/v62.0/composite/sobjects/Payment_Transaction__c/External_ID__c";
    assert_eq!(
        (
            call.operation.as_str(),
            call.method.as_str(),
            call.path.as_str()
        ),
        ("upsert", "PATCH", path)
    );
    let expected = [
        r#"{"allOrNone":true,"records":[{"attributes":{"type":"Payment_Transaction__c"},"#,
        r#""Opportunity__c":"006000000000042AAA","External_ID__c":"exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000#payment","#,
        r#""Transaction_Type__c":"Payment","Status__c":"Completed","Amount__c":250.10,"#,
        r#""Transaction_Date__c":"2026-03-11T00:31:00.000Z","Payment_Method__c":"Credit Card","Stripe_Transaction_ID__c":"pi_1","#,
        r#""Last_4_Digits__c":"4242","Receipt_URL__c":"https://pay.stripe.com/receipts/1"},"#,
        r#"{"attributes":{"type":"Payment_Transaction__c"},"#,
        r#""Opportunity__c":"006000000000042AAA","External_ID__c":"exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000#refund","#,
        r#""Transaction_Type__c":"Refund","Status__c":"Completed","Amount__c":250.10,"#,
        r#""Transaction_Date__c":"2026-03-11T00:31:00.000Z","Payment_Method__c":"Credit Card","Stripe_Transaction_ID__c":"re_1"}]}"#,
    ];
    assert_eq!(call.body, expected.concat());
}

#[tokio::test]
async fn a_touch_writes_a_field_without_meaning() {
    let crm = salesforce(Canned::new([]));
    let ours = crm.build_touch(&Booking {
        external_id: Some("exe_1".to_owned()),
        ..example_check_out::booking()
    });
    assert_eq!(ours.body, r#"{"External_ID__c":"exe_1"}"#);
    // A booking journaled by an older release is touched the way that release did it: its key is
    // unknown and must not be cleared.
    let older = crm.build_touch(&Booking {
        external_id: None,
        ..example_check_out::booking()
    });
    assert_eq!(older.body, r#"{"Status__c":"Checked In"}"#);
    let call = crm.build_touch(&example_check_out::booking());
    assert_eq!(
        (call.operation.as_str(), call.method.as_str()),
        ("update", "PATCH")
    );
    assert_eq!(
        call.path,
        "/services/data/v62.0/sobjects/Booking__c/a01000000000042AAA"
    );
    assert_eq!(call.body, r#"{"External_ID__c":null}"#);
    assert_eq!(
        call.headers[1],
        (
            "if-unmodified-since".to_owned(),
            "Mon, 09 Mar 2026 09:00:00 GMT".to_owned()
        )
    );
}

#[tokio::test]
async fn every_body_for_salesforce_is_json_to_the_cent() {
    let crm = salesforce(Canned::new([]));
    for cents in [1, 10, 99, 100, 25_010, 123_456_789_012] {
        let order = CheckOutOrder {
            held: vec![],
            payment: Some(RecordedPayment {
                amount: Cents(cents),
                ..example_check_out::paid()
            }),
            ..example_check_out::check_out()
        };
        let body = crm.check_out(&order).body;
        serde_json::from_str::<Value>(&body).unwrap();
        assert!(
            body.contains(&format!(
                r#""Amount__c":{}.{:02},"#,
                cents / 100,
                cents % 100
            )),
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_payment_is_one_create_and_confirm() {
    let call = stripe(Canned::new([])).pay(&example_check_out::pay());
    assert_eq!(
        (call.system, call.operation.as_str(), call.method.as_str()),
        (System::Stripe, "payment_intent_create", "POST")
    );
    assert_eq!(call.path, "/v1/payment_intents");
    assert_eq!(
        call.headers,
        [
            ("content-type", "application/x-www-form-urlencoded"),
            ("stripe-version", "2026-10-28.endive"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned())),
        "the version is journaled with the bytes"
    );
    assert_eq!(call.idempotency_key.as_deref(), Some("exe_1:pay"));
    let expected = [
        "amount=25010&currency=usd&customer=cus_1&payment_method=pm_card_visa&confirm=true",
        "&return_url=https%3A%2F%2Fhotel.example%2Fguest%2Fexecution%3Fx%3D1%26y%3D2&allowed_payment_method_types[]=card",
        "&metadata[booking_number]=BK-0042&metadata[execution_id]=exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000&metadata[room_number]=302",
        "&expand[]=latest_charge",
    ];
    assert_eq!(call.body, expected.concat());
}

#[tokio::test]
async fn a_card_that_is_kept_is_one_parameter_more() {
    let order = PaymentOrder {
        save_card: true,
        ..example_check_out::pay()
    };
    let [kept, once] =
        [&order, &example_check_out::pay()].map(|order| stripe(Canned::new([])).pay(order).body);
    assert_eq!(kept.replace("&setup_future_usage=off_session", ""), once);
    assert_ne!(kept, once);
    let held = stripe(Canned::new([])).hold_with_guest(&order).body;
    let keeps = "setup_future_usage=off_session&";
    let holds = "setup_future_usage=off_session&capture_method=manual&";
    assert_eq!(held, kept.replace(keeps, holds));
}

#[tokio::test]
async fn a_payments_texts_are_sent_as_the_hotel_configures_them() {
    let texts = PaymentTexts {
        description: Some("Dewy Resort, BK-0042".to_owned()),
        statement_suffix: Some("STAY 302".parse().unwrap()),
        receipt_email: Some("beth+x@example.com".into()),
    };
    let order = PaymentOrder {
        texts,
        ..example_check_out::pay()
    };
    let body = stripe(Canned::new([])).pay(&order).body;
    let expected = "&allowed_payment_method_types[]=card&description=Dewy%20Resort%2C%20BK-0042\
        &statement_descriptor_suffix=STAY%20302&receipt_email=beth%2Bx%40example.com&metadata";
    assert!(body.contains(expected), "{body}");
}

#[tokio::test]
async fn a_hold_is_one_create_and_confirm_that_is_captured_later() {
    let call = stripe(Canned::new([])).hold(&example_check_out::hold());
    assert_eq!(
        (call.operation.as_str(), call.path.as_str()),
        ("payment_intent_create", "/v1/payment_intents")
    );
    assert_eq!(call.idempotency_key.as_deref(), Some("exe_1:hold"));
    let expected = [
        "amount=45010&currency=usd&customer=cus_1&payment_method=pm_card_visa&confirm=true",
        "&off_session=true&capture_method=manual&allowed_payment_method_types[]=card",
        "&metadata[booking_number]=BK-0042&metadata[execution_id]=exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000&metadata[room_number]=302",
        "&expand[]=latest_charge",
    ];
    assert_eq!(call.body, expected.concat());
}

#[tokio::test]
async fn what_a_hold_should_have_paid_is_the_same_request_captured_at_once() {
    let order = example_check_out::hold();
    let [hold, charge] =
        [Stripe::hold, Stripe::charge].map(|build| build(&stripe(Canned::new([])), &order));
    assert_eq!(charge.body, hold.body.replace("&capture_method=manual", ""));
    assert_eq!(
        Call {
            body: String::new(),
            ..charge
        },
        Call {
            body: String::new(),
            ..hold
        }
    );
}

#[tokio::test]
async fn a_capture_names_its_amount() {
    let call =
        stripe(Canned::new([])).capture(&"pi_1".parse().unwrap(), Cents(25_010), "exe_1:capture");
    assert_eq!(
        (
            call.operation.as_str(),
            call.path.as_str(),
            call.body.as_str()
        ),
        (
            "payment_intent_capture",
            "/v1/payment_intents/pi_1/capture",
            "amount_to_capture=25010&expand[]=latest_charge"
        )
    );
    assert_eq!(call.idempotency_key.as_deref(), Some("exe_1:capture"));
}

#[tokio::test]
async fn a_refund_request_has_no_amount() {
    let call = stripe(Canned::new([])).refund(&example_check_out::refund());
    assert_eq!(
        (call.operation.as_str(), call.path.as_str()),
        ("refund_create", "/v1/refunds")
    );
    assert_eq!(
        call.body,
        "payment_intent=pi_1&metadata[execution_id]=exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
    );
    assert_eq!(call.idempotency_key.as_deref(), Some("refund:pi_1:1"));
}

#[tokio::test]
async fn the_small_posts() {
    let payments = stripe(Canned::new([]));
    let cancel = payments.cancel(&"pi_1".parse().unwrap(), "exe_1:cancel");
    assert_eq!(
        (
            cancel.operation.as_str(),
            cancel.path.as_str(),
            cancel.body.as_str()
        ),
        (
            "payment_intent_cancel",
            "/v1/payment_intents/pi_1/cancel",
            ""
        )
    );
    let marks = [("installation_id".to_owned(), "ins_1".to_owned())].into();
    let customer = payments.new_customer(
        Some(&"o'brien+x@example.com".into()),
        &marks,
        "customer:003",
    );
    assert_eq!(
        (customer.operation.as_str(), customer.body.as_str()),
        (
            "customers",
            "email=o%27brien%2Bx%40example.com&metadata[installation_id]=ins_1"
        )
    );
}
