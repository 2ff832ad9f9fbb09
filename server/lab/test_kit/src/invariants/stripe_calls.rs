//! I3 and I8: every writing call to Stripe has a key that an earlier committed intent names.

use std::collections::BTreeMap;

use dewy_saga::Event;
use jiff::Timestamp;

use super::Evidence;
use crate::{injected_payments, outside_records::text};

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    // The sandbox's clock is right; a process's clock may have been fast.
    let fast = evidence.clock_error;
    let mut intents: BTreeMap<&str, Timestamp> = BTreeMap::new();
    for row in evidence.found.records.iter().flat_map(|r| &r.rows) {
        if let Event::Intended { request, .. } = &row.event
            && let Some(key) = &request.key
        {
            let first = intents.entry(key).or_insert(row.at);
            *first = (*first).min(row.at);
        }
    }
    for call in evidence.ledger.calls.iter().filter(|c| {
        c["system"] == "stripe"
            && c["method"] == "POST"
            && text(&c["path"]) != "/v1/webhook_endpoints"
    }) {
        let Some(key) = call["idempotency_key"].as_str() else {
            if !evidence.others {
                wrong.push(format!("I3: {} without a key", text(&call["path"])));
            }
            continue;
        };
        let sent: Option<Timestamp> = call["time"].as_str().and_then(|t| t.parse().ok());
        match intents.get(key) {
            None if key.starts_with(injected_payments::KEY_PREFIX) => {}
            // What an installation sends carries its id.
            None if evidence.others && !key.starts_with("ins_") => {}
            None => wrong.push(format!(
                "I3: {key} was sent and no journal holds its intent"
            )),
            Some(at) if sent.is_none_or(|sent| sent + fast < *at) => {
                wrong.push(format!("I8: {key} was sent before its intent"));
            }
            Some(_) => {}
        }
    }
}
