//! Valid and invalid queries.

use crate::org_client::OrgClient;
use serde_json::{Value, json};

/// Queries with the values of their records' first field.
const ANSWERED: &[(&str, &str, &[&str])] = &[
    (
        "SELECT Name FROM Booking__c WHERE Room__r.Room_Number__c = '302' AND Status__c = 'Checked In'",
        "Name",
        &["BK-0042"],
    ),
    (
        "select name from booking__c where room__r.room_number__c='302' and status__c='checked in'",
        "Name",
        &["BK-0042"],
    ),
    (
        "SELECT b.Name FROM Booking__c b WHERE b.Primary_Guest__r.Email = 'beth.gibbs@email.com'",
        "Name",
        &["BK-0042"],
    ),
    (
        "SELECT Booking__c.Name FROM Booking__c WHERE Booking__c.Name = 'BK-0042'",
        "Name",
        &["BK-0042"],
    ),
    (
        "SELECT Email FROM Contact WHERE Email = 'nora.o\\'brien@example.com'",
        "Email",
        &["nora.o'brien@example.com"],
    ),
    (
        "SELECT LastName FROM Contact WHERE LastName LIKE 'o\\'b%'",
        "LastName",
        &["O'Brien"],
    ),
    (
        "SELECT LastName FROM Contact WHERE LastName LIKE '%ü_l%'",
        "LastName",
        &["Müller"],
    ),
    (
        "SELECT LastName FROM Contact WHERE LastName LIKE '\\%%'",
        "LastName",
        &[],
    ),
    (
        "SELECT Name FROM Contact WHERE FirstName IN ('Wei', 'beth') ORDER BY FirstName DESC",
        "Name",
        &["Wei Chen", "Beth Gibbs"],
    ),
    (
        "SELECT Room_Number__c FROM Hotel_Room__c WHERE Current_Guest__r.LastName = 'Chen' ORDER BY Room_Number__c",
        "Room_Number__c",
        &["102", "103"],
    ),
    (
        "SELECT Room_Number__c FROM Hotel_Room__c WHERE Floor__c = 4 AND Nightly_Rate__c > 349.99",
        "Room_Number__c",
        &["410"],
    ),
    (
        "SELECT Room_Number__c FROM Hotel_Room__c WHERE Accessible__c = true AND Floor__c >= 4.0 ORDER BY Nightly_Rate__c DESC, Room_Number__c LIMIT 1",
        "Room_Number__c",
        &["406"],
    ),
    (
        "SELECT Name FROM Booking__c WHERE Check_In_Date__c = 2026-03-09 AND (Status__c = 'No Show' OR Status__c = 'Reserved') ORDER BY Name",
        "Name",
        &["BK-0020", "BK-0021"],
    ),
    (
        "SELECT Name FROM Booking__c WHERE Status__c = 'Checked In' AND Check_Out_Date__c < 2026-03-10",
        "Name",
        &["BK-0028"],
    ),
    (
        "SELECT Name FROM Booking__c WHERE NOT (Status__c IN ('Checked Out', 'Checked In', 'Cancelled', 'No Show')) AND Check_In_Date__c <= 2026-03-10 ORDER BY Name DESC LIMIT 2",
        "Name",
        &["BK-0037", "BK-0036"],
    ),
    (
        "SELECT Name FROM Booking__c WHERE Total_Nights__c >= 5 ORDER BY Name",
        "Name",
        &["BK-0009", "BK-0032"],
    ),
    (
        "SELECT Name FROM Booking__c WHERE Id IN (SELECT Booking__c FROM Case WHERE Type = 'Housekeeping')",
        "Name",
        &["BK-0024"],
    ),
    (
        "SELECT Name FROM Booking__c WHERE Status__c = 'Checked In' AND Opportunity__c IN (SELECT Opportunity__c FROM Payment_Transaction__c)",
        "Name",
        &["BK-0027"],
    ),
    (
        "SELECT Subject FROM Case WHERE Booking__c = null AND Priority = 'Urgent'",
        "Subject",
        &["Ceiling leaks in the bathroom of 108"],
    ),
    (
        "SELECT CaseNumber FROM Case WHERE IsClosed = TRUE",
        "CaseNumber",
        &["00001007"],
    ),
    (
        "SELECT Name FROM Opportunity WHERE Amount = 250 AND StageName = 'Checked In' AND Account.Name = 'Gibbs Household'",
        "Name",
        &["Beth Gibbs – Room 302"],
    ),
    (
        "SELECT Name FROM Opportunity WHERE Id NOT IN (SELECT Opportunity__c FROM Booking__c WHERE Name != 'BK-0042')",
        "Name",
        &["Beth Gibbs – Room 302"],
    ),
    (
        "SELECT Name FROM User WHERE Name LIKE 'front%'",
        "Name",
        &["Front Desk (Salesforce)"],
    ),
    (
        "SELECT Name FROM Booking__c WHERE LastModifiedDate > 2026-03-09T09:00:00.000Z",
        "Name",
        &[],
    ),
    (
        "SELECT Name FROM Booking__c WHERE LastModifiedDate >= 2026-03-09T11:00:00+02:00 AND Name = 'bk-0042'",
        "Name",
        &["BK-0042"],
    ),
    (
        "SELECT Name FROM Booking__c WHERE Room__r.Current_Guest__r.Account.Name = 'Gibbs Household' AND Status__c != 'x'",
        "Name",
        &["BK-0042"],
    ),
    (
        "SELECT Name FROM Booking__c WHERE Special_Requests__c = null",
        "!INVALID_FIELD",
        &[],
    ),
    (
        "SELECT Unique_Email__c FROM Contact WHERE Unique_Email__c = 'BETH.GIBBS@email.com'",
        "Unique_Email__c",
        &[],
    ),
    (
        "SELECT Email FROM Contact WHERE Email = 'BETH.GIBBS@email.com'",
        "Email",
        &["beth.gibbs@email.com"],
    ),
    (
        "SELECT Name FROM Contact WHERE Loyalty_Number__c != 'DR-10042' AND FirstName = 'Sarah'",
        "Name",
        &["Sarah Johnson"],
    ),
    (
        "SELECT Name FROM Contact WHERE FirstName = 'Sarah' AND NOT Loyalty_Number__c LIKE 'D%'",
        "Name",
        &["Sarah Johnson"],
    ),
    (
        "SELECT Name FROM Booking__c WHERE Name = 'BK-0042' AND Opportunity__c IN (SELECT Id FROM Opportunity \
         WHERE (Amount > 0 OR Amount = null)) AND Id NOT IN (SELECT Booking__c FROM Case WHERE Subject = 'no such')",
        "Name",
        &["BK-0042"],
    ),
    (
        "SELECT Name FROM Booking__c WHERE CreatedBy.Name = 'Org Setup' AND Name IN ('BK-0042')",
        "Name",
        &["BK-0042"],
    ),
    (
        "SELECT Loyalty_Number__c FROM Contact WHERE FirstName IN ('Beth', 'Sarah') ORDER BY Loyalty_Number__c DESC",
        "Loyalty_Number__c",
        &["", "DR-10042"],
    ),
];

