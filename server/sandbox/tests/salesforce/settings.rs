//! Administrators' settings: stamps, flows, rules, pages, currencies; and empty fields.

use crate::org_client::{OrgClient, TODAY, assert_code, id, items, path, text_of};
use dewy_sandbox::salesforce::{Org, OrgSettings, TimestampPrecision};
use serde_json::{Value, json};

fn desk(settings: &Value) -> OrgClient {
    let mut desk = OrgClient::open();
    set(&mut desk, settings);
    desk
}

fn set(desk: &mut OrgClient, settings: &Value) {
    let merged = desk
        .org
        .settings()
        .merged(settings.as_object().unwrap())
        .unwrap();
    desk.org.set_settings(merged);
}

/// Composite that updates Beth's booking, her room and her folio.
fn three_rows(desk: &mut OrgClient) -> Vec<Value> {
    let booking = desk.one(
        "SELECT Id, Room__c, Opportunity__c FROM Booking__c WHERE Primary_Guest__r.Email = 'beth.gibbs@email.com'",
    );
    let at = |object: &str, field: &str| {
        path(&format!(
            "/sobjects/{object}/{}",
            booking[field].as_str().unwrap()
        ))
    };
    desk.composite(&json!([
        {"method": "PATCH", "url": at("Opportunity", "Opportunity__c"), "referenceId": "opportunity", "body": {"StageName": "Closed Won"}},
        {"method": "PATCH", "url": at("Hotel_Room__c", "Room__c"), "referenceId": "room", "body": {"Status__c": "Cleaning"}},
        {"method": "PATCH", "url": at("Booking__c", "Id"), "referenceId": "booking", "body": {"Status__c": "Checked Out"}},
        {"method": "GET", "url": path("/query?q=SELECT+LastModifiedDate,LastModifiedById,Special_Requests__c,Room__r.LastModifiedDate,\
            Room__r.Status__c,Opportunity__r.LastModifiedDate+FROM+Booking__c+WHERE+Id='".to_owned().as_str()) + booking["Id"].as_str().unwrap() + "'",
            "referenceId": "trace"},
    ]))
}

#[test]
fn each_row_of_a_composite_has_its_own_timestamp() {
    let mut desk = desk(&json!({"stamps": TimestampPrecision::REAL}));
    let parts = three_rows(&mut desk);
    let trace = &parts[3]["body"]["records"][0];
    assert_eq!(
        trace["Opportunity__r"]["LastModifiedDate"],
        "2026-03-10T11:59:58.000+0000"
    );
    assert_eq!(
        trace["Room__r"]["LastModifiedDate"],
        "2026-03-10T11:59:59.000+0000"
    );
    assert_eq!(trace["LastModifiedDate"], "2026-03-10T12:00:00.000+0000");
}

#[test]
fn timestamps_never_go_back() {
    let mut desk = desk(&json!({"stamps": TimestampPrecision::REAL}));
    let booking = desk.booking("BK-0001");
    let room = desk.id_of("SELECT Id FROM Hotel_Room__c WHERE Room_Number__c = '101'");
    desk.call(
        "PATCH",
        &format!("/sobjects/Hotel_Room__c/{room}"),
        &json!({"Status__c": "Cleaning"}),
    );
    desk.composite(&json!([
        {"method": "PATCH", "url": path(&format!("/sobjects/Hotel_Room__c/{room}")), "referenceId": "a", "body": {}},
        {"method": "PATCH", "url": path(&format!("/sobjects/Booking__c/{booking}")), "referenceId": "b", "body": {}},
    ]));
    let row = desk.one(&format!(
        "SELECT LastModifiedDate FROM Hotel_Room__c WHERE Id = '{room}'"
    ));
    assert_eq!(row["LastModifiedDate"], "2026-03-10T12:00:00.000+0000");
}

