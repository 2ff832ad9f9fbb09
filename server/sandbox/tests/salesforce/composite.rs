//! Composites and collections: all or none, references, guards.

use crate::org_client::{OrgClient, id, items, path};
use serde_json::{Value, json};

const SINCE_SEED: &str = "Mon, 09 Mar 2026 09:00:00 GMT";

fn statuses(parts: &[Value]) -> Vec<u64> {
    parts
        .iter()
        .map(|p| p["httpStatusCode"].as_u64().unwrap())
        .collect()
}

/// Write of a check-out: guarded, with a marker and after-images.
fn checkout(desk: &mut OrgClient, guard_status: &str) -> Value {
    let stay =
        desk.one("SELECT Id, Room__c, Opportunity__c FROM Booking__c WHERE Name = 'BK-0042'");
    let (booking, room, folio) = (
        id(&stay),
        stay["Room__c"].as_str().unwrap(),
        stay["Opportunity__c"].as_str().unwrap(),
    );
    let guard = format!(
        "/query?q=SELECT+Id,Room__c+FROM+Booking__c+WHERE+Id='{booking}'+AND+Status__c='{guard_status}'"
    );
    let since = json!({"If-Unmodified-Since": SINCE_SEED});
    json!([
        {"method": "PATCH", "url": path(&format!("/sobjects/Opportunity/{folio}")), "referenceId": "folio", "httpHeaders": since,
         "body": {"StageName": "Closed Won", "Payment_ID__c": "pi_1"}},
        {"method": "GET", "url": path(&guard), "referenceId": "guard"},
        {"method": "PATCH", "url": path(&format!("/sobjects/Hotel_Room__c/{room}")), "referenceId": "room",
         "body": {"Status__c": "Cleaning", "Current_Guest__c": null}},
        {"method": "PATCH", "url": path("/sobjects/Booking__c/@{guard.records[0].Id}"), "referenceId": "booking", "httpHeaders": since,
         "body": {"Status__c": "Checked Out", "Room__c": "@{guard.records[0].Room__c}"}},
        {"method": "POST", "url": path("/sobjects/Payment_Transaction__c"), "referenceId": "marker",
         "body": {"Opportunity__c": folio, "External_ID__c": "exe_1", "Amount__c": 250.00, "Transaction_Type__c": "Payment"}},
        {"method": "GET", "url": path("/query?q=SELECT+Name,Opportunity__r.StageName+FROM+Payment_Transaction__c+WHERE+Id='@{marker.id}'"), "referenceId": "after"},
    ])
}

#[test]
fn a_checkout_commits() {
    let mut desk = OrgClient::open();
    let parts = checkout(&mut desk, "Checked+In");
    let answer = desk.composite(&parts);
    assert_eq!(
        statuses(&answer),
        [204, 200, 204, 204, 201, 200],
        "{answer:?}"
    );
    assert_eq!(answer[0]["body"], Value::Null);
    assert_eq!(
        answer[5]["body"]["records"][0]["Opportunity__r"]["StageName"],
        "Closed Won"
    );
    assert_eq!(answer[4]["referenceId"], "marker");
    assert!(
        answer[4]["httpHeaders"]["Location"]
            .as_str()
            .unwrap()
            .contains("/sobjects/Payment_Transaction__c/a03")
    );
    let stay = desk
        .one("SELECT Status__c, Room__r.Status__c, Room__r.Current_Guest__c FROM Booking__c WHERE Name = 'BK-0042'");
    assert_eq!(stay["Status__c"], "Checked Out");
    assert_eq!(stay["Room__r"]["Status__c"], "Cleaning");
    assert_eq!(stay["Room__r"]["Current_Guest__c"], Value::Null);
    // The same composite again conflicts with its own writes.
    let again = desk.composite(&parts);
    assert_eq!(again[0]["httpStatusCode"], 412);
    assert_eq!(again[0]["body"][0]["errorCode"], "PRECONDITION_FAILED");
}

#[test]
fn a_missed_guard_rolls_everything_back() {
    let mut desk = OrgClient::open();
    let before = desk.org.state();
    let parts = checkout(&mut desk, "Reserved");
    let answer = desk.composite(&parts);
    assert_eq!(statuses(&answer), [400; 6]);
    assert_eq!(before, desk.org.state());
    for (at, part) in answer.iter().enumerate() {
        assert_eq!(part["body"][0]["errorCode"], "PROCESSING_HALTED");
        let message = part["body"][0]["message"].as_str().unwrap();
        let cause =
            message.starts_with("Invalid reference specified. No value for guard.records[0].Id");
        let halted = message
            == "The transaction was rolled back since another operation in the same transaction failed.";
        assert!(if at == 3 { cause } else { halted }, "{at}: {message}");
    }
}

#[test]
fn a_foreign_edit_trips_the_guard_in_the_middle() {
    let mut desk = OrgClient::open();
    let parts = checkout(&mut desk, "Checked+In");
    let booking = desk.booking("BK-0042");
    let fields = serde_json::Map::from_iter([("Number_of_Guests__c".to_owned(), json!(2))]);
    desk.org
        .edit("Booking__c", &booking, &fields, desk.now)
        .unwrap();
    let before = desk.org.state();
    let answer = desk.composite(&parts);
    assert_eq!(statuses(&answer), [400, 400, 400, 412, 400, 400]);
    assert_eq!(before, desk.org.state());
}

