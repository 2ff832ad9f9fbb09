//! I1 and I2: the result of each check-out, compared with the ledgers.

use std::collections::{BTreeMap, BTreeSet};

use dewy_saga::{State, journal::Record};
use serde_json::Value;

use super::{CHECK_OUT, Scene, by_hand, facts, name, reason};
use crate::ledger::{Ledger, cents, text};

pub(super) fn booking(record: &Record) -> Option<String> {
    facts(record).map(|f| text(&f["stay"]["booking"]["id"]))
}

/// Bookings whose state is decided by a check-out: completed, needing a person, or settled by one.
pub(super) fn settled(scene: &Scene<'_>) -> BTreeSet<String> {
    scene
        .of(CHECK_OUT)
        .filter(|r| matches!(r.state, State::Completed | State::NeedsAttention) || by_hand(r))
        .filter_map(booking)
        .collect()
}

pub(super) fn judge(scene: &Scene<'_>, wrong: &mut Vec<String>) {
    let mut charges: BTreeMap<&str, Vec<(i64, i64)>> = BTreeMap::new();
    for payment in scene.ledger.payments.values().filter(|p| p.taken > 0) {
        let owner = payment.owner.as_deref().unwrap_or_default();
        charges
            .entry(owner)
            .or_default()
            .push((payment.taken, payment.given_back));
    }
    let settled = settled(scene);
    let mut standing: BTreeMap<String, u32> = BTreeMap::new();
    for record in scene.of(CHECK_OUT) {
        let id = record.id.to_string();
        let mine = charges.remove(id.as_str()).unwrap_or_default();
        if mine.len() > 1 {
            wrong.push(format!("I2: {id} charged {} times", mine.len()));
        }
        let (taken, given_back) = mine.first().copied().unwrap_or((0, 0));
        if taken > given_back
            && !by_hand(record)
            && let Some(booking) = booking(record)
        {
            *standing.entry(booking).or_default() += 1;
        }
        one(
            scene.ledger,
            record,
            (taken, given_back),
            &settled,
            &mut |text| {
                wrong.push(format!("{}: {text}", name(record)));
            },
        );
    }
    let twice = standing.into_iter().filter(|(_, n)| *n > 1);
    wrong.extend(twice.map(|(booking, n)| format!("I2: {booking} paid {n} times")));
}

fn one(
    ledger: &Ledger,
    record: &Record,
    (taken, given_back): (i64, i64),
    settled: &BTreeSet<String>,
    say: &mut impl FnMut(String),
) {
    let markers = ledger.markers(&record.id.to_string());
    let open = by_hand(record);
    match record.state {
        State::Completed => {
            let Some(facts) = facts(record) else {
                if taken != 0 {
                    say(format!("I1: nothing was to be done, and {taken} was taken"));
                }
                return;
            };
            if Some(taken) != facts["balance"].as_i64() || given_back != 0 || markers != 1 {
                let balance = &facts["balance"];
                say(format!(
                    "I1: balance {balance}, taken {taken}, given back {given_back}, {markers} markers"
                ));
            }
            moved(ledger, facts, open, say);
        }
        State::Refused if !open && (taken != 0 || markers != 0) => {
            say(format!("I1: taken {taken}, {markers} markers"));
        }
        State::Compensated if !open => {
            if taken != given_back {
                say(format!("I1: taken {taken}, given back {given_back}"));
            }
            if let Some(facts) =
                facts(record).filter(|f| !settled.contains(&text(&f["stay"]["booking"]["id"])))
            {
                put_back(ledger, facts, say);
            }
        }
        State::NeedsAttention => match reason(record) {
            Some("FOREIGN_EDIT") if taken != given_back => {
                say(format!("I1: taken {taken}, given back {given_back}"));
            }
            Some("OPEN_BALANCE") => {
                let Some(facts) = facts(record) else { return };
                if Some(taken) != facts["balance"].as_i64() || given_back != 0 || markers != 1 {
                    say(format!(
                        "I1: an open balance, taken {taken}, given back {given_back}, {markers} markers"
                    ));
                }
                moved(ledger, facts, true, say);
            }
            _ => {}
        },
        _ => {}
    }
}

/// Booking, room and opportunity are as after a check-out, and nothing is owed unless reported.
fn moved(ledger: &Ledger, facts: &Value, open: bool, say: &mut impl FnMut(String)) {
    let stay = &facts["stay"];
    let found = [
        &ledger.row("Booking__c", &stay["booking"]["id"])["Status__c"],
        &ledger.row("Hotel_Room__c", &stay["room"]["id"])["Status__c"],
        &ledger.row("Opportunity", &stay["opportunity"]["id"])["StageName"],
    ];
    let owed = ledger.balance(&stay["opportunity"]["id"]);
    if found != ["Checked Out", "Cleaning", "Closed Won"] || (owed != 0 && !open) {
        say(format!(
            "I1: booking, room and opportunity are {found:?}, and {owed} is owed"
        ));
    }
}

/// The stay is as it was read, and the folio owes what was bought, once.
fn put_back(ledger: &Ledger, facts: &Value, say: &mut impl FnMut(String)) {
    let stay = &facts["stay"];
    let row = |object: &str, part: &str| ledger.row(object, &stay[part]["id"]);
    let (booking, room, opportunity) = (
        row("Booking__c", "booking"),
        row("Hotel_Room__c", "room"),
        row("Opportunity", "opportunity"),
    );
    let expected = [
        ("booking", &booking["Status__c"], &stay["booking"]["status"]),
        ("room", &room["Status__c"], &stay["room"]["status"]),
        (
            "room's guest",
            &room["Current_Guest__c"],
            &stay["room"]["current_guest"],
        ),
        (
            "opportunity",
            &opportunity["StageName"],
            &stay["opportunity"]["stage"],
        ),
        (
            "close date",
            &opportunity["CloseDate"],
            &stay["opportunity"]["close_date"],
        ),
        (
            "payment id",
            &opportunity["Payment_ID__c"],
            &stay["opportunity"]["payment_id"],
        ),
    ];
    for (what, found, before) in expected {
        if found != before {
            say(format!("I1: the {what} is {found}, it was {before}"));
        }
    }
    let id = &stay["opportunity"]["id"];
    if Some(cents(&opportunity["Amount"])) != stay["opportunity"]["amount"].as_i64() {
        say(format!(
            "I1: the room costs {}, it cost {} cents",
            opportunity["Amount"], stay["opportunity"]["amount"]
        ));
    }
    // Charges and voids in the meantime count; a payment and its refund don't.
    let (owed, bought) = (ledger.balance(id), ledger.bought(id));
    if owed != bought {
        say(format!(
            "I1: the folio owes {owed}, and {bought} was bought"
        ));
    }
}