#[test]
fn flow_changes_in_the_transaction_appear_as_the_callers() {
    for timing in ["before_save", "after_save"] {
        let mut desk = desk(&json!({"stamps": TimestampPrecision::REAL, "flows": [{
            "object": "Booking__c", "timing": timing, "when": {"Status__c": "Checked Out"},
            "fields": {"Special_Requests__c": "Thanked by the flow"},
        }]}));
        let parts = three_rows(&mut desk);
        let trace = &parts[3]["body"]["records"][0];
        assert_eq!(
            trace["Special_Requests__c"], "Thanked by the flow",
            "{timing}"
        );
        assert_eq!(trace["LastModifiedDate"], "2026-03-10T12:00:00.000+0000");
        let user = desk.one("SELECT Id FROM User WHERE FirstName = 'Dewy'");
        assert_eq!(trace["LastModifiedById"], user["Id"]);
    }
}

#[test]
fn a_flow_updates_a_related_record_a_limited_number_of_times() {
    let flow = json!({
        "object": "Booking__c", "timing": "after_save", "when": {"Status__c": "Checked Out"}, "target": "Room__c",
        "fields": {"Status__c": "Maintenance"}, "count": 1,
    });
    let mut desk = desk(&json!({"flows": [flow]}));
    let parts = three_rows(&mut desk);
    assert_eq!(
        parts[3]["body"]["records"][0]["Room__r"]["Status__c"],
        "Maintenance"
    );
    assert_eq!(desk.org.settings().flows[0].count, Some(0));
}

#[test]
fn an_asynchronous_path_writes_after_the_answer_as_another_user() {
    let mut desk = desk(&json!({"flows": [{
        "object": "Booking__c", "timing": "asynchronous", "fields": {"Special_Requests__c": "Later"},
    }]}));
    let parts = three_rows(&mut desk);
    let trace = &parts[3]["body"]["records"][0];
    assert_eq!(trace["Special_Requests__c"], Value::Null);
    let row = desk.one(
        "SELECT Special_Requests__c, LastModifiedBy.Name FROM Booking__c WHERE Primary_Guest__r.Email = 'beth.gibbs@email.com'",
    );
    assert_eq!(row["Special_Requests__c"], "Later");
    assert_eq!(row["LastModifiedBy"]["Name"], "Automated Process");
}

#[test]
fn a_failing_flow_rolls_back_the_save() {
    let mut desk = desk(&json!({"flows": [{
        "object": "Booking__c", "timing": "after_save", "fields": {"Status__c": "No Such Status"},
    }]}));
    let parts = three_rows(&mut desk);
    assert_eq!(
        parts[2]["body"][0]["errorCode"],
        "CANNOT_EXECUTE_FLOW_TRIGGER"
    );
    assert_eq!(parts[0]["body"][0]["errorCode"], "PROCESSING_HALTED");
}

#[test]
fn a_validation_rule_applies_to_single_and_composite_writes() {
    let rule = json!({
        "object": "Booking__c", "when": {"Status__c": "Checked Out"}, "message": "Ask the manager first", "field": "Status__c",
    });
    let mut desk = desk(&json!({"validation_rules": [rule]}));
    let booking =
        desk.one("SELECT Id FROM Booking__c WHERE Primary_Guest__r.Email = 'beth.gibbs@email.com'");
    let at = format!("/sobjects/Booking__c/{}", id(&booking));
    let (status, body) = desk.call("PATCH", &at, &json!({"Status__c": "Checked Out"}));
    let error = json!([{"errorCode": "FIELD_CUSTOM_VALIDATION_EXCEPTION", "message": "Ask the manager first", "fields": ["Status__c"]}]);
    assert_eq!((status, body), (400, error.clone()));
    let parts = three_rows(&mut desk);
    assert_eq!(parts[2]["body"], error);
    assert_eq!(parts[0]["body"][0]["errorCode"], "PROCESSING_HALTED");
    assert_eq!(
        desk.call("PATCH", &at, &json!({"Number_of_Guests__c": 2}))
            .0,
        204
    );
}