#[test]
fn numbering_is_rolled_back_too_and_partial_success_stays() {
    let mut desk = OrgClient::open();
    let parts = json!([
        {"method": "POST", "url": path("/sobjects/Account"), "referenceId": "a", "body": {"Name": "Kept"}},
        {"method": "POST", "url": path("/sobjects/Account"), "referenceId": "b", "body": {}},
        {"method": "POST", "url": path("/sobjects/Contact"), "referenceId": "c", "body": {"LastName": "x", "AccountId": "@{b.id}"}},
        {"method": "POST", "url": path("/sobjects/Contact"), "referenceId": "d", "body": {"LastName": "x", "AccountId": "@{a.id}"}},
    ]);
    assert_eq!(statuses(&desk.composite(&parts)), [400; 4]);
    let (_, answer) = desk.call("POST", "/composite", &json!({"compositeRequest": parts}));
    assert_eq!(
        statuses(items(&answer["compositeResponse"])),
        [201, 400, 400, 201]
    );
    assert_eq!(
        answer["compositeResponse"][1]["body"][0]["errorCode"],
        "REQUIRED_FIELD_MISSING"
    );
    assert_eq!(
        desk.records("SELECT Id FROM Account WHERE Name = 'Kept'")
            .len(),
        1
    );
}

#[test]
fn create_booking_by_reference() {
    let mut desk = OrgClient::open();
    let room = desk.id_of("SELECT Id FROM Hotel_Room__c WHERE Room_Number__c = '300'");
    let answer = desk.composite(&json!([
        {"method": "PATCH", "url": path("/sobjects/Contact/Unique_Email__c/new.o%27guest@example.com"), "referenceId": "contact",
         "body": {"LastName": "O'Guest", "Email": "new.o'guest@example.com"}},
        {"method": "POST", "url": path("/sobjects/Opportunity"), "referenceId": "opp",
         "body": {"Name": "x", "StageName": "Booking Confirmed", "CloseDate": "2026-05-02"}},
        {"method": "POST", "url": path("/sobjects/Booking__c"), "referenceId": "booking",
         "body": {"Opportunity__c": "@{opp.id}", "Primary_Guest__c": "@{contact.id}", "Room__c": room}},
        {"method": "GET", "url": path("/sobjects/Booking__c/@{booking.id}?fields=Name"), "referenceId": "shown"},
    ]));
    assert_eq!(statuses(&answer), [201, 201, 201, 200], "{answer:?}");
    assert_eq!(answer[3]["body"]["Name"], "BK-0049");
    let made =
        desk.one("SELECT Primary_Guest__r.Unique_Email__c FROM Booking__c WHERE Name = 'BK-0049'");
    assert_eq!(
        made["Primary_Guest__r"]["Unique_Email__c"],
        "new.o'guest@example.com"
    );
}

#[test]
fn what_a_composite_may_not_be() {
    let mut desk = OrgClient::open();
    let get = |reference: String| json!({"method": "GET", "url": path("/sobjects/Account/describe"), "referenceId": reference});
    let query = |reference: String| json!({"method": "GET", "url": path("/query?q=SELECT+Id+FROM+User"), "referenceId": reference});
    for parts in [
        (0..26).map(|i| get(format!("r{i}"))).collect::<Vec<_>>(),
        (0..6).map(|i| query(format!("r{i}"))).collect(),
        vec![get("a-b".into())],
        vec![get("_a".into())],
        vec![get("a".into()), get("a".into())],
        vec![json!({"method": "GET", "referenceId": "a"})],
        vec![],
    ] {
        let (status, answer) = desk.call("POST", "/composite", &json!({"compositeRequest": parts}));
        assert_eq!(status, 400, "{answer}");
    }
    for (name, value) in [
        ("allOrNone", json!("false")),
        ("collateSubrequests", json!(0)),
        ("allornone", json!(true)),
    ] {
        let composite = json!({"compositeRequest": [get("a".into())], name: value});
        let (status, answer) = desk.call("POST", "/composite", &composite);
        assert_eq!(status, 400, "{answer}");
        assert_eq!(answer[0]["errorCode"], "JSON_PARSER_ERROR");
    }
    let mut misspelled = get("a".into());
    misspelled["httpHeader"] = json!({});
    let composite = json!({"compositeRequest": [misspelled]});
    assert_eq!(desk.call("POST", "/composite", &composite).0, 400);
    for name in ["Accept", "Authorization", "Content-Type"] {
        let mut part = get("a".into());
        part["httpHeaders"] = json!({name: "x"});
        assert_eq!(statuses(&desk.composite(&json!([part]))), [400]);
    }
    let nested =
        json!([{"method": "POST", "url": path("/composite"), "referenceId": "a", "body": {}}]);
    assert_eq!(statuses(&desk.composite(&nested)), [400]);
}
