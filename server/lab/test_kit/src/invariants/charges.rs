//! I1 and I13 for charges: exactly one line when completed, however often the request was
//! delivered; none when refused, or granted free of charge. A voided line is canceled.

use std::collections::{BTreeMap, BTreeSet};

use dewy_saga::State;
use serde_json::Value;

use super::{CHARGE, Evidence, GRANT, facts, is_settled_by_hand, name};
use crate::outside_records::{cents, text};

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    let (mut by_owner, mut by_id): (BTreeMap<String, Vec<&Value>>, BTreeMap<String, &Value>) =
        Default::default();
    for line in evidence.ledger.charges() {
        by_id.insert(text(&line["Id"]), line);
        by_owner
            .entry(text(&line["External_ID__c"]))
            .or_default()
            .push(line);
    }
    // Lines that were voided, or may have been.
    let voided: BTreeSet<String> = evidence
        .of(CHARGE)
        .filter(|r| r.state != State::Refused || is_settled_by_hand(r))
        .filter_map(facts)
        .map(|f| text(&f["void"][0]))
        .collect();
    for record in evidence.of(CHARGE).chain(evidence.of(GRANT)) {
        let mine = by_owner.remove(&record.id.to_string()).unwrap_or_default();
        let mut say = |said: String| wrong.push(format!("I1: {}: {said}", name(record)));
        let facts = facts(record).unwrap_or(&Value::Null);
        let free = record.saga == GRANT && facts["fee"].is_null();
        let facts = match record.saga.as_str() {
            GRANT => &facts["fee"],
            _ => facts,
        };
        let void = facts["void"][0].as_str();
        let expected = match record.state {
            _ if void.is_some() || free => 0..=0,
            State::Completed if !is_settled_by_hand(record) => 1..=1,
            State::Refused if !is_settled_by_hand(record) => 0..=0,
            _ => 0..=1,
        };
        if !expected.contains(&mine.len()) {
            say(format!("{} lines of it", mine.len()));
        }
        for line in &mine {
            let right = Some(cents(&line["Amount__c"])) == facts["amount"].as_i64()
                && line["Opportunity__c"] == facts["stay"]["opportunity"]["id"];
            if !right || !matches!(line["Status__c"].as_str(), Some("Pending" | "Cancelled")) {
                say(format!("its line is {line}"));
            }
        }
        if let Some(line) = void.and_then(|id| by_id.get(id))
            && record.state == State::Completed
            && !is_settled_by_hand(record)
            && line["Status__c"] != "Cancelled"
        {
            say(format!("its line is {line}"));
        }
    }
    let strangers = by_owner
        .into_keys()
        .filter(|owner| owner.starts_with("exe_"));
    wrong
        .extend(strangers.map(|owner| format!("I8: a charge's line of {owner}, which posts none")));
    let unvoided = by_id
        .iter()
        .filter(|(id, line)| line["Status__c"] == "Cancelled" && !voided.contains(*id));
    wrong.extend(unvoided.map(|(_, line)| format!("I1: nobody voided {line}")));
}
