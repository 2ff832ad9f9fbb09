//! Every error of a record operation, with its status and code.

use crate::org_client::{OrgClient, id};
use serde_json::{Value, json};

fn refused(desk: &mut OrgClient, method: &str, path: &str, body: &Value, status: u16, code: &str) {
    let before = desk.org.state();
    let (found, answer) = desk.call(method, path, body);
    assert_eq!(
        (found, answer[0]["errorCode"].as_str()),
        (status, Some(code)),
        "{method} {path} {body}: {answer}"
    );
    assert_eq!(
        before,
        desk.org.state(),
        "{method} {path} {body} changed something"
    );
}

#[test]
fn writes_that_are_refused() {
    let mut desk = OrgClient::open();
    let booking = format!("/sobjects/Booking__c/{}", desk.booking("BK-0042"));
    let opportunity = id(&desk.one("SELECT Id FROM Opportunity WHERE Name LIKE 'Beth Gibbs%'"));
    let contact = id(&desk.one("SELECT Id FROM Contact WHERE FirstName = 'Beth'"));
    let at = format!("/sobjects/Opportunity/{opportunity}");
    let mut no_such = contact.get(..14).unwrap().to_owned();
    no_such.push('z');
    for (method, path, body, code) in [
        ("PATCH", &*booking, json!({"Nope__c": 1}), "INVALID_FIELD"),
        ("PATCH", &booking, json!({"Id": "x"}), "INVALID_FIELD"),
        (
            "PATCH",
            &booking,
            json!({"Opportunity__c": opportunity}),
            "INVALID_FIELD_FOR_INSERT_UPDATE",
        ),
        (
            "PATCH",
            &booking,
            json!({"Name": "BK-9999"}),
            "INVALID_FIELD_FOR_INSERT_UPDATE",
        ),
        (
            "PATCH",
            &booking,
            json!({"Total_Nights__c": 3}),
            "INVALID_FIELD_FOR_INSERT_UPDATE",
        ),
        (
            "PATCH",
            &booking,
            json!({"LastModifiedDate": "2026-03-10T12:00:00Z"}),
            "INVALID_FIELD_FOR_INSERT_UPDATE",
        ),
        (
            "PATCH",
            &booking,
            json!({"Status__c": "Confirmed"}),
            "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST",
        ),
        (
            "PATCH",
            &booking,
            json!({"Check_In_Date__c": "tomorrow"}),
            "JSON_PARSER_ERROR",
        ),
        (
            "PATCH",
            &booking,
            json!({"Number_of_Guests__c": "two"}),
            "JSON_PARSER_ERROR",
        ),
        (
            "PATCH",
            &booking,
            json!({"Number_of_Guests__c": 100}),
            "NUMBER_OUTSIDE_VALID_RANGE",
        ),
        (
            "PATCH",
            &booking,
            json!({"External_ID__c": "x".repeat(51)}),
            "STRING_TOO_LONG",
        ),
        (
            "PATCH",
            &booking,
            json!({"Room__c": contact}),
            "MALFORMED_ID",
        ),
        (
            "PATCH",
            &booking,
            json!({"Room__c": "room 302"}),
            "MALFORMED_ID",
        ),
        (
            "PATCH",
            &booking,
            json!({"Primary_Guest__c": no_such}),
            "INVALID_CROSS_REFERENCE_KEY",
        ),
        ("PATCH", &booking, Value::Null, "JSON_PARSER_ERROR"),
        (
            "PATCH",
            &at,
            json!({"CloseDate": null}),
            "REQUIRED_FIELD_MISSING",
        ),
        (
            "PATCH",
            &at,
            json!({"Total_Nights__c": 1}),
            "INVALID_FIELD_FOR_INSERT_UPDATE",
        ),
        (
            "POST",
            "/sobjects/Booking__c",
            json!({"Status__c": "Reserved"}),
            "REQUIRED_FIELD_MISSING",
        ),
        (
            "POST",
            "/sobjects/Opportunity",
            json!({"Name": "x", "StageName": "Prospecting"}),
            "REQUIRED_FIELD_MISSING",
        ),
        (
            "POST",
            "/sobjects/Contact",
            json!({"FirstName": "x"}),
            "REQUIRED_FIELD_MISSING",
        ),
        (
            "POST",
            "/sobjects/Contact",
            json!({"LastName": "x", "Email": "nobody"}),
            "INVALID_EMAIL_ADDRESS",
        ),
        (
            "POST",
            "/sobjects/Contact",
            json!({"LastName": "x", "Unique_Email__c": "sarah@example.com"}),
            "DUPLICATE_VALUE",
        ),
        (
            "POST",
            "/sobjects/Hotel_Room__c",
            json!({"Room_Number__c": "302"}),
            "DUPLICATE_VALUE",
        ),
        (
            "POST",
            "/sobjects/User",
            json!({"LastName": "x"}),
            "INSUFFICIENT_ACCESS_OR_READONLY",
        ),
    ] {
        refused(&mut desk, method, path, &body, 400, code);
    }
    let broken = desk.raw(
        "PATCH",
        &format!("/services/data/v62.0{booking}"),
        &[],
        "{\"a\":",
    );
    assert_eq!(broken.status, 400);
    assert!(
        String::from_utf8(broken.body)
            .unwrap()
            .contains("JSON_PARSER_ERROR")
    );
    // Another case is another value for a case-sensitive key.
    let other_case = json!({"LastName": "x", "Unique_Email__c": "SARAH@example.com"});
    assert_eq!(desk.call("POST", "/sobjects/Contact", &other_case).0, 201);
}

