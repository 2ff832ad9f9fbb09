//! I1 and I2: charges by execution, and the result of each check-out, compared with the ledgers.

use std::collections::{BTreeMap, BTreeSet};

use dewy_saga::{Event, ExecutionId, State, journal::ExecutionRecord};
use serde_json::Value;

use super::{CHECK_OUT, Evidence, facts, is_settled_by_hand, name, reason, sent};
use crate::outside_records::{Payment, Refund, cents, list, text};

/// Booking that an execution is about, once it has read its stay.
fn booking(record: &ExecutionRecord) -> Option<String> {
    let booking = facts(record)?["stay"]["booking"]["id"].as_str()?;
    Some(booking.to_owned())
}

/// Bookings whose state is decided by a check-out: completed, settled by a person, or moved and
/// waiting for one.
pub(super) fn settled(evidence: &Evidence<'_>) -> BTreeSet<String> {
    evidence
        .of(CHECK_OUT)
        .filter(|record| match record.state {
            State::Completed => true,
            State::NeedsAttention => sent(record, "move"),
            _ => is_settled_by_hand(record),
        })
        .filter_map(booking)
        .collect()
}

pub(super) fn check(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    let mut charges: BTreeMap<&str, Vec<&Payment>> = BTreeMap::new();
    for payment in evidence.ledger.payments.values().filter(|p| p.taken > 0) {
        let owner = payment.owner.as_deref().unwrap_or_default();
        charges.entry(owner).or_default().push(payment);
    }
    let settled = settled(evidence);
    let mut standing: BTreeMap<String, u32> = BTreeMap::new();
    // A hold names the execution that placed it, and pays for the check-out that captures it.
    let mut captured: BTreeMap<ExecutionId, Vec<&Payment>> = BTreeMap::new();
    for record in evidence
        .of(CHECK_OUT)
        .filter(|record| sent(record, "capture"))
    {
        for id in holds(record) {
            let payment = evidence.ledger.payments.get(&id).filter(|p| p.taken > 0);
            let owner = payment.and_then(|payment| payment.owner.as_deref());
            if let (Some(payment), Some(of)) = (payment, charges.get_mut(owner.unwrap_or_default()))
            {
                of.retain(|other| !std::ptr::eq(*other, payment));
                captured.entry(record.id).or_default().push(payment);
            }
        }
    }
    for record in &evidence.found.records {
        let id = record.id.to_string();
        let mut mine = charges.remove(id.as_str()).unwrap_or_default();
        let of_holds = captured.remove(&record.id);
        // Of a hold and a second one, or of one of them and the card in place of the other.
        let most = if holds(record).is_empty() { 1 } else { 2 };
        mine.extend(of_holds.into_iter().flatten());
        if mine.len() > most {
            wrong.push(format!("I2: {id} charged {} times", mine.len()));
        }
        let payment = sum(&mine);
        if payment.taken > payment.refunded
            && !is_settled_by_hand(record)
            && let Some(booking) = booking(record)
        {
            *standing.entry(booking).or_default() += 1;
        }
        if record.saga == CHECK_OUT {
            one(evidence, record, &payment, &settled, &mut |text| {
                wrong.push(format!("{}: {text}", name(record)));
            });
        }
    }
    let twice = standing.into_iter().filter(|(_, n)| *n > 1);
    wrong.extend(twice.map(|(booking, n)| format!("I2: {booking} paid {n} times")));
}

/// Holds that check-outs found: what is captured of them is theirs.
pub(super) fn captured_holds(evidence: &Evidence<'_>) -> BTreeSet<String> {
    evidence.of(CHECK_OUT).flat_map(holds).collect()
}

/// Holds that a check-out found.
fn holds(record: &ExecutionRecord) -> Vec<String> {
    let found = facts(record).map(|facts| list(&facts["holds"]));
    let ids = found.unwrap_or_default().iter();
    ids.map(|hold| text(&hold["id"])).collect()
}

