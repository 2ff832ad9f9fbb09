//! Creating, updating, upserting, reading and deleting rows.

use crate::org_client::{OrgClient, TODAY, assert_code, items, path, text_of};
use dewy_sandbox::salesforce::Org;
use serde_json::{Map, Value, json};

#[test]
fn create_update_retrieve_delete() {
    let mut desk = OrgClient::open();
    let opportunity = desk.id_of("SELECT Id FROM Opportunity WHERE Name LIKE 'Sarah Johnson%'");
    let fields = json!({"Opportunity__c": opportunity, "Check_In_Date__c": "2026-04-01", "Check_Out_Date__c": "2026-04-04"});
    let (status, made) = desk.call("POST", "/sobjects/Booking__c", &fields);
    assert_eq!(
        (status, made["success"].as_bool(), &made["errors"]),
        (201, Some(true), &json!([]))
    );
    let booking = text_of(&made["id"]);
    let at = format!("/sobjects/Booking__c/{booking}");
    let (status, shown) = desk.call("GET", &at, &Value::Null);
    assert_eq!(status, 200);
    assert_eq!(
        (shown["Name"].as_str(), shown["Status__c"].as_str()),
        (Some("BK-0049"), Some("Reserved"))
    );
    assert_eq!(shown["Total_Nights__c"].to_string(), "3.0");
    assert_eq!(shown["CreatedDate"], "2026-03-10T12:00:00.000+0000");
    assert_eq!(shown["attributes"]["url"], path(&at));
    let (_, user) = desk.call(
        "GET",
        &format!(
            "/sobjects/User/{}?fields=Name",
            shown["CreatedById"].as_str().unwrap()
        ),
        &Value::Null,
    );
    assert_eq!(user["Name"], "Dewy Integration");

    desk.later(5);
    assert_eq!(
        desk.call(
            "PATCH",
            &at,
            &json!({"status__c": "Checked In", "attributes": {"type": "x"}})
        ),
        (204, Value::Null)
    );
    let (_, some) = desk.call(
        "GET",
        &format!("{at}?fields=Status__c,LastModifiedDate,CreatedDate"),
        &Value::Null,
    );
    assert_eq!(some["Status__c"], "Checked In");
    assert_eq!(some["LastModifiedDate"], "2026-03-10T12:00:05.000+0000");
    assert_eq!(some["CreatedDate"], "2026-03-10T12:00:00.000+0000");
    assert!(some.get("Name").is_none());
    desk.later(1);
    assert_eq!(
        desk.call("PATCH", &at, &json!({"Status__c": "Checked In"}))
            .0,
        204
    );
    let (_, touched) = desk.call("GET", &at, &Value::Null);
    assert_eq!(
        touched["LastModifiedDate"], "2026-03-10T12:00:06.000+0000",
        "a touch counts"
    );

    assert_eq!(desk.call("DELETE", &at, &Value::Null), (204, Value::Null));
    let (status, gone) = desk.call("GET", &at, &Value::Null);
    assert_code((status, &gone), 404, "ENTITY_IS_DELETED");
    assert!(
        desk.records("SELECT Id FROM Booking__c WHERE Name = 'BK-0049'")
            .is_empty()
    );
}

#[test]
fn upserts() {
    let mut desk = OrgClient::open();
    let opportunity = desk.id_of("SELECT Id FROM Opportunity WHERE Name LIKE 'Beth Gibbs%'");
    let at = "/sobjects/Payment_Transaction__c/Stripe_Transaction_ID__c/pi_1";
    assert_eq!(
        desk.call(
            "PATCH",
            &format!("{at}?updateOnly=true"),
            &json!({"Amount__c": 1})
        )
        .0,
        404
    );
    let new = json!({"Opportunity__c": opportunity, "Amount__c": 250.00, "Transaction_Type__c": "Payment"});
    let (status, made) = desk.call("PATCH", at, &new);
    assert_eq!((status, made["created"].as_bool()), (201, Some(true)));
    let (status, same) = desk.call("PATCH", at, &json!({"Amount__c": "249.99"}));
    assert_eq!(
        (status, same["created"].as_bool(), &same["id"]),
        (200, Some(false), &made["id"])
    );
    let (_, shown) = desk.call("GET", at, &Value::Null);
    assert_eq!(
        (shown["Amount__c"].to_string(), shown["Name"].as_str()),
        ("249.99".into(), Some("PT-00018"))
    );
    // A master-detail reference can never be written again, not even with the same value.
    let (status, refused) = desk.call("PATCH", at, &new);
    assert_code((status, &refused), 400, "INVALID_FIELD_FOR_INSERT_UPDATE");
    let (status, refused) = desk.call("PATCH", at, &json!({"Stripe_Transaction_ID__c": "pi_1"}));
    assert_code((status, &refused), 400, "INVALID_FIELD");
    // Not unique in the reference's org: two rows may hold it, and then no upsert can choose.
    let twin = json!({"Opportunity__c": opportunity, "Stripe_Transaction_ID__c": "pi_1"});
    assert_eq!(
        desk.call("POST", "/sobjects/Payment_Transaction__c", &twin)
            .0,
        201
    );
    let (status, several) = desk.call("PATCH", at, &json!({"Amount__c": 2}));
    assert_eq!((status, items(&several).len()), (300, 2));
    // Old versions answered an update without a body.
    let old = desk.raw(
        "PATCH",
        "/services/data/v45.0/sobjects/Hotel_Room__c/Room_Number__c/302",
        &[],
        "{\"Floor__c\":3}",
    );
    assert_eq!((old.status, old.body.len()), (204, 0));
    let by_key = json!({"Primary_Guest__r": {"Unique_Email__c": "sarah@example.com"}});
    let booking = desk.booking("BK-0042");
    assert_eq!(
        desk.call("PATCH", &format!("/sobjects/Booking__c/{booking}"), &by_key)
            .0,
        204
    );
    let moved =
        desk.one("SELECT Primary_Guest__r.FirstName FROM Booking__c WHERE Name = 'BK-0042'");
    assert_eq!(moved["Primary_Guest__r"]["FirstName"], "Sarah");
}

