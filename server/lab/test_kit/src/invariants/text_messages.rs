//! No text message is sent twice, and none that is owed is lost.

use std::collections::{BTreeMap, BTreeSet};

use dewy_saga::{Direction, Event, Outcome, State, journal::ExecutionRecord};

use super::{BOOK, CHECK_IN, CHECK_OUT, Evidence, TEXT, WALK_IN, name};

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    let mut sent: BTreeMap<&(String, String), u32> = BTreeMap::new();
    let messages = evidence.ledger.messages();
    for message in &messages {
        *sent.entry(message).or_default() += 1;
    }
    let mut allowed: BTreeMap<&(String, String), u32> = BTreeMap::new();
    for text in &evidence.extra_texts {
        *allowed.entry(text).or_default() += 1;
    }
    let twice = sent
        .iter()
        .filter(|(text, n)| **n > 1 + allowed.get(*text).copied().unwrap_or(0));
    wrong.extend(twice.map(|((to, body), n)| format!("{to} was sent {body:?} {n} times")));
    let bodies: BTreeSet<&str> = messages.iter().map(|(_, body)| body.as_str()).collect();
    if evidence.found.unsent_texts > 0 {
        wrong.push(format!(
            "{} texts are owed, and nobody sends them",
            evidence.found.unsent_texts
        ));
    }
    let begun: BTreeSet<&str> = evidence
        .of(TEXT)
        .filter_map(|r| r.token.as_deref())
        .collect();
    for record in &evidence.found.records {
        let (text, sent) = (
            record.saga == TEXT,
            record
                .answer
                .as_ref()
                .is_some_and(|a| a["data"]["sent"] == true),
        );
        let body = record.input["body"].as_str().unwrap_or_default();
        if text && sent && record.state == State::Completed && !bodies.contains(body) {
            wrong.push(format!(
                "{}: it counts as sent, and is not there: {body:?}",
                name(record)
            ));
        }
        if let Some(what) = owed_text(record)
            && !begun.contains(format!("{}:{what}", record.id).as_str())
        {
            wrong.push(format!("{}: its message was never begun", name(record)));
        }
    }
}

/// Message that an execution owes its guest.
fn owed_text(record: &ExecutionRecord) -> Option<&'static str> {
    let done = |name: &str, wanted: Direction| {
        record.rows.iter().any(|row| match &row.event {
            Event::Settled {
                step,
                direction,
                outcome: Outcome::Done(_),
                guard: false,
                ..
            } => step == name && *direction == wanted,
            _ => false,
        })
    };
    match (record.saga.as_str(), record.state) {
        (CHECK_IN, State::Completed) if done("move", Direction::Forward) => Some("check_in"),
        (CHECK_OUT, State::Completed) if done("move", Direction::Forward) => Some("check_out"),
        (BOOK, State::Completed) if done("book", Direction::Forward) => Some("booking"),
        (WALK_IN, State::Completed) if done("move", Direction::Forward) => Some("check_in"),
        (CHECK_OUT, State::Compensated) if done("pay", Direction::Back) => Some("refund"),
        _ => None,
    }
}