#[test]
fn a_new_org_detects_duplicate_contacts() {
    let mut desk = OrgClient::open();
    let there = desk.one(
        "SELECT Id, FirstName, LastName, Phone FROM Contact WHERE Email = 'beth.gibbs@email.com'",
    );
    let twin = json!({"FirstName": "beth", "LastName": "GIBBS", "Phone": there["Phone"], "Email": "other@example.com"});
    let (status, body) = desk.call("POST", "/sobjects/Contact", &twin);
    assert_code((status, &body), 400, "DUPLICATES_DETECTED");
    let result = &body[0]["duplicateResult"];
    assert_eq!(
        (
            result["allowSave"].as_bool(),
            result["duplicateRule"].as_str()
        ),
        (Some(true), Some("Standard_Contact_Duplicate_Rule"))
    );
    assert_eq!(
        result["matchResults"][0]["matchRecords"][0]["record"]["Id"],
        there["Id"]
    );

    // The composite's own headers don't apply to its parts.
    let allow = [("sforce-duplicate-rule-header", "allowSave=true")];
    let part = json!({"method": "POST", "url": path("/sobjects/Contact"), "referenceId": "c", "body": twin});
    let composite = json!({"allOrNone": true, "compositeRequest": [part]});
    let (_, answer) = desk.call_with("POST", "/composite", &composite, &allow);
    assert_eq!(
        answer["compositeResponse"][0]["body"][0]["errorCode"],
        "DUPLICATES_DETECTED"
    );
    let mut part = part;
    part["httpHeaders"] =
        json!({"Sforce-Duplicate-Rule-Header": "allowSave=true; includeRecordDetails=false"});
    assert_eq!(desk.composite(&json!([part]))[0]["httpStatusCode"], 201);

    let another = json!({"FirstName": "Beth", "LastName": "Gibbs", "Phone": there["Phone"]});
    assert_eq!(
        desk.call_with("POST", "/sobjects/Contact", &another, &allow)
            .0,
        201
    );
    let mut blocking = desk.org.settings().clone();
    blocking.duplicate_rules[0].alert = false;
    desk.org.set_settings(blocking);
    let (status, body) = desk.call_with("POST", "/sobjects/Contact", &another, &allow);
    assert_eq!(
        (status, body[0]["duplicateResult"]["allowSave"].as_bool()),
        (400, Some(false))
    );
}

#[test]
fn small_pages_cut_queries_and_child_lists_also_in_composites() {
    let mut desk = desk(&json!({"page_size": 2}));
    let soql = "SELECT+Name,(SELECT+Name+FROM+Bookings__r+ORDER+BY+Name)+FROM+Contact+WHERE+Name+LIKE+'%e%'+ORDER+BY+Name";
    let part =
        json!([{"method": "GET", "url": path(&format!("/query?q={soql}")), "referenceId": "q"}]);
    let mut page = desk.composite(&part)[0]["body"].clone();
    let (mut names, mut children, mut calls) = (Vec::new(), 0, 0);
    loop {
        for record in items(&page["records"]).clone() {
            names.push(text_of(&record["Name"]));
            let mut list = record["Bookings__r"].clone();
            while list.is_object() {
                assert!(items(&list["records"]).len() <= 2);
                children += items(&list["records"]).len();
                let Some(next) = list["nextRecordsUrl"].as_str().map(str::to_owned) else {
                    break;
                };
                assert_eq!(list["done"], false);
                calls += 1;
                list = crate::org_client::body(&desk.raw("GET", &next, &[], ""));
            }
        }
        let Some(next) = page["nextRecordsUrl"].as_str().map(str::to_owned) else {
            break;
        };
        page = crate::org_client::body(&desk.raw("GET", &next, &[], ""));
    }
    set(&mut desk, &json!({"page_size": null}));
    let all = desk.composite(&part)[0]["body"].clone();
    let there: Vec<_> = items(&all["records"])
        .iter()
        .map(|r| text_of(&r["Name"]))
        .collect();
    let bookings: u64 = items(&all["records"])
        .iter()
        .filter_map(|r| r["Bookings__r"]["totalSize"].as_u64())
        .sum();
    assert_eq!((names, children as u64), (there, bookings));
    assert!(calls > 0 && all["done"] == true);
}

