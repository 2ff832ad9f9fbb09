//! Realistic orgs and accounts (W2, W3, W14), as cases of the generic loops: validation rules, keys
//! with fewer permissions, empty fields. Rules and keys are fixed with the other faults; empty
//! fields stay empty.

use super::fault_cases::Case;
use crate::prelude::*;

/// Optional fields that a check-out reads.
const STAY: [(&str, &[&str]); 5] = [
    (
        "Booking__c",
        &[
            "Check_In_Date__c",
            "Check_Out_Date__c",
            "External_ID__c",
            "Number_of_Guests__c",
            "Room__c",
            "Status__c",
        ],
    ),
    (
        "Hotel_Room__c",
        &[
            "Status__c",
            "Current_Guest__c",
            "Nightly_Rate__c",
            "Max_Occupancy__c",
            "Room_Type__c",
        ],
    ),
    (
        "Opportunity",
        &[
            "Amount",
            "Payment_ID__c",
            "Arrival_Date__c",
            "Departure_Date__c",
        ],
    ),
    (
        "Contact",
        &["FirstName", "Phone", "MobilePhone", "Contact_Type__c"],
    ),
    (
        "Payment_Transaction__c",
        &[
            "Amount__c",
            "Status__c",
            "Transaction_Type__c",
            "Transaction_Date__c",
            "External_ID__c",
        ],
    ),
];

/// The same for all other sagas, except for the fields that their scenes search by.
const OTHER_SAGAS: [(&str, &[&str]); 6] = [
    (
        "Booking__c",
        &[
            "Check_In_Date__c",
            "Check_Out_Date__c",
            "Number_of_Guests__c",
        ],
    ),
    (
        "Hotel_Room__c",
        &[
            "Nightly_Rate__c",
            "Max_Occupancy__c",
            "Room_Type__c",
            "Bed_Configuration__c",
            "Square_Footage__c",
        ],
    ),
    (
        "Opportunity",
        &["Amount", "Arrival_Date__c", "Departure_Date__c"],
    ),
    (
        "Contact",
        &["FirstName", "Phone", "MobilePhone", "Contact_Type__c"],
    ),
    (
        "Case",
        &[
            "Subject",
            "Description",
            "Priority",
            "Type",
            "ContactId",
            "Booking__c",
            "Room__c",
        ],
    ),
    (
        "Payment_Transaction__c",
        &["Amount__c", "Status__c", "Transaction_Type__c"],
    ),
];

/// Fields of Stripe's responses that some release has omitted.
const ANSWERS: [&str; 8] = [
    "payment_intent.amount_received",
    "payment_intent.latest_charge",
    "payment_intent.status",
    "charge.amount_captured",
    "charge.payment_method_details",
    "charge.receipt_url",
    "refund.status",
    "refund.amount",
];

fn blanks(fields: &[(&'static str, &'static [&'static str])]) -> Vec<Case> {
    fields
        .iter()
        .flat_map(|(object, fields)| fields.iter().map(|field| Case::Blank(object, field)))
        .collect()
}

fn key(settings: KeySettings) -> Case {
    Case::Key(settings)
}

/// A revoked key, and one without permission for each of these operations.
fn keys(operations: &[&str]) -> Vec<Case> {
    let revoked = key(KeySettings {
        revoked: true,
        ..KeySettings::default()
    });
    let lacks = operations.iter().map(|operation| {
        key(KeySettings {
            lacks: vec![(*operation).to_owned()],
            ..KeySettings::default()
        })
    });
    lacks.chain([revoked]).collect()
}

/// All cases of a check-out.
pub fn of_a_stay() -> Vec<Case> {
    let rules = [
        Case::Rule("Booking__c", None),
        Case::Rule("Booking__c", Some(("Status__c", "Checked Out"))),
        Case::Rule("Hotel_Room__c", Some(("Status__c", "Cleaning"))),
        Case::Rule("Opportunity", Some(("StageName", "Closed Won"))),
        Case::Rule("Opportunity", None),
        Case::Rule("Payment_Transaction__c", None),
        Case::Rule(
            "Payment_Transaction__c",
            Some(("Transaction_Type__c", "Refund")),
        ),
    ];
    let operations = [
        "account_retrieve",
        "customers",
        "payment_intent_create",
        "payment_intent_list",
        "payment_intent_retrieve",
        "refund_create",
        "refund_retrieve",
    ];
    let omitted = ANSWERS.map(Case::Omit);
    [
        rules.to_vec(),
        keys(&operations),
        blanks(&STAY),
        omitted.to_vec(),
    ]
    .concat()
}

/// All cases of another saga that uses these systems.
pub fn is_front_desk(operations: &[(System, &'static str)]) -> Vec<Case> {
    let objects = [
        "Booking__c",
        "Hotel_Room__c",
        "Opportunity",
        "Contact",
        "Case",
        "CaseComment",
    ];
    let rules = objects
        .into_iter()
        .chain(["Payment_Transaction__c", "SMS_Notification__c"]);
    let mut cases: Vec<Case> = rules
        .map(|object| Case::Rule(object, None))
        .chain([Case::Duplicates])
        .collect();
    cases.extend(blanks(&OTHER_SAGAS));
    let stripe: Vec<&str> = operations
        .iter()
        .filter(|(s, _)| *s == System::Stripe)
        .map(|(_, name)| *name)
        .collect();
    if !stripe.is_empty() {
        cases.extend(keys(&stripe));
        cases.extend(ANSWERS.map(Case::Omit));
    }
    cases
}