/// Queries with their error code.
const REFUSED: &[(&str, &str)] = &[
    ("", "MALFORMED_QUERY"),
    ("SELECT FROM Booking__c", "MALFORMED_QUERY"),
    ("SELECT Id Booking__c", "MALFORMED_QUERY"),
    ("SELECT Id FROM Booking__c WHERE", "MALFORMED_QUERY"),
    (
        "SELECT Id FROM Booking__c WHERE Name = 'a' AND Name = 'b' OR Name = 'c'",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Name = 'open",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Name = 'a\\x'",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Name = 'a\\_b'",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Name = \"a\"",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Name = :name",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Name = name",
        "MALFORMED_QUERY",
    ),
    ("SELECT Id FROM Booking__c; DELETE", "MALFORMED_QUERY"),
    (
        "SELECT Id FROM Booking__c WHERE Check_In_Date__c = TODAY",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Check_In_Date__c = LAST_N_DAYS:3",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Check_In_Date__c = 2026-02-30",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT FIELDS(ALL) FROM Booking__c LIMIT 5",
        "MALFORMED_QUERY",
    ),
    ("SELECT SUM(Amount) FROM Opportunity", "MALFORMED_QUERY"),
    (
        "SELECT Status__c, COUNT(Id) FROM Booking__c GROUP BY Status__c",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Status__c, COUNT(Id) FROM Booking__c",
        "MALFORMED_QUERY",
    ),
    ("SELECT Id FROM Booking__c FOR UPDATE", "MALFORMED_QUERY"),
    ("SELECT Id FROM Booking__c ALL ROWS", "MALFORMED_QUERY"),
    ("SELECT Id FROM Booking__c LIMIT -1", "MALFORMED_QUERY"),
    ("SELECT Id FROM Booking__c LIMIT 1.5", "MALFORMED_QUERY"),
    ("SELECT Id FROM Booking__c OFFSET 1", "MALFORMED_QUERY"),
    ("SELECT COUNT() FROM Booking__c", "MALFORMED_QUERY"),
    (
        "SELECT Id FROM Booking__c WHERE Id IN (SELECT Id FROM Booking__c)",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Name IN (SELECT Booking__c FROM Case)",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Id IN ()",
        "MALFORMED_QUERY",
    ),
    // Semi-joins: only at the top of WHERE, never beside OR or under NOT, two at most, and only on
    // the object's own ids.
    (
        "SELECT Id FROM Booking__c WHERE Name = 'a' OR Id IN (SELECT Booking__c FROM Case)",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Name = 'a' AND (Id IN (SELECT Booking__c FROM Case))",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE (Id NOT IN (SELECT Booking__c FROM Case))",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE NOT Id IN (SELECT Booking__c FROM Case)",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Contact WHERE Id IN (SELECT ContactId FROM Case) AND Id IN (SELECT Primary_Guest__c FROM Booking__c) \
         AND Id NOT IN (SELECT Current_Guest__c FROM Hotel_Room__c)",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Room__r.Id IN (SELECT Room__c FROM Case)",
        "MALFORMED_QUERY",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Id IN (SELECT Room__c FROM Case)",
        "MALFORMED_QUERY",
    ),
    ("SELECT Nope FROM Booking__c", "INVALID_FIELD"),
    (
        "SELECT Id FROM Booking__c WHERE Nope = 'x'",
        "INVALID_FIELD",
    ),
    ("SELECT Id FROM Booking__c ORDER BY Nope", "INVALID_FIELD"),
    ("SELECT Nope__r.Name FROM Booking__c", "INVALID_FIELD"),
    (
        "SELECT Opportunity__c.Name FROM Booking__c",
        "INVALID_FIELD",
    ),
    ("SELECT Id, Id FROM Booking__c", "INVALID_FIELD"),
    ("SELECT Hotel_Room__c FROM Booking__c", "INVALID_FIELD"),
    (
        "SELECT Id FROM Booking__c WHERE Check_In_Date__c = '2026-03-10'",
        "INVALID_FIELD",
    ),
    (
        "SELECT Id FROM Booking__c WHERE LastModifiedDate > 2026-03-10",
        "INVALID_FIELD",
    ),
    ("SELECT Id FROM Booking__c WHERE Name = 42", "INVALID_FIELD"),
    (
        "SELECT Id FROM Opportunity WHERE Amount = '250'",
        "INVALID_FIELD",
    ),
    (
        "SELECT Id FROM Hotel_Room__c WHERE Accessible__c = 'true'",
        "INVALID_FIELD",
    ),
    (
        "SELECT Id FROM Booking__c ORDER BY Special_Requests__c",
        "INVALID_FIELD",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Id = 'nonsense'",
        "INVALID_QUERY_FILTER_OPERATOR",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Check_In_Date__c LIKE '2026%'",
        "INVALID_QUERY_FILTER_OPERATOR",
    ),
    (
        "SELECT Id FROM Booking__c WHERE Check_In_Date__c < null",
        "INVALID_QUERY_FILTER_OPERATOR",
    ),
    ("SELECT Id FROM Booking", "INVALID_TYPE"),
    (
        "SELECT Id, (SELECT Id FROM Nopes__r) FROM Booking__c",
        "INVALID_TYPE",
    ),
    (
        "SELECT Id, (SELECT Id, (SELECT Id FROM Cases__r) FROM Bookings__r) FROM Opportunity",
        "MALFORMED_QUERY",
    ),
];

