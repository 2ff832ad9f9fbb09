//! I1 for check-ins: when completed, booking and room belong to the guest; when refused or undone,
//! nothing has changed.

use std::collections::{BTreeMap, BTreeSet};

use dewy_saga::{Direction, Event, Outcome, State, journal::ExecutionRecord};
use serde_json::Value;

use super::{CHECK_IN, Evidence, UNDO, WALK_IN, check_outs, facts, is_settled_by_hand, name};
use crate::outside_records::{OutsideRecords, text};

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    let ledger = evidence.ledger;
    let gone = check_outs::settled(evidence);
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    // Bookings that one of them has changed, or may have.
    let mut moved = BTreeSet::new();
    for record in evidence.of(CHECK_IN).filter(|r| {
        !matches!(r.state, State::Refused | State::Compensated) || is_settled_by_hand(r)
    }) {
        if let Some(booking) = facts(record).map(|stay| text(&stay["booking"]["id"])) {
            if record.state == State::Completed {
                *times.entry(booking.clone()).or_default() += 1;
            }
            moved.insert(booking);
        }
    }
    for stay in evidence.of(WALK_IN).filter_map(walked_in) {
        let booking = text(&stay["booking"]["id"]);
        *times.entry(booking.clone()).or_default() += 1;
        moved.insert(booking);
    }
    let mut undone: BTreeMap<String, u32> = BTreeMap::new();
    // Bookings that a person looks after since their check-in was to be undone.
    let mut open = BTreeSet::new();
    for record in evidence.of(UNDO) {
        if let Some(stays) = facts(record) {
            let booking = text(&stays["now"]["booking"]["id"]);
            match record.state {
                State::Completed if !is_settled_by_hand(record) => {
                    *undone.entry(booking).or_default() += 1
                }
                State::Refused if !is_settled_by_hand(record) => {}
                _ => {
                    open.insert(booking);
                }
            }
        }
    }
    for (booking, n) in &mut times {
        *n = n.saturating_sub(undone.get(booking).copied().unwrap_or(0));
        if *n > 1 {
            wrong.push(format!("I1: {booking} was checked in {n} times"));
        }
    }
    for record in evidence.of(WALK_IN) {
        let stay = walked_in(record).map(|stay| (text(&stay["booking"]["id"]), stay));
        let stay = stay.filter(|(id, _)| !gone.contains(id) && !open.contains(id));
        let said = stay.and_then(|(id, stay)| match times.get(&id) {
            Some(0) => not_undone(evidence, stay),
            _ => not_in(evidence, stay),
        });
        wrong.extend(said.map(|said| format!("I1: {}: {said}", name(record))));
    }
    for record in evidence.of(CHECK_IN) {
        let said = match record.state {
            State::Completed if !is_settled_by_hand(record) => facts(record)
                .map(|stay| (text(&stay["booking"]["id"]), stay))
                .filter(|(id, _)| !gone.contains(id) && !open.contains(id))
                .and_then(|(id, stay)| match times.get(&id) {
                    Some(0) => not_undone(evidence, stay),
                    _ => not_in(evidence, stay),
                }),
            // Elsewhere a guest may have come with a stay in any state.
            State::Refused | State::Compensated if !evidence.others => {
                let booking = booking(ledger, record);
                if moved.contains(&text(&booking["Id"])) {
                    None
                } else {
                    not_out(ledger, booking)
                }
            }
            _ => None,
        };
        wrong.extend(said.map(|said| format!("I1: {}: {said}", name(record))));
    }
}

/// Rows as a completed walk-in left them; `None` if it ended as a booking only.
fn walked_in(record: &ExecutionRecord) -> Option<&Value> {
    let completed = record.state == State::Completed && !is_settled_by_hand(record);
    let mut rows = record.rows.iter().filter(|_| completed);
    rows.find_map(|row| match &row.event {
        Event::Settled {
            step,
            direction: Direction::Forward,
            outcome: Outcome::Done(value),
            guard: false,
            ..
        } if step == "move" => value.get("booking").map(|_| value),
        _ => None,
    })
}

/// Booking of the check-in, although it may never have been read.
fn booking<'a>(ledger: &'a OutsideRecords, record: &ExecutionRecord) -> &'a Value {
    match facts(record) {
        Some(stay) => ledger.by_id("Booking__c", &stay["booking"]["id"]),
        None => ledger.booking_of(record.input["guest_email"].as_str().unwrap_or_default()),
    }
}

fn not_in(evidence: &Evidence<'_>, stay: &Value) -> Option<String> {
    let row = |object, part: &str| evidence.ledger.by_id(object, &stay[part]["id"]);
    let guest = &stay["booking"]["guest_id"];
    let (booking, room) = (row("Booking__c", "booking"), row("Hotel_Room__c", "room"));
    let opportunity = row("Opportunity", "opportunity");
    let right = |row: &Value, is: bool| is || evidence.edited_elsewhere(row);
    let all = right(booking, booking["Status__c"] == "Checked In")
        && right(
            room,
            room["Status__c"] == "Occupied" && room["Current_Guest__c"] == *guest,
        )
        && right(opportunity, opportunity["StageName"] == "Checked In");
    (!all).then(|| {
        format!(
            "booking, room and opportunity are {}, {} and {}, the room is {}'s and not {guest}'s",
            booking["Status__c"],
            room["Status__c"],
            opportunity["StageName"],
            room["Current_Guest__c"]
        )
    })
}

/// After an undo: the booking is Reserved again, and the room is not this guest's.
fn not_undone(evidence: &Evidence<'_>, stay: &Value) -> Option<String> {
    let row = |object, part: &str| evidence.ledger.by_id(object, &stay[part]["id"]);
    let (booking, room) = (row("Booking__c", "booking"), row("Hotel_Room__c", "room"));
    let right = |row: &Value, is: bool| is || evidence.edited_elsewhere(row);
    let all = right(booking, booking["Status__c"] == "Reserved")
        && right(
            room,
            room["Current_Guest__c"] != stay["booking"]["guest_id"],
        );
    (!all).then(|| {
        format!(
            "its check-in was undone, but the booking is {} and the room {}'s",
            booking["Status__c"], room["Current_Guest__c"]
        )
    })
}

fn not_out(ledger: &OutsideRecords, booking: &Value) -> Option<String> {
    let room = ledger.by_id("Hotel_Room__c", &booking["Room__c"]);
    let stage = &ledger.by_id("Opportunity", &booking["Opportunity__c"])["StageName"];
    let still = booking["Status__c"] == "Reserved"
        && room["Status__c"] != "Occupied"
        && room["Current_Guest__c"].is_null()
        && stage == "Booking Confirmed";
    (!still && !booking.is_null()).then(|| {
        format!(
            "booking, room and opportunity are {}, {} and {stage}",
            booking["Status__c"], room["Status__c"]
        )
    })
}