#[test]
fn a_multi_currency_org_names_the_currency() {
    let mut desk = OrgClient::open();
    let (status, body) = desk.query("SELECT CurrencyIsoCode FROM Opportunity LIMIT 1");
    assert_code((status, &body), 400, "INVALID_FIELD");
    let (status, body) = desk.query("SELECT IsoCode FROM CurrencyType");
    assert_code((status, &body), 400, "INVALID_TYPE");
    assert_eq!(
        desk.one("SELECT DefaultLocaleSidKey FROM Organization")["DefaultLocaleSidKey"],
        "en_US"
    );
    set(
        &mut desk,
        &json!({"multi_currency": true, "currency": "GBP"}),
    );
    assert_eq!(
        desk.one("SELECT IsoCode FROM CurrencyType WHERE IsCorporate = true")["IsoCode"],
        "GBP"
    );
    let folio = desk
        .records("SELECT Id, CurrencyIsoCode FROM Opportunity LIMIT 1")
        .remove(0);
    assert_eq!(folio["CurrencyIsoCode"], "GBP");
    let at = format!("/sobjects/Opportunity/{}", id(&folio));
    assert_eq!(
        desk.call("PATCH", &at, &json!({"CurrencyIsoCode": "EUR"}))
            .0,
        204
    );
    let read = desk.call("GET", &at, &Value::Null).1;
    assert_eq!(read["CurrencyIsoCode"], "EUR");
}

#[test]
fn optional_fields_may_be_empty() {
    let mut org = Org::seeded(1, TODAY);
    let now = "2026-03-10T12:00:00Z".parse().unwrap();
    assert_eq!(
        org.blank("Hotel_Room__c", None, Some(&["Status__c".to_owned()]), now),
        Ok(44)
    );
    assert!(
        org.blank(
            "Hotel_Room__c",
            None,
            Some(&["Room_Number__c".to_owned()]),
            now
        )
        .unwrap_err()
        .starts_with("fields:")
    );
    assert!(
        org.blank("Nothing", None, None, now)
            .unwrap_err()
            .starts_with("object:")
    );
    let mut desk = OrgClient::of(org);
    let booking = desk.booking("BK-0001");
    assert_eq!(
        desk.org.blank("Booking__c", Some(&booking), None, now),
        Ok(1)
    );
    let row = desk
        .call(
            "GET",
            &format!("/sobjects/Booking__c/{booking}"),
            &Value::Null,
        )
        .1;
    for field in [
        "Room__c",
        "Primary_Guest__c",
        "Status__c",
        "Check_In_Date__c",
        "External_ID__c",
        "Total_Nights__c",
    ] {
        assert_eq!(row[field], Value::Null, "{field}");
    }
    assert!(row["Opportunity__c"].is_string() && row["Name"] == "BK-0001");
}

#[test]
fn settings_survive_a_restart_and_invalid_ones_are_named() {
    let wrong = |settings: Value| {
        OrgSettings::default()
            .merged(settings.as_object().unwrap())
            .unwrap_err()
    };
    assert!(wrong(json!({"page_size": 0})).starts_with("page_size:"));
    assert!(wrong(json!({"currency": "dollars"})).starts_with("currency:"));
    for format in [
        "BK-",
        "{}",
        "{1}",
        "{0}{0}",
        "{0000}, as we have always done it",
    ] {
        assert!(wrong(json!({"booking_numbers": format})).starts_with("booking_numbers:"));
    }
    assert!(wrong(json!({"pages": 3})).contains("pages"));
    assert!(
        wrong(json!({"flows": [{"object": "Booking__c", "timing": "after_save", "fields": {"Nope__c": 1}}]}))
            .contains("Nope__c")
    );
    assert!(
        wrong(json!({"validation_rules": [{"object": "Nope", "message": "x"}]})).contains("Nope")
    );
    let mut org = Org::seeded(1, TODAY);
    let settings = OrgSettings {
        page_size: Some(3),
        booking_numbers: "RES/26 #{0000}".to_owned(),
        multi_currency: true,
        ..OrgSettings::default()
    };
    org.set_settings(settings.clone());
    let rows = org.drain_dirty().into_iter().filter_map(|row| {
        Some(dewy_sandbox::stored_row::Row {
            table: row.table,
            id: row.id,
            json: row.json?,
        })
    });
    let mut restored = OrgClient::of(Org::restore(rows.collect()));
    assert_eq!(restored.org.settings(), &settings);
    assert_eq!(
        restored.one("SELECT IsoCode FROM CurrencyType WHERE IsCorporate = true")["IsoCode"],
        "USD"
    );
}
