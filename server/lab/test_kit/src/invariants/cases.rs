//! I1 for cases: an execution that opens a case has opened exactly one, and none if it was refused.

use std::collections::BTreeMap;

use dewy_saga::{State, journal::ExecutionRecord};

use super::{
    CASES, CHECK_OUT, DEFECT, Evidence, LATE_CHECKOUT, RENEW, REQUEST, facts, is_settled_by_hand,
    name, sent,
};
use crate::outside_records::text;

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    let mut by_owner: BTreeMap<String, usize> = BTreeMap::new();
    for case in evidence.ledger.rows("Case") {
        *by_owner.entry(text(&case["External_ID__c"])).or_default() += 1;
    }
    for record in [REQUEST, DEFECT, LATE_CHECKOUT, CASES]
        .into_iter()
        .flat_map(|tool| evidence.of(tool))
    {
        let mine = by_owner.remove(&record.id.to_string()).unwrap_or(0);
        let expected = match record.state {
            _ if !opens(record) => 0..=0,
            State::Completed if !is_settled_by_hand(record) => 1..=1,
            State::Refused if !is_settled_by_hand(record) => 0..=0,
            _ => 0..=1,
        };
        if !expected.contains(&mine) {
            wrong.push(format!("I1: {}: {mine} cases of it", name(record)));
        }
    }
    // A check-out whose balance no card paid, and a hold that can't be renewed, tell the front desk.
    let told = [CHECK_OUT, RENEW]
        .into_iter()
        .flat_map(|saga| evidence.of(saga));
    for record in told.filter(|record| sent(record, "open")) {
        let mine = by_owner.remove(&record.id.to_string()).unwrap_or(0);
        if mine > 1 {
            wrong.push(format!("I1: {}: {mine} cases of it", name(record)));
        }
    }
    let strangers = by_owner
        .into_keys()
        .filter(|owner| owner.starts_with("exe_"));
    wrong.extend(strangers.map(|owner| format!("I8: a case of {owner}, which opens none")));
}

/// Whether it opens a case rather than changing one.
fn opens(record: &ExecutionRecord) -> bool {
    match record.saga.as_str() {
        CASES => record.input["case_number"].is_null() && facts(record).is_some(),
        // Whoever asks again for the same has one case
        LATE_CHECKOUT => facts(record).is_some(),
        _ => true,
    }
}