#[test]
fn if_unmodified_since() {
    let mut desk = OrgClient::open();
    let at = format!("/sobjects/Booking__c/{}", desk.booking("BK-0042"));
    let guard = |text| [("if-unmodified-since", text)];
    let body = json!({"Number_of_Guests__c": 2});
    assert_eq!(
        desk.call_with("PATCH", &at, &body, &guard("Mon, 09 Mar 2026 09:00:00 GMT"))
            .0,
        204
    );
    let (status, refused) =
        desk.call_with("PATCH", &at, &body, &guard("Mon, 09 Mar 2026 09:00:00 GMT"));
    assert_code((status, &refused), 412, "PRECONDITION_FAILED");
    // The record was written at 12:00:00.250; the header has a resolution of seconds.
    assert_eq!(
        desk.call_with("PATCH", &at, &body, &guard("Tue, 10 Mar 2026 12:00:00 GMT"))
            .0,
        204
    );
    assert_eq!(
        desk.call_with("PATCH", &at, &body, &guard("2026-03-10T12:00:00Z"))
            .0,
        400
    );
    // No ETag on custom objects: the header has no effect.
    assert_eq!(
        desk.call_with("PATCH", &at, &body, &[("if-match", "\"stale\"")])
            .0,
        204
    );
}

#[test]
fn foreign_edits() {
    let mut desk = OrgClient::open();
    let booking = desk.booking("BK-0042");
    let fields = Map::from_iter([("Status__c".to_owned(), json!("Cancelled"))]);
    desk.org
        .edit("Booking__c", &booking, &fields, desk.now)
        .unwrap();
    let row =
        desk.one("SELECT Status__c, LastModifiedBy.Name, LastModifiedDate FROM Booking__c WHERE Name = 'BK-0042'");
    assert_eq!(row["Status__c"], "Cancelled");
    assert_eq!(row["LastModifiedBy"]["Name"], "Front Desk (Salesforce)");
    assert_eq!(row["LastModifiedDate"], "2026-03-10T12:00:00.000+0000");
    let wrong = Map::from_iter([("Nope".to_owned(), json!(1))]);
    assert!(
        desk.org
            .edit("Booking__c", &booking, &wrong, desk.now)
            .unwrap_err()
            .contains("INVALID_FIELD")
    );
    assert!(
        desk.org
            .edit("Nope", &booking, &fields, desk.now)
            .unwrap_err()
            .starts_with("object:")
    );
    assert!(
        desk.org
            .edit("Booking__c", "nope", &fields, desk.now)
            .unwrap_err()
            .starts_with("id:")
    );
}

#[test]
fn described() {
    let mut desk = OrgClient::open();
    let (_, shown) = desk.call("GET", "/sobjects/Booking__c/describe", &Value::Null);
    let field = |name: &str| {
        items(&shown["fields"])
            .iter()
            .find(|f| f["name"] == name)
            .unwrap()
            .clone()
    };
    assert_eq!(field("Opportunity__c")["updateable"], false);
    assert_eq!(field("Opportunity__c")["createable"], true);
    assert_eq!(field("External_ID__c")["externalId"], true);
    assert_eq!(field("External_ID__c")["unique"], false);
    assert_eq!(field("Name")["autoNumber"], true);
    assert_eq!(field("Status__c")["restrictedPicklist"], true);
    assert_eq!(
        field("Status__c")["picklistValues"][1]["value"],
        "Checked In"
    );
    assert!(
        !items(&shown["fields"])
            .iter()
            .any(|f| f["name"] == "Last_Execution__c")
    );
    let (_, all) = desk.call("GET", "/sobjects/", &Value::Null);
    assert!(
        items(&all["sobjects"])
            .iter()
            .any(|o| o["name"] == "Hotel_Room__c")
    );
    let versions = desk.raw("GET", "/services/data/", &[], "");
    assert!(
        String::from_utf8(versions.body)
            .unwrap()
            .contains("\"62.0\"")
    );
}

#[test]
fn clones_do_not_share_writes() {
    let first = Org::seeded(1, TODAY);
    let mut desk = OrgClient::of(first.clone());
    let at = format!("/sobjects/Booking__c/{}", desk.booking("BK-0042"));
    assert_eq!(
        desk.call("PATCH", &at, &json!({"Status__c": "Cancelled"}))
            .0,
        204
    );
    assert_ne!(first.state()["Booking__c"], desk.org.state()["Booking__c"]);
    assert_eq!(
        first.state()["Booking__c"],
        Org::seeded(1, TODAY).state()["Booking__c"]
    );
}
