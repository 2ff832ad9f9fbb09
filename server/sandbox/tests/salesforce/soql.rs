//! Valid and invalid queries.

use crate::org_client::{OrgClient, assert_code, assert_fields, items};
use serde_json::{Value, json};

/// Queries with the values of their records' only field.
const ANSWERED: &str = include_str!("soql_answered.txt");

/// Queries by their error code.
const REFUSED: &[(&str, &[&str])] = &[
    (
        "MALFORMED_QUERY",
        &[
            "",
            "SELECT FROM Booking__c",
            "SELECT Id Booking__c",
            "SELECT Id FROM Booking__c WHERE",
            "SELECT Id FROM Booking__c WHERE Name = 'a' AND Name = 'b' OR Name = 'c'",
            "SELECT Id FROM Booking__c WHERE Name = 'open",
            "SELECT Id FROM Booking__c WHERE Name = 'a\\x'",
            "SELECT Id FROM Booking__c WHERE Name = 'a\\_b'",
            "SELECT Id FROM Booking__c WHERE Name = \"a\"",
            "SELECT Id FROM Booking__c WHERE Name = :name",
            "SELECT Id FROM Booking__c WHERE Name = name",
            "SELECT Id FROM Booking__c; DELETE",
            "SELECT Id FROM Booking__c WHERE Check_In_Date__c = TODAY",
            "SELECT Id FROM Booking__c WHERE Check_In_Date__c = LAST_N_DAYS:3",
            "SELECT Id FROM Booking__c WHERE Check_In_Date__c = 2026-02-30",
            "SELECT FIELDS(ALL) FROM Booking__c LIMIT 5",
            "SELECT SUM(Amount) FROM Opportunity",
            "SELECT Status__c, COUNT(Id) FROM Booking__c GROUP BY Status__c",
            "SELECT Status__c, COUNT(Id) FROM Booking__c",
            "SELECT Id FROM Booking__c OFFSET 1",
            "SELECT COUNT() FROM Booking__c",
            "SELECT Id FROM Booking__c FOR UPDATE",
            "SELECT Id FROM Booking__c ALL ROWS",
            "SELECT Id FROM Booking__c LIMIT -1",
            "SELECT Id FROM Booking__c LIMIT 1.5",
            "SELECT Id FROM Booking__c WHERE Id IN (SELECT Id FROM Booking__c)",
            "SELECT Id FROM Booking__c WHERE Name IN (SELECT Booking__c FROM Case)",
            "SELECT Id FROM Booking__c WHERE Id IN ()",
            // Semi-joins: only at the top of WHERE, never beside OR or under NOT, two at most, and only on
            // the object's own ids.
            "SELECT Id FROM Booking__c WHERE Name = 'a' OR Id IN (SELECT Booking__c FROM Case)",
            "SELECT Id FROM Booking__c WHERE Name = 'a' AND (Id IN (SELECT Booking__c FROM Case))",
            "SELECT Id FROM Booking__c WHERE (Id NOT IN (SELECT Booking__c FROM Case))",
            "SELECT Id FROM Booking__c WHERE NOT Id IN (SELECT Booking__c FROM Case)",
            "SELECT Id FROM Contact WHERE Id IN (SELECT ContactId FROM Case) AND Id IN (SELECT Primary_Guest__c FROM Booking__c) \
         AND Id NOT IN (SELECT Current_Guest__c FROM Hotel_Room__c)",
            "SELECT Id FROM Booking__c WHERE Room__r.Id IN (SELECT Room__c FROM Case)",
            "SELECT Id FROM Booking__c WHERE Id IN (SELECT Room__c FROM Case)",
            "SELECT Id, (SELECT Id, (SELECT Id FROM Cases__r) FROM Bookings__r) FROM Opportunity",
        ],
    ),
    (
        "INVALID_FIELD",
        &[
            "SELECT Nope FROM Booking__c",
            "SELECT Id FROM Booking__c WHERE Nope = 'x'",
            "SELECT Id FROM Booking__c ORDER BY Nope",
            "SELECT Nope__r.Name FROM Booking__c",
            "SELECT Opportunity__c.Name FROM Booking__c",
            "SELECT Id, Id FROM Booking__c",
            "SELECT Hotel_Room__c FROM Booking__c",
            "SELECT Id FROM Booking__c WHERE Check_In_Date__c = '2026-03-10'",
            "SELECT Id FROM Booking__c WHERE LastModifiedDate > 2026-03-10",
            "SELECT Id FROM Booking__c WHERE Name = 42",
            "SELECT Id FROM Opportunity WHERE Amount = '250'",
            "SELECT Id FROM Hotel_Room__c WHERE Accessible__c = 'true'",
            "SELECT Id FROM Booking__c ORDER BY Special_Requests__c",
            "SELECT Name FROM Booking__c WHERE Special_Requests__c = null",
        ],
    ),
    (
        "INVALID_QUERY_FILTER_OPERATOR",
        &[
            "SELECT Id FROM Booking__c WHERE Id = 'nonsense'",
            "SELECT Id FROM Booking__c WHERE Check_In_Date__c LIKE '2026%'",
            "SELECT Id FROM Booking__c WHERE Check_In_Date__c < null",
        ],
    ),
    (
        "INVALID_TYPE",
        &[
            "SELECT Id FROM Booking",
            "SELECT Id, (SELECT Id FROM Nopes__r) FROM Booking__c",
        ],
    ),
];