/// Several payments as one.
fn sum(payments: &[&Payment]) -> Payment {
    let mut all = payments.iter();
    let mut sum = all.next().map(|one| (*one).clone()).unwrap_or_default();
    for other in all {
        sum.taken += other.taken;
        sum.refunded += other.refunded;
        sum.refunds.extend(other.refunds.iter().cloned());
    }
    sum
}

/// What a check-out could not collect: a case about it is open, and the folio owes it.
fn uncollected(evidence: &Evidence<'_>, record: &ExecutionRecord, taken: i64) -> Option<i64> {
    let facts = facts(record).filter(|_| !holds(record).is_empty())?;
    let left = facts["balance"].as_i64()? - taken;
    let id = record.id.to_string();
    let mut cases = evidence.ledger.rows("Case").iter();
    let told = cases.any(|case| case["External_ID__c"] == id.as_str());
    let folio = text(&facts["stay"]["opportunity"]["id"]);
    let owed = evidence.ledger.balance(&folio);
    (left > 0 && told && owed >= left).then_some(left)
}

fn one(
    evidence: &Evidence<'_>,
    record: &ExecutionRecord,
    payment: &Payment,
    settled: &BTreeSet<String>,
    say: &mut impl FnMut(String),
) {
    let (taken, given_back) = (payment.taken, payment.refunded);
    let markers = evidence.ledger.markers(&record.id.to_string());
    let open = is_settled_by_hand(record);
    let completed = |facts: &Value, open: bool, say: &mut dyn FnMut(String)| {
        let unseen = given_back != 0 && !payment.refunds.iter().all(|r| shown(evidence, r));
        let left = uncollected(evidence, record, taken).filter(|_| open);
        if Some(taken + left.unwrap_or(0)) != facts["balance"].as_i64() || unseen || markers != 1 {
            let balance = &facts["balance"];
            say(format!(
                "I1: balance {balance}, taken {taken}, given back {given_back}, {markers} markers"
            ));
        }
        moved(evidence, facts, open, say);
    };
    match (record.state, facts(record)) {
        (State::Completed, Some(facts)) => completed(facts, open, say),
        (State::Completed, None) if taken != 0 => {
            say(format!("I1: nothing was to be done, and {taken} was taken"));
        }
        (State::Refused, _) if !open && (taken != 0 || markers != 0) => {
            say(format!("I1: taken {taken}, {markers} markers"));
        }
        (State::Compensated, facts) if !open => {
            if taken != given_back {
                say(format!("I1: taken {taken}, given back {given_back}"));
            }
            let alone = |f: &&Value| !settled.contains(&text(&f["stay"]["booking"]["id"]));
            if let Some(facts) = facts.filter(alone) {
                put_back(evidence, facts, say);
            }
        }
        (State::NeedsAttention, facts) => match (reason(record), facts) {
            (Some("FOREIGN_EDIT"), _) if taken != given_back => {
                // A completed check-out whose records others changed at once is still valid.
                let decided = |event: &Event| matches!(event, Event::Decided { .. });
                let back = record.rows.iter().any(|row| decided(&row.event));
                if back || markers != 1 || !evidence.others {
                    say(format!("I1: taken {taken}, given back {given_back}"));
                }
            }
            (Some("OPEN_BALANCE"), Some(facts)) => completed(facts, true, say),
            _ => {}
        },
        _ => {}
    }
}

/// Whether others made this refund, which is not undone, and a person was shown it.
fn shown(evidence: &Evidence<'_>, refund: &Refund) -> bool {
    let fact = ("fact".to_owned(), format!("refunded:{}", refund.id));
    let records = &evidence.found.records;
    evidence.others
        && refund.installation.is_none()
        && records.iter().any(|record| record.labels.contains(&fact))
}

