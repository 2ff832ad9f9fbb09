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
    let opportunity = desk.id_of("SELECT Id FROM Opportunity WHERE Name LIKE 'Beth Gibbs%'");
    let contact = desk.id_of("SELECT Id FROM Contact WHERE FirstName = 'Beth'");
    let at = format!("/sobjects/Opportunity/{opportunity}");
    let mut no_such = contact.get(..14).unwrap().to_owned();
    no_such.push('z');
    let fixed = "INVALID_FIELD_FOR_INSERT_UPDATE";
    let no_word = "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST";
    let parser = "JSON_PARSER_ERROR";
    for (body, code) in [
        (json!({"Nope__c": 1}), "INVALID_FIELD"),
        (json!({"Id": "x"}), "INVALID_FIELD"),
        (json!({"Opportunity__c": opportunity}), fixed),
        (json!({"Name": "BK-9999"}), fixed),
        (json!({"Total_Nights__c": 3}), fixed),
        (json!({"LastModifiedDate": "2026-03-10T12:00:00Z"}), fixed),
        (json!({"Status__c": "Confirmed"}), no_word),
        (json!({"Check_In_Date__c": "tomorrow"}), parser),
        (json!({"Number_of_Guests__c": "two"}), parser),
        (
            json!({"Number_of_Guests__c": 100}),
            "NUMBER_OUTSIDE_VALID_RANGE",
        ),
        (json!({"External_ID__c": "x".repeat(51)}), "STRING_TOO_LONG"),
        (json!({"Room__c": contact}), "MALFORMED_ID"),
        (json!({"Room__c": "room 302"}), "MALFORMED_ID"),
        (
            json!({"Primary_Guest__c": no_such}),
            "INVALID_CROSS_REFERENCE_KEY",
        ),
        (Value::Null, parser),
    ] {
        refused(&mut desk, "PATCH", &booking, &body, 400, code);
    }
    for (body, code) in [
        (json!({"CloseDate": null}), "REQUIRED_FIELD_MISSING"),
        (json!({"Total_Nights__c": 1}), fixed),
    ] {
        refused(&mut desk, "PATCH", &at, &body, 400, code);
    }
    let unnamed = json!({"FirstName": "x"});
    let no_date = json!({"Name": "x", "StageName": "Prospecting"});
    let nobody = json!({"LastName": "x", "Email": "nobody"});
    let twin = json!({"LastName": "x", "Unique_Email__c": "sarah@example.com"});
    let (room, user) = (json!({"Room_Number__c": "302"}), json!({"LastName": "x"}));
    for (object, body, code) in [
        (
            "Booking__c",
            json!({"Status__c": "Reserved"}),
            "REQUIRED_FIELD_MISSING",
        ),
        ("Opportunity", no_date, "REQUIRED_FIELD_MISSING"),
        ("Contact", unnamed, "REQUIRED_FIELD_MISSING"),
        ("Contact", nobody, "INVALID_EMAIL_ADDRESS"),
        ("Contact", twin, "DUPLICATE_VALUE"),
        ("Hotel_Room__c", room, "DUPLICATE_VALUE"),
        ("User", user, "INSUFFICIENT_ACCESS_OR_READONLY"),
    ] {
        refused(
            &mut desk,
            "POST",
            &format!("/sobjects/{object}"),
            &body,
            400,
            code,
        );
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
    let sarah = desk.id_of("SELECT Id FROM Contact WHERE Email = 'sarah@example.com'");
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
    let by_room = format!("/sobjects/Hotel_Room__c/{booking}");
    let itself = format!("/sobjects/Booking__c/{booking}");
    let field = format!("{itself}?fields=Nope");
    for (method, path, status, code) in [
        ("GET", "/sobjects/Nope__c/describe", 404, "NOT_FOUND"),
        ("POST", "/sobjects/Nope__c", 404, "NOT_FOUND"),
        ("GET", &by_room, 404, "NOT_FOUND"),
        (
            "GET",
            "/sobjects/Booking__c/a01000000000000AAA",
            404,
            "NOT_FOUND",
        ),
        ("PATCH", "/sobjects/Booking__c/BK-0042", 400, "MALFORMED_ID"),
        (
            "PATCH",
            "/sobjects/Booking__c/Name/BK-0042",
            404,
            "NOT_FOUND",
        ),
        ("PUT", &itself, 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/nowhere", 404, "NOT_FOUND"),
        ("GET", "/composite", 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/query", 400, "MALFORMED_QUERY"),
        ("GET", &field, 400, "INVALID_FIELD"),
    ] {
        let body = if method == "GET" {
            Value::Null
        } else {
            json!({})
        };
        refused(&mut desk, method, path, &body, status, code);
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
    let contact = desk.id_of("SELECT Id FROM Contact WHERE FirstName = 'Beth'");
    refused(
        &mut desk,
        "DELETE",
        &format!("/sobjects/Contact/{contact}"),
        &Value::Null,
        400,
        "DELETE_FAILED",
    );
    let room = desk.id_of("SELECT Id FROM Hotel_Room__c WHERE Room_Number__c = '302'");
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
