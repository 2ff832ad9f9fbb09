//! I1 for bookings: exactly one when completed, none when refused.

use std::collections::BTreeMap;

use dewy_saga::State;
use serde_json::Value;

use super::{BOOK, Evidence, WALK_IN, is_settled_by_hand, name};
use crate::outside_records::text;

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    let mut by_owner: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for booking in evidence.ledger.rows("Booking__c") {
        by_owner
            .entry(text(&booking["External_ID__c"]))
            .or_default()
            .push(booking);
    }
    for record in evidence.of(BOOK).chain(evidence.of(WALK_IN)) {
        let mine = by_owner.remove(&record.id.to_string()).unwrap_or_default();
        let standing = mine
            .iter()
            .filter(|booking| booking["Status__c"] != "Cancelled")
            .count();
        let right = match record.state {
            _ if is_settled_by_hand(record) => mine.len() <= 1,
            // It may have been canceled since, by a separate call.
            State::Completed => mine.len() == 1,
            State::Refused => mine.is_empty(),
            State::Compensated => mine.len() <= 1 && standing == 0,
            _ => mine.len() <= 1,
        };
        if !right {
            wrong.push(format!(
                "I1: {}: {} bookings of it, {standing} of them stand",
                name(record),
                mine.len()
            ));
        }
    }
    let strangers = by_owner
        .into_keys()
        .filter(|owner| owner.starts_with("exe_"));
    wrong.extend(strangers.map(|owner| format!("I8: a booking of {owner}, which books none")));
}