/// Booking, room and opportunity are as after a check-out, and nothing is owed unless reported.
fn moved(evidence: &Evidence<'_>, facts: &Value, open: bool, say: &mut dyn FnMut(String)) {
    let found = [
        ("Booking__c", "booking", "Status__c", "", "Checked Out"),
        ("Hotel_Room__c", "room", "Status__c", "status", "Cleaning"),
        (
            "Opportunity",
            "opportunity",
            "StageName",
            "stage",
            "Closed Won",
        ),
    ]
    .map(|(object, part, field, before, expected)| {
        let stay = &facts["stay"][part];
        let row = evidence.ledger.by_id(object, &stay["id"]);
        // A flow of the org may change a room or an opportunity in the very save that moves it.
        let flow = evidence.others && !before.is_empty() && row[field] != stay[before];
        // What somebody set during the stay is not the check-out's to change
        let usual = ["Occupied", "Vacant", "Cleaning", ""];
        let closed = part == "room" && !usual.contains(&stay[before].as_str().unwrap_or_default());
        let kept = closed && row[field] == stay[before];
        let right = row[field] == expected || kept || flow || evidence.edited_elsewhere(row);
        (&row[field], right)
    });
    let opportunity = text(&facts["stay"]["opportunity"]["id"]);
    let owed = evidence.ledger.balance(&opportunity);
    if found.iter().any(|(_, right)| !right) || (owed != 0 && !open) {
        let found = found.map(|(is, _)| is);
        say(format!(
            "I1: booking, room and opportunity are {found:?}, and {owed} is owed"
        ));
    }
}

/// The stay is as it was read, and the folio owes what was bought since, once.
fn put_back(evidence: &Evidence<'_>, facts: &Value, say: &mut impl FnMut(String)) {
    let stay = &facts["stay"];
    for (what, object, part, field, before) in [
        ("booking", "Booking__c", "booking", "Status__c", "status"),
        ("room", "Hotel_Room__c", "room", "Status__c", "status"),
        (
            "room's guest",
            "Hotel_Room__c",
            "room",
            "Current_Guest__c",
            "current_guest",
        ),
        (
            "opportunity",
            "Opportunity",
            "opportunity",
            "StageName",
            "stage",
        ),
        (
            "close date",
            "Opportunity",
            "opportunity",
            "CloseDate",
            "close_date",
        ),
        (
            "payment id",
            "Opportunity",
            "opportunity",
            "Payment_ID__c",
            "payment_id",
        ),
    ] {
        let row = evidence.ledger.by_id(object, &stay[part]["id"]);
        let theirs = part != "booking" && evidence.edited_elsewhere(row);
        // A room without a status is read as one with the empty word
        let empty = row[field].is_null() && stay[part][before] == "";
        if row[field] != stay[part][before] && !empty && !theirs {
            say(format!(
                "I1: the {what} is {}, it was {}",
                row[field], stay[part][before]
            ));
        }
    }
    let opportunity = evidence
        .ledger
        .by_id("Opportunity", &stay["opportunity"]["id"]);
    let (costs, cost) = (&opportunity["Amount"], &stay["opportunity"]["amount"]);
    if Some(cents(costs)) != cost.as_i64() && !evidence.edited_elsewhere(opportunity) {
        say(format!("I1: the room costs {costs}, it cost {cost} cents"));
    }
    // Charges and voids in the meantime count; a payment and its refund don't.
    let standing = |line: &&Value| {
        line["kind"] == "charge" && !matches!(line["status"].as_str(), Some("Cancelled" | "Failed"))
    };
    let charged = list(&stay["lines"]).iter().filter(standing);
    let charged: i64 = charged.filter_map(|line| line["amount"].as_i64()).sum();
    let before = cost.as_i64().unwrap_or(0) + charged;
    let paid = before - facts["balance"].as_i64().unwrap_or(before);
    let id = text(&stay["opportunity"]["id"]);
    let (owed, bought) = (evidence.ledger.balance(&id), evidence.ledger.purchases(&id));
    if owed != bought - paid {
        say(format!(
            "I1: the folio owes {owed}, and {bought} was bought, {paid} of it paid before"
        ));
    }
}
