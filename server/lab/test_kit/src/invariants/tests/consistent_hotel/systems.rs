//! State of the consistent hotel's outside systems.

use serde_json::{Value, json};

use super::{
    super::ledger_rows::{line, payment, refund},
    ASKED_FOR, BOOKED, CHARGED, CHECKED_OUT, COMPENSATED, LOST, id,
};

/// Records that agree with the journals of `executions.rs`.
pub(super) fn systems() -> Value {
    let booking = |name: &str, status: &str| {
        json!({ "Id": format!("b-{name}"), "Status__c": status, "Room__c": format!("r-{name}"),
        "Opportunity__c": format!("o-{name}"), "Primary_Guest__c": format!("c-{name}") })
    };
    let booked = |id: &str, owner: &str, from: &str, to: &str| {
        json!({ "Id": id, "Name": id, "External_ID__c": owner, "Status__c": "Reserved", "Room__c": "r-booked",
            "Check_In_Date__c": from, "Check_Out_Date__c": to })
    };
    let room = |name: &str, status: &str, guest: Value| json!({ "Id": format!("r-{name}"), "Status__c": status, "Current_Guest__c": guest });
    let opportunity = |name: &str, stage: &str| json!({ "Id": format!("o-{name}"), "StageName": stage, "Amount": 250.0, "CloseDate": null, "Payment_ID__c": null });
    let contact = |name: &str| json!({ "Id": format!("c-{name}"), "Email": format!("{name}@x") });
    let (lost, carl, beth) = (id(LOST), id(COMPENSATED), id(CHECKED_OUT));
    json!({
        "stripe": {
            "payment_intents": [
                payment("pi_beth", 25_000, Some(&beth)), payment("pi_carl", 25_000, Some(&carl)),
                payment("pi_lost", 8_000, Some(&lost)), payment("pi_foreign", 9_000, None),
                payment("pi_large", 90_000, Some("exe_large")),
            ],
            "refunds": [refund("re_carl", "pi_carl", 25_000), refund("re_lost", "pi_lost", 8_000)],
        },
        "salesforce": {
            "Contact": [contact("sarah"), contact("noah")],
            "Booking__c": [
                booking("beth", "Checked Out"), booking("carl", "Checked In"), booking("sarah", "Checked In"),
                booking("noah", "Reserved"), booking("wei", "Checked In"),
                booked("b-1", &id(BOOKED), "2030-03-01", "2030-03-03"), booked("b-2", "by-hand", "2030-03-03", "2030-03-04"),
            ],
            "Case": [{ "Id": "k-1", "CaseNumber": "00001001", "External_ID__c": id(ASKED_FOR), "Status": "New" }],
            "CaseComment": [{ "Id": "m-1", "CommentBody": "Seen to, 1" }],
            "Hotel_Room__c": [
                room("beth", "Cleaning", Value::Null), room("carl", "Occupied", json!("c-carl")),
                room("sarah", "Occupied", json!("c-sarah")), room("noah", "Cleaning", Value::Null),
                room("wei", "Occupied", json!("c-wei")),
                { "Id": "r-booked", "Room_Number__c": "B1", "Status__c": "Vacant" },
            ],
            "Opportunity": [
                opportunity("beth", "Closed Won"), opportunity("carl", "Checked In"), opportunity("sarah", "Checked In"),
                opportunity("noah", "Booking Confirmed"), opportunity("wei", "Checked In"),
            ],
            "Payment_Transaction__c": [
                line("l-1", "beth", "Payment", &beth, "Completed", 250.0),
                line("l-2", "carl", "Payment", &format!("{carl}#payment"), "Completed", 250.0),
                line("l-3", "carl", "Refund", &format!("{carl}#refund"), "Completed", 250.0),
                line("l-4", "wei", "Charge", &id(CHARGED), "Pending", 50.0),
                line("l-void", "wei", "Charge", "by-hand", "Cancelled", 9.0),
                line("l-5", "wei", "Payment", &format!("{lost}#payment"), "Completed", 80.0),
                line("l-6", "wei", "Refund", &format!("{lost}#refund"), "Completed", 80.0),
            ],
        },
        "twilio": { "messages": [{ "to": "+12125550101", "body": "Welcome" }] },
        "calls": [],
    })
}
