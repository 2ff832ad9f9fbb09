//! I14: the last answer about a booking, a case, a comment or a room that only one caller worked on
//! matches Salesforce.

use serde_json::{Value, json};

use super::Evidence;
use crate::{caller_answer::Subject, outside_records::OutsideRecords};

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    for ((subject, name), fields) in &evidence.expected {
        let (object, by) = match subject {
            Subject::Booking => ("Booking__c", "Name"),
            Subject::Case => ("Case", "CaseNumber"),
            Subject::Comment => ("CaseComment", "CommentBody"),
            Subject::Room => ("Hotel_Room__c", "Room_Number__c"),
        };
        // Additional text, such as a reference, doesn't matter.
        let is = |row: &&Value| match subject {
            Subject::Comment => row[by]
                .as_str()
                .is_some_and(|words| words.contains(name.as_str())),
            _ => row[by] == name.as_str(),
        };
        let found: Vec<&Value> = evidence.ledger.rows(object).iter().filter(is).collect();
        let [row] = found.as_slice() else {
            wrong.push(format!(
                "I14: {} records of {subject:?} {name}",
                found.len()
            ));
            continue;
        };
        let now = comparable(evidence.ledger, *subject, row);
        let differs = fields
            .as_object()
            .into_iter()
            .flatten()
            .find(|(field, value)| now[field.as_str()] != **value);
        if let Some((field, value)) = differs {
            wrong.push(format!(
                "I14: {field} of {subject:?} {name} is {}, {value} was told",
                now[field.as_str()]
            ));
        }
    }
}

/// Fields of the record; for a booking also the number of its room.
fn comparable(ledger: &OutsideRecords, subject: Subject, row: &Value) -> Value {
    let mut now = row.clone();
    if subject == Subject::Booking {
        now["room"] = json!(ledger.by_id("Hotel_Room__c", &row["Room__c"])["Room_Number__c"]);
    }
    now
}
