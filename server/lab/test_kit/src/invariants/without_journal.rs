//! I2, I11 and I13 as far as the outside systems show them, without the journal.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::Value;

use crate::outside_records::{OutsideRecords, text};

/// Fields that hold a reference of ours, which at most one record may carry.
const REFERENCES: [(&str, &str); 5] = [
    ("Payment_Transaction__c", "External_ID__c"),
    ("Booking__c", "External_ID__c"),
    ("Case", "External_ID__c"),
    ("SMS_Notification__c", "Twilio_Message_SID__c"),
    ("Contact", "Unique_Email__c"),
];

/// Violations that need no journal to be seen.
pub fn ledger_violations(ledger: &OutsideRecords) -> Vec<String> {
    let mut wrong = Vec::new();
    for (id, payment) in &ledger.payments {
        let (taken, given_back) = (payment.taken, payment.refunded);
        if given_back > taken {
            wrong.push(format!("I2: {id}: {given_back} given back of {taken}"));
        }
    }
    for (object, field) in REFERENCES {
        let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
        for reference in ledger.rows(object).iter().filter_map(|r| r[field].as_str()) {
            *rows.entry(reference).or_default() += 1;
        }
        let again = rows.into_iter().filter(|(_, n)| *n > 1);
        wrong.extend(again.map(|(reference, n)| {
            format!("I13: {n} rows of {object} carry the reference {reference}")
        }));
    }
    wrong.extend(shared_nights(ledger));
    wrong
}

/// Rooms with two bookings for one night.
fn shared_nights(ledger: &OutsideRecords) -> Vec<String> {
    let day = |booking: &Value, field: &str| {
        booking[field]
            .as_str()
            .and_then(|day| day.parse::<Date>().ok())
    };
    let mut by_room: BTreeMap<String, Vec<(Date, Date, String)>> = BTreeMap::new();
    for booking in ledger.rows("Booking__c") {
        if booking["Room__c"].is_string()
            && matches!(
                booking["Status__c"].as_str(),
                Some("Reserved" | "Checked In")
            )
            && let (Some(from), Some(to)) = (
                day(booking, "Check_In_Date__c"),
                day(booking, "Check_Out_Date__c"),
            )
        {
            by_room.entry(text(&booking["Room__c"])).or_default().push((
                from,
                to,
                text(&booking["Name"]),
            ));
        }
    }
    let mut found = Vec::new();
    for (room, mut stays) in by_room {
        stays.sort();
        for pair in stays.windows(2) {
            if let [(_, left, one), (comes, _, other)] = pair
                && comes < left
            {
                found.push(format!(
                    "I11: {one} and {other} both have room {room} in the night of {comes}"
                ));
            }
        }
    }
    found
}
