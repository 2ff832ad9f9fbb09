//! The invariants of ARCHITECTURE.md, read from the sandbox's ledger beside the store's journal.

use std::collections::{BTreeMap, BTreeSet};

use dewy_saga::{Event, State, journal::Record};
use dewy_store::VerifyReport;
use jiff::Timestamp;
use serde_json::Value;

use crate::{
    desk::Answer,
    ledger::{Ledger, text},
};

const REASONS: [&str; 9] = [
    "REVERT_FAILED",
    "FOREIGN_EDIT",
    "REFUND_REFUSED",
    "REFUND_FAILED_LATER",
    "UNKNOWN_OUTCOME",
    "OPEN_BALANCE",
    "ORPHAN_OVER_LIMIT",
    "FOREIGN_PAYMENT",
    "DEFINITION_MISSING",
];

/// Everything that is wrong.
pub fn violations(ledger: &Ledger, records: &[Record], verified: &VerifyReport, answers: &[Answer]) -> Vec<String> {
    let mut wrong: Vec<String> = verified.faults.iter().map(|f| format!("I5: {:?}: {}", f.execution, f.what)).collect();
    let known: BTreeMap<String, &Record> = records.iter().map(|r| (r.id.to_string(), r)).collect();
    let mut charges: BTreeMap<&str, Vec<(i64, i64)>> = BTreeMap::new();
    for (id, payment) in &ledger.payments {
        if payment.given_back > payment.taken {
            wrong.push(format!("I2: {id}: {} given back of {}", payment.given_back, payment.taken));
        }
        if payment.taken > 0 {
            charges
                .entry(payment.owner.as_deref().unwrap_or(id))
                .or_default()
                .push((payment.taken, payment.given_back));
        }
    }
    let mut standing: BTreeMap<String, u32> = BTreeMap::new();
    // Stays that are another execution's to judge as well.
    let settled: BTreeSet<String> = records
        .iter()
        .filter(|r| matches!(r.state, State::Completed | State::NeedsAttention))
        .filter_map(booking)
        .collect();
    for (id, record) in &known {
        let mine = charges.remove(id.as_str()).unwrap_or_default();
        if mine.len() > 1 {
            wrong.push(format!("I2: {id} charged {} times", mine.len()));
        }
        let (taken, given_back) = mine.first().copied().unwrap_or((0, 0));
        if taken > given_back
            && let Some(booking) = booking(record)
        {
            *standing.entry(booking).or_default() += 1;
        }
        judge(ledger, record, (taken, given_back), &settled, &mut |text| {
            wrong.push(format!("{id} ({}): {text}", record.state))
        });
    }
    wrong.extend(charges.keys().map(|owner| format!("I8: a charge of {owner}, of which the journal knows nothing")));
    wrong.extend(
        standing.into_iter().filter(|(_, n)| *n > 1).map(|(booking, n)| format!("I2: {booking} paid {n} times")),
    );
    // A compensation's pair of lines carries the execution's name too, with a word after it.
    let name = |id: &String| id.split('#').next().unwrap_or_default().to_owned();
    let strangers = ledger.marked().filter(|id| id.starts_with("exe_") && !known.contains_key(&name(id)));
    wrong.extend(strangers.map(|id| format!("I8: a payment line of {id}, of which the journal knows nothing")));
    calls(ledger, records, &mut wrong);
    told(&known, answers, &mut wrong);
    wrong
}

fn facts(record: &Record) -> Option<&Value> {
    record.rows.iter().find_map(|row| match &row.event {
        Event::Read { facts } if facts.is_object() => Some(facts),
        _ => None,
    })
}

fn booking(record: &Record) -> Option<String> {
    facts(record).map(|f| text(&f["stay"]["booking"]["id"]))
}

/// I1 and I7: how one execution ended, and what the ledgers say to that.
fn judge(
    ledger: &Ledger,
    record: &Record,
    (taken, given_back): (i64, i64),
    settled: &BTreeSet<String>,
    say: &mut impl FnMut(String),
) {
    let markers = ledger.markers(&record.id.to_string());
    match record.state {
        State::Completed => {
            let Some(facts) = facts(record) else {
                if taken != 0 {
                    say(format!("I1: nothing was to be done, and {taken} was taken"));
                }
                return;
            };
            if Some(taken) != facts["balance"].as_i64() || given_back != 0 || markers != 1 {
                say(format!(
                    "I1: balance {}, taken {taken}, given back {given_back}, {markers} markers",
                    facts["balance"]
                ));
            }
            let stay = &facts["stay"];
            let found = [
                &ledger.row("Booking__c", &stay["booking"]["id"])["Status__c"],
                &ledger.row("Hotel_Room__c", &stay["room"]["id"])["Status__c"],
                &ledger.row("Opportunity", &stay["opportunity"]["id"])["StageName"],
            ];
            if found != ["Checked Out", "Cleaning", "Closed Won"] || ledger.balance(&stay["opportunity"]["id"]) != 0 {
                say(format!(
                    "I1: booking, room and opportunity are {found:?}, and {} is owed",
                    ledger.balance(&stay["opportunity"]["id"])
                ));
            }
        }
        State::Refused => {
            if taken != 0 || markers != 0 {
                say(format!("I1: taken {taken}, {markers} markers"));
            }
        }
        State::Compensated => {
            if taken != given_back {
                say(format!("I1: taken {taken}, given back {given_back}"));
            }
            if let Some(facts) = facts(record).filter(|f| !settled.contains(&text(&f["stay"]["booking"]["id"]))) {
                put_back(ledger, facts, say);
            }
        }
        State::NeedsAttention => {
            let reason = record.rows.iter().rev().find_map(|row| match &row.event {
                Event::Ended { reason, .. } => reason.clone(),
                _ => None,
            });
            if !reason.as_deref().is_some_and(|r| REASONS.contains(&r)) {
                say(format!("I1: reason {reason:?} is not on the list"));
            }
            if reason.as_deref() == Some("FOREIGN_EDIT") && taken != given_back {
                say(format!("I1: taken {taken}, given back {given_back}"));
            }
        }
        _ => say(format!("I7: it does not rest; last row: {:?}", record.rows.last().map(|r| &r.event))),
    }
}

