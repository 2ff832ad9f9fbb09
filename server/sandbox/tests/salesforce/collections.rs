//! Many records in one call, as clients ask for them.

use crate::org_client::{OrgClient, assert_code, assert_fields, id, id_of, items, path, text_of};
use serde_json::{Value, json};

const CASES: &str = "/composite/sobjects/Case";

fn case(desk: &mut OrgClient, subject: &str) -> String {
    let (_, made) = desk.call("POST", "/sobjects/Case", &json!({"Subject": subject}));
    text_of(&made["id"])
}

#[test]
fn records_are_read_by_their_ids() {
    let mut desk = OrgClient::open();
    let (first, second) = (case(&mut desk, "one"), case(&mut desk, "two"));
    let room = id(&desk.records("SELECT Id FROM Hotel_Room__c LIMIT 1")[0]);
    let asked = json!({"ids": [second, "500000000000001AAA", first, room], "fields": ["Subject", "CaseNumber"]});
    let (status, found) = desk.call("POST", CASES, &asked);
    assert_eq!(status, 200);
    let subjects: Vec<&Value> = items(&found).iter().map(|one| &one["Subject"]).collect();
    assert_eq!(
        subjects,
        [&json!("two"), &Value::Null, &json!("one"), &Value::Null],
        "{found}"
    );
    assert!(
        found[1].is_null() && found[3].is_null(),
        "what is not there, or of another object, is null: {found}"
    );
    assert_eq!(
        found[0]["attributes"]["url"],
        path(&format!("/sobjects/Case/{second}"))
    );
    assert_eq!(found[0]["Id"], second.as_str());
    assert!(found[0].get("Status").is_none());
    let (_, same) = desk.call(
        "GET",
        &format!("{CASES}?ids={second},{first}&fields=Subject"),
        &Value::Null,
    );
    assert_eq!(
        (&same[0]["Subject"], &same[1]["Subject"]),
        (&json!("two"), &json!("one"))
    );

    for (sent, code) in [
        (
            json!({"ids": [first], "fields": ["Nope__c"]}),
            "INVALID_FIELD",
        ),
        (json!({"ids": [first]}), "MISSING_ARGUMENT"),
        (
            json!({"ids": vec![first.as_str(); 2001], "fields": ["Id"]}),
            "EXCEEDED_MAX_SIZE_REQUEST",
        ),
    ] {
        let (status, answer) = desk.call("POST", CASES, &sent);
        assert_code((status, &answer), 400, code);
    }
    assert_eq!(
        desk.call("POST", "/composite/sobjects/Nope__c", &json!({}))
            .0,
        404
    );
    assert_eq!(desk.call("DELETE", CASES, &Value::Null).0, 405);
}

#[test]
fn upserted_by_an_external_id() {
    let mut desk = OrgClient::open();
    let at = format!("{CASES}/External_ID__c");
    let record = |key: &str, more: Value| {
        let mut record = json!({"attributes": {"type": "Case"}, "External_ID__c": key});
        record
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        record
    };
    let first =
        json!({"records": [record("a", json!({"Subject": "one"})), record("b", json!({}))]});
    let (status, made) = desk.call("PATCH", &at, &first);
    assert_eq!(status, 200);
    assert_eq!(
        (&made[0]["created"], &made[1]["success"], &made[1]["errors"]),
        (&json!(true), &json!(true), &json!([]))
    );
    let again = json!({"records": [
        record("a", json!({"Status": "Closed"})),
        record("c", json!({"Nope__c": 1})),
        {"attributes": {"type": "Case"}, "Subject": "no key"},
        {"attributes": {"type": "Contact"}, "External_ID__c": "d"},
    ]});
    let (_, changed) = desk.call("PATCH", &at, &again);
    assert_fields(
        &changed[0],
        json!({ "id": made[0]["id"], "created": false }),
    );
    let codes: Vec<&Value> = (1..4)
        .map(|n| &changed[n]["errors"][0]["statusCode"])
        .collect();
    assert_eq!(codes, ["INVALID_FIELD", "MISSING_ARGUMENT", "INVALID_TYPE"]);
    let seen = desk.one("SELECT Subject, IsClosed FROM Case WHERE External_ID__c = 'a'");
    assert_fields(&seen, json!({ "Subject": "one", "IsClosed": true }));

    let all = json!({"allOrNone": true, "records": [record("e", json!({})), record("f", json!({"Nope__c": 1}))]});
    let (_, undone) = desk.call("PATCH", &at, &all);
    assert_eq!(
        undone[0]["errors"][0]["statusCode"],
        "ALL_OR_NONE_OPERATION_ROLLED_BACK"
    );
    assert!(
        desk.records("SELECT Id FROM Case WHERE External_ID__c = 'e'")
            .is_empty()
    );
    assert_eq!(
        desk.call("PATCH", &format!("{CASES}/Subject"), &first).0,
        404,
        "not an external id"
    );
    assert_eq!(desk.call("POST", &at, &first).0, 405);
}

