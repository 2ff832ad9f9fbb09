//! Replaces ids, times and URLs with placeholders, so that results of two hotels can be compared.

use dewy_saga::journal::ExecutionRecord;
use jiff::Timestamp;

use crate::prelude::*;

/// Prefixes of ids.
const IDS: [&str; 9] = [
    "ins_", "exe_", "pi_", "ch_", "re_", "cus_", "pm_1", "evt_", "SM",
];

/// Names ids by the order in which they were first seen.
pub struct Normalizer {
    names: BTreeMap<String, String>,
    addresses: [String; 2],
}

impl Normalizer {
    pub fn of(hotel: &TestHotel) -> Self {
        let sandbox = hotel.server.sandbox_url.clone().unwrap();
        Self {
            names: BTreeMap::new(),
            addresses: [hotel.server.public_url.clone(), sandbox],
        }
    }

    /// The value with placeholders.
    pub fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => json!(self.text(text)),
            Value::Object(map) => map
                .iter()
                .map(|(key, value)| (key.clone(), self.value(value)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
            Value::Array(items) => items.iter().map(|value| self.value(value)).collect(),
            other => other.clone(),
        }
    }

    fn text(&mut self, text: &str) -> String {
        if text.parse::<Timestamp>().is_ok() {
            return "<time>".to_owned();
        }
        if text.starts_with("worker-") {
            return "<worker>".to_owned();
        }
        let mut text = text.to_owned();
        for (n, address) in self.addresses.iter().enumerate() {
            text = text.replace(address.as_str(), &format!("<address {n}>"));
        }
        // Audit texts name the interface
        text = text
            .replace(" through mcp", " through <interface>")
            .replace(" through rest", " through <interface>");
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some(begin) = rest.find(word) {
            let end = rest[begin..]
                .find(|c| !word(c))
                .map_or(rest.len(), |length| begin + length);
            out.push_str(&rest[..begin]);
            out.push_str(&self.name(&rest[begin..end]));
            rest = &rest[end..];
        }
        out + rest
    }

    fn name(&mut self, word: &str) -> String {
        let Some(kind) = IDS
            .iter()
            .find(|kind| word.starts_with(*kind) && word.len() > kind.len() + 6)
        else {
            return word.to_owned();
        };
        // A check-out's own card names and the like have no digits.
        if !word[kind.len()..].contains(|c: char| c.is_ascii_digit()) {
            return word.to_owned();
        }
        let next = self.names.len();
        self.names
            .entry(word.to_owned())
            .or_insert_with(|| format!("<{kind}{next}>"))
            .clone()
    }

    /// An execution without its ids, times and interface.
    pub fn execution(&mut self, record: &ExecutionRecord) -> Value {
        let mut input = record.input.clone();
        if let Some(by) = input["_by"].as_object_mut() {
            by.remove("credential");
            by.remove("request");
        }
        let journal = record
            .rows
            .iter()
            .map(|row| serde_json::to_value(&row.event).unwrap());
        // The moment at which a webhook arrives varies: skip signals.
        let journal = journal.filter(|event| event["event"] != "heard");
        let journal = each_once(journal.map(|event| {
            json!([
                event["event"],
                event["step"],
                event["way"],
                event["outcome"]["outcome"]
            ])
        }));
        let trail = each_once(record.audit.iter().map(|row| json!([row.from, row.to])));
        let whole = json!({
            "saga": record.saga, "version": record.version, "caller": record.caller, "state": record.state,
            "input": input, "labels": record.labels, "answer": record.answer, "journal": journal, "trail": trail,
        });
        self.value(&whole)
    }
}

/// Each distinct row once, in order: the number of retries varies, what was tried does not.
fn each_once(rows: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut seen = Vec::new();
    for row in rows {
        if !seen.contains(&row) {
            seen.push(row);
        }
    }
    seen
}