/// The stay is as it was read, and the folio owes what it owed, once.
fn put_back(ledger: &Ledger, facts: &Value, say: &mut impl FnMut(String)) {
    let stay = &facts["stay"];
    let row = |object: &str, part: &str| ledger.row(object, &stay[part]["id"]);
    let (booking, room, opportunity) =
        (row("Booking__c", "booking"), row("Hotel_Room__c", "room"), row("Opportunity", "opportunity"));
    let expected = [
        ("booking", &booking["Status__c"], &stay["booking"]["status"]),
        ("room", &room["Status__c"], &stay["room"]["status"]),
        ("room's guest", &room["Current_Guest__c"], &stay["room"]["current_guest"]),
        ("opportunity", &opportunity["StageName"], &stay["opportunity"]["stage"]),
        ("close date", &opportunity["CloseDate"], &stay["opportunity"]["close_date"]),
        ("payment id", &opportunity["Payment_ID__c"], &stay["opportunity"]["payment_id"]),
    ];
    for (what, found, before) in expected {
        if found != before {
            say(format!("I1: the {what} is {found}, it was {before}"));
        }
    }
    let owed = ledger.balance(&stay["opportunity"]["id"]);
    if Some(owed) != facts["balance"].as_i64() {
        say(format!("I1: the folio owes {owed}, it owed {}", facts["balance"]));
    }
}

/// I3 and I8: every writing call to Stripe carries a key that an older committed intent names.
fn calls(ledger: &Ledger, records: &[Record], wrong: &mut Vec<String>) {
    let mut intents: BTreeMap<&str, Timestamp> = BTreeMap::new();
    for record in records {
        for row in &record.rows {
            if let Event::Intended { request, .. } = &row.event
                && let Some(key) = &request.key
            {
                let first = intents.entry(key).or_insert(row.at);
                *first = (*first).min(row.at);
            }
        }
    }
    for call in ledger
        .calls
        .iter()
        .filter(|c| c["system"] == "stripe" && c["method"] == "POST" && text(&c["path"]) != "/v1/webhook_endpoints")
    {
        let Some(key) = call["idempotency_key"].as_str() else {
            wrong.push(format!("I3: {} without a key", text(&call["path"])));
            continue;
        };
        let sent: Option<Timestamp> = call["time"].as_str().and_then(|t| t.parse().ok());
        match intents.get(key) {
            None => wrong.push(format!("I3: {key} was sent and no journal holds its intent")),
            Some(at) if sent.is_none_or(|sent| sent < *at) => {
                wrong.push(format!("I8: {key} was sent before its intent"))
            }
            Some(_) => {}
        }
    }
}

/// I8 and I10: whoever was answered was told the truth, and whoever asked twice was told the same.
fn told(known: &BTreeMap<String, &Record>, answers: &[Answer], wrong: &mut Vec<String>) {
    let mut by_token: BTreeMap<&str, Vec<&Answer>> = BTreeMap::new();
    for answer in answers {
        let Some(id) = &answer.execution else { continue };
        let Some(record) = known.get(id) else {
            wrong.push(format!("I8: {id} was answered, and the store does not have it"));
            continue;
        };
        let fits = match answer.code.as_deref() {
            // An open balance is told to staff; the guest is checked out.
            None => matches!(record.state, State::Completed | State::NeedsAttention),
            Some("CHECKOUT_COMPENSATED") => matches!(record.state, State::Compensated | State::NeedsAttention),
            Some("NEEDS_ATTENTION") => record.state == State::NeedsAttention,
            // A payment that turned up afterwards is given back.
            Some(_) => matches!(record.state, State::Refused | State::Compensated),
        };
        if !fits {
            wrong.push(format!("I10: {id} was answered {:?} and is {}", answer.code, record.state));
        }
        // Refused before its first effect, an execution frees its token.
        if record.state != State::Refused {
            by_token.entry(&answer.token).or_default().push(answer);
        }
    }
    for (token, all) in by_token {
        let differs = all.windows(2).any(|w| match (w.first(), w.last()) {
            (Some(a), Some(b)) => a.execution != b.execution || a.body["data"] != b.body["data"] || a.code != b.code,
            _ => false,
        });
        if differs {
            let ids: Vec<_> = all.iter().map(|a| (&a.execution, &a.code)).collect();
            wrong.push(format!("I10: token {token} was answered differently: {ids:?}"));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod tests;