#[test]
fn soql_queries_are_answered() {
    let mut desk = OrgClient::open();
    for line in ANSWERED.lines().filter(|line| !line.starts_with('#')) {
        let (wanted, soql) = line.split_once(" <- ").unwrap();
        let wanted = match wanted {
            "nothing" => Vec::new(),
            values => values.split("; ").collect(),
        };
        let (status, answer) = desk.query(soql);
        assert_eq!(status, 200, "{soql}: {answer}");
        let value = |record: &Value| {
            let fields = record.as_object().unwrap();
            let mut fields = fields.iter().filter(|(name, _)| *name != "attributes");
            text(fields.next().unwrap().1)
        };
        let found: Vec<String> = items(&answer["records"]).iter().map(value).collect();
        assert_eq!(found, wanted, "{soql}");
        assert_fields(&answer, json!({ "totalSize": wanted.len(), "done": true }));
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[test]
fn invalid_soql_is_refused() {
    let mut desk = OrgClient::open();
    let rows = |(code, all): &(&'static str, &'static [&'static str])| {
        let code = *code;
        all.iter().map(move |soql| (*soql, code))
    };
    for (soql, code) in REFUSED.iter().flat_map(rows) {
        let (status, answer) = desk.query(soql);
        let found = answer[0]["errorCode"].as_str();
        assert_eq!((status, found), (400, Some(code)), "{soql}: {answer}");
        assert!(!answer[0]["message"].as_str().unwrap().is_empty());
    }
    let deep = format!(
        "SELECT Id FROM Booking__c WHERE {}Name = 'x'{}",
        "(".repeat(5000),
        ")".repeat(5000)
    );
    assert_eq!(desk.query(&deep).1[0]["errorCode"], "MALFORMED_QUERY");
    let nots = format!(
        "SELECT Id FROM Booking__c WHERE {} Name = 'x'",
        "NOT ".repeat(5000)
    );
    assert_eq!(desk.query(&nots).1[0]["errorCode"], "MALFORMED_QUERY");
}

#[test]
fn a_stay_query_has_the_documented_shape() {
    let mut desk = OrgClient::open();
    let stay = desk.one(
        "SELECT Id, Name, Status__c, LastModifiedDate, LastModifiedBy.Name, Total_Nights__c, Primary_Guest__r.Email, Room__r.Status__c, \
         Opportunity__r.Amount, Opportunity__r.Account.Name, (SELECT Id FROM Cases__r) FROM Booking__c WHERE Name = 'BK-0042'",
    );
    let id = stay["Id"].as_str().unwrap();
    assert_eq!(
        stay["attributes"],
        json!({"type": "Booking__c", "url": format!("/services/data/v62.0/sobjects/Booking__c/{id}")})
    );
    assert_eq!(stay["LastModifiedDate"], "2026-03-09T09:00:00.000+0000");
    assert_eq!(stay["LastModifiedBy"]["Name"], "Org Setup");
    assert_eq!(stay["Opportunity__r"]["attributes"]["type"], "Opportunity");
    assert_eq!(stay["Opportunity__r"]["Amount"].to_string(), "250.0");
    assert_eq!(stay["Opportunity__r"]["Account"]["Name"], "Gibbs Household");
    assert_eq!(stay["Total_Nights__c"].to_string(), "2.0");
    assert_eq!(stay["Cases__r"], Value::Null);
    let room =
        desk.one("SELECT Current_Guest__r.Name FROM Hotel_Room__c WHERE Room_Number__c = '205'");
    assert_eq!(room["Current_Guest__r"], Value::Null);
}

#[test]
fn children() {
    let mut desk = OrgClient::open();
    let folio = desk.one(
        "SELECT Id, Total_Nights__c, (SELECT Name, Room__r.Room_Number__c FROM Bookings__r ORDER BY Name DESC LIMIT 1), \
         (SELECT Id FROM Payment_Transactions__r WHERE Status__c = 'Pending') FROM Opportunity WHERE Name LIKE 'James Brown%'",
    );
    assert_eq!(folio["Bookings__r"]["totalSize"], 1);
    assert_eq!(
        folio["Bookings__r"]["records"][0]["Room__r"]["Room_Number__c"],
        "402"
    );
    assert_eq!(folio["Payment_Transactions__r"], Value::Null);
    assert_eq!(folio["Total_Nights__c"].to_string(), "4.0");
    let guest = desk.one(
        "SELECT Id, (SELECT Id FROM Bookings__r WHERE Status__c = 'Checked In') FROM Contact WHERE Name = 'Wei Chen'",
    );
    assert_eq!(guest["Bookings__r"]["totalSize"], 2);
}

#[test]
fn long_answers_come_in_pages() {
    let mut desk = OrgClient::open();
    for i in 0..205 {
        let (status, _) = desk.call(
            "POST",
            "/sobjects/Account",
            &json!({"Name": format!("Firm {i:03}")}),
        );
        assert_eq!(status, 201);
    }
    let q = "/query?q=SELECT+Name+FROM+Account+WHERE+Name+LIKE+'Firm%25'+ORDER+BY+Name";
    let (_, first) = desk.call_with(
        "GET",
        q,
        &Value::Null,
        &[("sforce-query-options", "batchSize=200")],
    );
    assert_eq!(
        (
            first["totalSize"].as_u64(),
            first["done"].as_bool(),
            items(&first["records"]).len()
        ),
        (Some(205), Some(false), 200)
    );
    let next = first["nextRecordsUrl"]
        .as_str()
        .unwrap()
        .strip_prefix("/services/data/v62.0")
        .unwrap();
    let (_, second) = desk.call("GET", next, &Value::Null);
    assert_eq!(
        (second["done"].as_bool(), items(&second["records"]).len()),
        (Some(true), 5)
    );
    assert_eq!(second["records"][4]["Name"], "Firm 204");
    let (status, wrong) = desk.call("GET", "/query/01gnone-2000", &Value::Null);
    assert_code((status, &wrong), 400, "INVALID_QUERY_LOCATOR");
}