#[test]
fn duplicate_error_messages() {
    let mut desk = OrgClient::open();
    let sarah = id(&desk.one("SELECT Id FROM Contact WHERE Email = 'sarah@example.com'"));
    let (_, answer) = desk.call(
        "POST",
        "/sobjects/Contact",
        &json!({"LastName": "x", "Unique_Email__c": "sarah@example.com"}),
    );
    assert_eq!(
        answer[0]["message"],
        format!(
            "duplicate value found: Unique_Email__c duplicates value on record with id: {sarah}"
        )
    );
}

#[test]
fn paths_and_methods_that_are_refused() {
    let mut desk = OrgClient::open();
    let booking = desk.booking("BK-0042");
    for (method, path, status, code) in [
        (
            "GET",
            "/sobjects/Nope__c/describe".to_owned(),
            404,
            "NOT_FOUND",
        ),
        ("POST", "/sobjects/Nope__c".to_owned(), 404, "NOT_FOUND"),
        (
            "GET",
            format!("/sobjects/Hotel_Room__c/{booking}"),
            404,
            "NOT_FOUND",
        ),
        (
            "GET",
            "/sobjects/Booking__c/a01000000000000AAA".to_owned(),
            404,
            "NOT_FOUND",
        ),
        (
            "PATCH",
            "/sobjects/Booking__c/BK-0042".to_owned(),
            400,
            "MALFORMED_ID",
        ),
        (
            "PATCH",
            "/sobjects/Booking__c/Name/BK-0042".to_owned(),
            404,
            "NOT_FOUND",
        ),
        (
            "PUT",
            format!("/sobjects/Booking__c/{booking}"),
            405,
            "METHOD_NOT_ALLOWED",
        ),
        ("GET", "/nowhere".to_owned(), 404, "NOT_FOUND"),
        ("GET", "/composite".to_owned(), 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/query".to_owned(), 400, "MALFORMED_QUERY"),
        (
            "GET",
            format!("/sobjects/Booking__c/{booking}?fields=Nope"),
            400,
            "INVALID_FIELD",
        ),
    ] {
        refused(
            &mut desk,
            method,
            &path,
            &if method == "GET" {
                Value::Null
            } else {
                json!({})
            },
            status,
            code,
        );
    }
    let old = desk.raw(
        "GET",
        "/services/data/v12.0/query?q=SELECT+Id+FROM+User",
        &[],
        "",
    );
    assert_eq!(old.status, 404);
}

#[test]
fn deletions() {
    let mut desk = OrgClient::open();
    let contact = id(&desk.one("SELECT Id FROM Contact WHERE FirstName = 'Beth'"));
    refused(
        &mut desk,
        "DELETE",
        &format!("/sobjects/Contact/{contact}"),
        &Value::Null,
        400,
        "DELETE_FAILED",
    );
    let room = id(&desk.one("SELECT Id FROM Hotel_Room__c WHERE Room_Number__c = '302'"));
    refused(
        &mut desk,
        "DELETE",
        &format!("/sobjects/Hotel_Room__c/{room}"),
        &Value::Null,
        400,
        "DELETE_FAILED",
    );
    // Deleting a master deletes its details, and clears lookups to those.
    let stay = desk.one("SELECT Id, Opportunity__c FROM Booking__c WHERE Name = 'BK-0024'");
    let opportunity = stay["Opportunity__c"].as_str().unwrap();
    assert_eq!(
        desk.call(
            "DELETE",
            &format!("/sobjects/Opportunity/{opportunity}"),
            &Value::Null
        )
        .0,
        204
    );
    assert!(
        desk.records("SELECT Id FROM Booking__c WHERE Name = 'BK-0024'")
            .is_empty()
    );
    assert_eq!(
        desk.one("SELECT Booking__c FROM Case WHERE Subject LIKE 'Extra towels%'")["Booking__c"],
        Value::Null
    );
    let at = format!("/sobjects/Booking__c/{}", id(&stay));
    refused(
        &mut desk,
        "PATCH",
        &at,
        &json!({"Status__c": "Cancelled"}),
        404,
        "ENTITY_IS_DELETED",
    );
    refused(
        &mut desk,
        "DELETE",
        &at,
        &Value::Null,
        404,
        "ENTITY_IS_DELETED",
    );
}