#[test]
fn two_of_one_key_are_refused() {
    let mut desk = OrgClient::open();
    let opportunity = id(&desk.records("SELECT Id FROM Opportunity LIMIT 1")[0]);
    let new = json!({"Opportunity__c": opportunity, "Stripe_Transaction_ID__c": "pi_1"});
    for _ in 0..2 {
        assert_eq!(
            desk.call("POST", "/sobjects/Payment_Transaction__c", &new)
                .0,
            201
        );
    }
    let record = json!({"attributes": {"type": "Payment_Transaction__c"}, "Stripe_Transaction_ID__c": "pi_1"});
    let at = "/composite/sobjects/Payment_Transaction__c/Stripe_Transaction_ID__c";
    let (status, answer) = desk.call("PATCH", at, &json!({"records": [record]}));
    assert_eq!(
        (status, &answer[0]["errors"][0]["statusCode"]),
        (200, &json!("DUPLICATE_EXTERNAL_ID"))
    );
}

#[test]
fn collections() {
    let mut desk = OrgClient::open();
    let rooms: Vec<String> = desk
        .records("SELECT Id FROM Hotel_Room__c WHERE Status__c = 'Cleaning'")
        .iter()
        .map(id)
        .collect();
    let records = |last: &str| -> Vec<Value> {
        let statuses = ["Vacant", "Vacant", last];
        rooms
            .iter()
            .zip(statuses)
            .map(|(id, s)| json!({"attributes": {"type": "Hotel_Room__c"}, "id": id, "Status__c": s}))
            .collect()
    };
    let before = desk.org.state();
    let (status, answer) = desk.call(
        "PATCH",
        "/composite/sobjects",
        &json!({"allOrNone": true, "records": records("Nope")}),
    );
    assert_eq!((status, before == desk.org.state()), (200, true));
    let codes: Vec<_> = (0..3)
        .map(|i| answer[i]["errors"][0]["statusCode"].as_str().unwrap())
        .collect();
    assert_eq!(
        codes,
        [
            "ALL_OR_NONE_OPERATION_ROLLED_BACK",
            "ALL_OR_NONE_OPERATION_ROLLED_BACK",
            "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"
        ]
    );
    let (_, answer) = desk.call(
        "PATCH",
        "/composite/sobjects",
        &json!({"records": records("Nope")}),
    );
    assert_eq!(
        [
            &answer[0]["success"],
            &answer[1]["success"],
            &answer[2]["success"]
        ],
        [true, true, false]
    );
    let (_, made) = desk.call(
        "POST",
        "/composite/sobjects",
        &json!({"records": [{"attributes": {"type": "Account"}, "Name": "A"}]}),
    );
    let (_, gone) = desk.call(
        "DELETE",
        &format!("/composite/sobjects?ids={}", id_of(&made[0])),
        &Value::Null,
    );
    assert_eq!(gone[0]["success"], true);
}