#[test]
fn soql_queries_are_answered() {
    let mut desk = OrgClient::open();
    for (soql, field, wanted) in ANSWERED {
        let (status, answer) = desk.query(soql);
        if let Some(code) = field.strip_prefix('!') {
            assert_eq!(
                (status, answer[0]["errorCode"].as_str()),
                (400, Some(code)),
                "{soql}: {answer}"
            );
            continue;
        }
        assert_eq!(status, 200, "{soql}: {answer}");
        let records = answer["records"].as_array().unwrap();
        let found: Vec<&str> = records
            .iter()
            .map(|r| r[*field].as_str().unwrap_or(""))
            .collect();
        assert_eq!(&found, wanted, "{soql}");
        assert_eq!(
            (answer["totalSize"].as_u64(), &answer["done"]),
            (Some(wanted.len() as u64), &json!(true)),
            "{soql}"
        );
    }
}

#[test]
fn invalid_soql_is_refused() {
    let mut desk = OrgClient::open();
    for (soql, code) in REFUSED {
        let (status, answer) = desk.query(soql);
        assert_eq!(
            (status, answer[0]["errorCode"].as_str()),
            (400, Some(*code)),
            "{soql}: {answer}"
        );
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
fn children_and_counts() {
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
            first["records"].as_array().unwrap().len()
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
        (
            second["done"].as_bool(),
            second["records"].as_array().unwrap().len()
        ),
        (Some(true), 5)
    );
    assert_eq!(second["records"][4]["Name"], "Firm 204");
    let (status, wrong) = desk.call("GET", "/query/01gnone-2000", &Value::Null);
    assert_eq!(
        (status, wrong[0]["errorCode"].as_str()),
        (400, Some("INVALID_QUERY_LOCATOR"))
    );
}
