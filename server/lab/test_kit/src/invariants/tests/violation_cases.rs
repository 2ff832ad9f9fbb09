//! What each case breaks, and the expected violation.

use dewy_saga::{
    Direction, End, Event, ExecutionId, Request, SignalAction, journal::ExecutionRecord,
};
use jiff::SignedDuration;
use serde_json::json;

use super::{
    consistent_hotel::{
        BOOKED, CHARGED, CHECKED_IN, CHECKED_OUT, COMPENSATED, ConsistentHotel, FLAGGED,
        GIVEN_BACK, LOOKING, LOST, NOT_BOOKED, NOT_CHARGED, TEXTED, answer, consistent_hotel, id,
    },
    journal::{NOW, ended, needs, read, record, reopened, row},
    ledger_rows::{line, payment, refund},
};
use crate::{
    caller_answer::CallerAnswer,
    injected_payments::Kind,
    invariants::installations::Owners,
    tool_names::{CHARGE, CHECK_IN, CHECK_OUT, COMPENSATE, UNDO},
};

fn two_owners() -> Owners {
    let owner = |n, installation: &str| (id(n), installation.to_owned());
    Owners::from([owner(COMPENSATED, "ins_a"), owner(GIVEN_BACK, "ins_b")])
}

type Corruption = fn(&mut ConsistentHotel);

/// (invariant, text of the violation, what is broken)
const CASES: &[(&str, &str, Corruption)] = &[
    ("I2", "charged 2 times", |h| {
        let one = payment("pi_2", 25_000, Some(&id(CHECKED_OUT)));
        h.list("stripe", "payment_intents").push(one);
    }),
    ("I8", "a charge of exe_nobody", |h| {
        h.list("stripe", "payment_intents")
            .push(payment("pi_2", 25_000, Some("exe_nobody")));
    }),
    ("I1", "given back 25000", |h| {
        h.list("stripe", "refunds")
            .push(refund("re_2", "pi_beth", 25_000))
    }),
    ("I2", "25001 given back of 25000", |h| {
        h.list("stripe", "refunds")
            .push(refund("re_2", "pi_beth", 25_001))
    }),
    ("I1", "booking, room and opportunity are", |h| {
        h.row("Booking__c", "Id", "b-beth")["Status__c"] = json!("Checked In")
    }),
    ("I1", "0 markers", |h| {
        h.list("salesforce", "Payment_Transaction__c")
            .retain(|l| l["Id"] != "l-1")
    }),
    ("I3", "no journal holds its intent", |h| {
        h.state["calls"] = json!([{ "system": "stripe", "method": "POST", "path": "/v1/refunds", "idempotency_key": "refund:pi_1:1" }]);
    }),
    ("I3", "without a key", |h| {
        h.state["calls"] = json!([{ "system": "stripe", "method": "POST", "path": "/v1/refunds", "idempotency_key": null }]);
    }),
    // Compensated.
    ("I1", "the booking is", |h| {
        h.row("Booking__c", "Id", "b-carl")["Status__c"] = json!("Checked Out")
    }),
    ("I1", "the folio owes 50000, and 25000 was bought", |h| {
        h.list("salesforce", "Payment_Transaction__c")
            .retain(|l| l["Id"] != "l-2");
    }),
    ("I2", "was given back 2 times", |h| {
        h.list("stripe", "refunds")[0]["amount"] = json!(12_500);
        h.list("stripe", "refunds")
            .push(refund("re_2", "pi_carl", 12_500));
    }),
    ("I10", "has no compensation record", |h| {
        h.compensations.retain(|c| c.key != "pi_carl")
    }),
    ("I10", "record names", |h| {
        h.compensations[0].body["refund_id"] = json!("re_other")
    }),
    ("I1", "record says compensated", |h| {
        h.list("stripe", "refunds").retain(|r| r["id"] != "re_carl")
    }),
    ("I7", "record is still refunding", |h| {
        h.compensations[0].body["status"] = json!("refunding")
    }),
    // Check-ins.
    ("I1", "the room is", |h| {
        h.row("Hotel_Room__c", "Id", "r-sarah")["Current_Guest__c"] = json!("c-noah")
    }),
    ("I1", "booking, room and opportunity are", |h| {
        h.row("Booking__c", "Id", "b-sarah")["Status__c"] = json!("Reserved")
    }),
    ("I1", "booking, room and opportunity are", |h| {
        h.row("Opportunity", "Id", "o-sarah")["StageName"] = json!("Booking Confirmed")
    }),
    ("I1", "booking, room and opportunity are", |h| {
        h.row("Booking__c", "Id", "b-noah")["Status__c"] = json!("Checked In")
    }),
    ("I1", "booking, room and opportunity are", |h| {
        h.row("Hotel_Room__c", "Id", "r-noah")["Status__c"] = json!("Occupied")
    }),
    ("I1", "was checked in 2 times", |h| {
        let again = ExecutionRecord {
            id: ExecutionId(uuid::Uuid::from_u128(50)),
            ..h.execution(CHECKED_IN).clone()
        };
        h.records.push(again);
    }),
    // Charges.
    ("I1", "0 lines of it", |h| {
        h.list("salesforce", "Payment_Transaction__c")
            .retain(|l| l["Id"] != "l-4")
    }),
    ("I1", "2 lines of it", |h| {
        let twin = line("l-7", "wei", "Charge", &id(CHARGED), "Pending", 50.0);
        h.list("salesforce", "Payment_Transaction__c").push(twin);
    }),
    ("I1", "1 lines of it", |h| {
        let line = line("l-7", "wei", "Charge", &id(NOT_CHARGED), "Pending", 7.0);
        h.list("salesforce", "Payment_Transaction__c").push(line);
    }),
    ("I1", "its line is", |h| {
        h.row("Payment_Transaction__c", "Id", "l-4")["Amount__c"] = json!(49.0)
    }),
    ("I1", "its line is", |h| {
        h.row("Payment_Transaction__c", "Id", "l-void")["Status__c"] = json!("Pending")
    }),
    ("I1", "nobody voided", |h| {
        h.row("Payment_Transaction__c", "Id", "l-4")["Status__c"] = json!("Cancelled")
    }),
    ("I8", "which posts none", |h| {
        let line = line("l-7", "wei", "Charge", "exe_nobody", "Pending", 7.0);
        h.list("salesforce", "Payment_Transaction__c").push(line);
    }),
    // Injected payments.
    ("I9", "Ours", |h| {
        h.list("stripe", "refunds").retain(|r| r["id"] != "re_lost")
    }),
    ("I9", "the folio owes 38000", |h| {
        h.list("salesforce", "Payment_Transaction__c")
            .retain(|l| l["Id"] != "l-5")
    }),
    ("I9", "Foreign", |h| {
        h.list("stripe", "refunds")
            .push(refund("re_2", "pi_foreign", 9_000))
    }),
    ("I9", "Foreign", |h| {
        h.compensations
            .iter_mut()
            .filter(|c| c.key == "pi_large")
            .for_each(|c| "pi_foreign".clone_into(&mut c.key));
    }),
    ("I9", "began 2 compensations of pi_lost", |h| {
        let again = ExecutionRecord {
            id: ExecutionId(uuid::Uuid::from_u128(50)),
            ..h.execution(GIVEN_BACK).clone()
        };
        h.records.push(again);
    }),
    ("I9", "no sweep", |h| h.swept = false),
    ("I9", "OverLimit", |h| h.planted[0].kind = Kind::OverLimit),
    ("I9", "Finished", |h| h.planted[0].kind = Kind::Finished),
    ("I8", "of which the journal knows nothing", |h| {
        h.planted.clear()
    }),
    // Texts.
    ("", "was sent \"Welcome\" 2 times", |h| {
        let twin = h.list("twilio", "messages")[0].clone();
        h.list("twilio", "messages").push(twin);
    }),
    ("", "was sent \"Welcome\" 3 times", |h| {
        // The network delivered it once more, and no more than once.
        let twin = h.list("twilio", "messages")[0].clone();
        h.extra_texts
            .push(("+12125550101".to_owned(), "Welcome".to_owned()));
        h.list("twilio", "messages").extend([twin.clone(), twin]);
    }),
    ("", "it counts as sent, and is not there", |h| {
        h.list("twilio", "messages").clear()
    }),
    ("", "its message was never begun", |h| {
        h.execution(TEXTED).token = None
    }),
    ("", "texts are owed", |h| h.owed = 2),
    // Bookings.
    (
        "I11",
        "both have room r-booked in the night of 2030-03-02",
        |h| {
            h.row("Booking__c", "Id", "b-2")["Check_In_Date__c"] = json!("2030-03-02");
        },
    ),
    ("I1", "0 bookings of it", |h| {
        h.list("salesforce", "Booking__c")
            .retain(|b| b["Id"] != "b-1")
    }),
    ("I1", "2 bookings of it", |h| {
        h.row("Booking__c", "Id", "b-2")["External_ID__c"] = json!(id(BOOKED))
    }),
    ("I1", "1 bookings of it", |h| {
        h.row("Booking__c", "Id", "b-2")["External_ID__c"] = json!(id(NOT_BOOKED))
    }),
    ("I8", "which books none", |h| {
        h.row("Booking__c", "Id", "b-2")["External_ID__c"] = json!("exe_nobody")
    }),
    // Cases.
    ("I1", "0 cases of it", |h| {
        h.list("salesforce", "Case").clear()
    }),
    ("I1", "2 cases of it", |h| {
        let twin = h.list("salesforce", "Case")[0].clone();
        h.list("salesforce", "Case")
            .push(json!({ "Id": "k-2", "External_ID__c": twin["External_ID__c"] }));
    }),
    ("I8", "which opens none", |h| {
        h.list("salesforce", "Case")
            .push(json!({ "Id": "k-2", "External_ID__c": "exe_nobody" }))
    }),
    // Expected state of what only one caller worked on.
    ("I15", "holds 30000 for b-beth", |h| {
        let hold = json!({ "id": "pi_hold", "status": "requires_capture", "amount_capturable": 30_000,
            "metadata": { "booking_id": "b-beth" } });
        h.list("stripe", "payment_intents").push(hold);
    }),
    ("I14", "room of Booking b-1", |h| {
        h.row("Hotel_Room__c", "Id", "r-booked")["Room_Number__c"] = json!("B2")
    }),
    ("I14", "Status__c of Booking b-1", |h| {
        h.row("Booking__c", "Id", "b-1")["Status__c"] = json!("Cancelled")
    }),
    ("I14", "Status of Case 00001001", |h| {
        h.row("Case", "Id", "k-1")["Status"] = json!("Closed")
    }),
    ("I14", "2 records of Comment", |h| {
        h.list("salesforce", "CaseComment")
            .push(json!({ "Id": "m-2", "CommentBody": "Seen to, 1 (exe_1)" }));
    }),
    ("I14", "Status__c of Room B1", |h| {
        h.row("Hotel_Room__c", "Id", "r-booked")["Status__c"] = json!("Cleaning")
    }),
    // Two installations.
    ("I12", "has a compensation record of pi_carl", |h| {
        h.owners = two_owners();
        h.compensations[0].execution = ExecutionId(uuid::Uuid::from_u128(GIVEN_BACK));
    }),
    ("I12", "is about pi_carl", |h| {
        h.owners = two_owners();
        h.execution(GIVEN_BACK).input = json!({ "payment_intent_id": "pi_carl" });
    }),
    ("I12", "changes pi_carl", |h| {
        h.owners = two_owners();
        let request = Request {
            key: Some("refund:pi_carl:1".to_owned()),
            deadline_ms: 1000,
            payload: json!({}),
        };
        let (step, direction) = ("refund".to_owned(), Direction::Forward);
        h.execution(GIVEN_BACK).rows.push(row(Event::Intended {
            step,
            direction,
            attempt: 1,
            guard: false,
            request,
        }));
    }),
    ("I12", "ins_a refunded pi_foreign by re_2", |h| {
        h.owners = two_owners();
        let mut refund = refund("re_2", "pi_foreign", 9_000);
        refund["metadata"] = json!({ "installation_id": "ins_a" });
        h.list("stripe", "refunds").push(refund);
    }),
    (
        "I12",
        "ins_a sent \"payment_intent_cancel\" about pi_lost",
        |h| {
            h.owners = two_owners();
            h.owners.insert(id(LOST), "ins_b".to_owned());
            h.state["calls"] = json!([{ "system": "stripe", "method": "POST", "operation": "payment_intent_cancel", "effect": "applied",
            "path": "/v1/payment_intents/pi_lost/cancel", "idempotency_key": "ins_a:x:cancel" }]);
        },
    ),
    // References.
    ("I13", "2 rows of Booking__c carry the reference", |h| {
        h.row("Booking__c", "Id", "b-2")["External_ID__c"] = json!(id(BOOKED))
    }),
    ("I13", "a refund's line without its payment's", |h| {
        h.list("salesforce", "Payment_Transaction__c")
            .retain(|l| l["Id"] != "l-2")
    }),
    ("I13", "the payment stands on the folio twice", |h| {
        let twin = line("l-7", "carl", "Payment", &id(COMPENSATED), "Completed", 0.0);
        h.list("salesforce", "Payment_Transaction__c").push(twin);
    }),
    ("I2", "b-beth paid 2 times", |h| {
        let events = h.execution(CHECKED_OUT).rows.drain(1..);
        let events: Vec<Event> = events.map(|row| row.event).collect();
        let [first, second] =
            [CHECKED_OUT, 50].map(|n| record(n, CHECK_OUT, json!({}), events.clone()));
        *h.execution(CHECKED_OUT) = first;
        h.records.push(second);
        let again = payment("pi_2", 25_000, Some(&id(50)));
        h.list("stripe", "payment_intents").push(again);
    }),
    ("I1", "its check-in was undone, but the booking is", |h| {
        let facts = h
            .execution(CHECKED_IN)
            .rows
            .iter()
            .find_map(|row| match &row.event {
                Event::Read { facts } => Some(facts.clone()),
                _ => None,
            });
        let stay = read(json!({ "now": facts }));
        let events = vec![stay, ended(End::Completed)];
        h.records.push(record(50, UNDO, json!({}), events));
    }),
    // Rest.
    ("I1", "is not on the list", |h| {
        let events = vec![read(json!({ "stay": {} })), needs("TIRED")];
        h.records.push(record(50, CHARGE, json!({}), events));
    }),
    ("I7", "does not rest", |h| {
        h.records
            .push(record(50, CHECK_IN, json!({}), vec![read(json!({}))]))
    }),
    ("I7", "does not rest", |h| {
        for row in &mut h.execution(LOOKING).rows {
            row.at = NOW - SignedDuration::from_mins(20);
        }
    }),
    ("I7", "was told and has not answered", |h| {
        let (key, by, why) = ("k".to_owned(), "sweep".to_owned(), String::new());
        h.execution(FLAGGED).signals.push(dewy_saga::Signal {
            key,
            action: SignalAction::Recheck,
            by,
            why,
        });
    }),
    (
        "I1",
        "was reopened by watch (late), and it had been completed",
        |h| h.execution(CHECKED_OUT).rows.push(reopened()),
    ),
    ("I1", "and a person had settled it", |h| {
        let solved = Event::Ended {
            end: End::Compensated,
            reason: Some("SOLVED_BY_HAND".to_owned()),
        };
        let rows = &mut h.execution(FLAGGED).rows;
        rows.push(row(solved));
        rows.push(row(Event::SignalHandled {
            key: "k".to_owned(),
            action: SignalAction::Recheck,
            by: "sweep".to_owned(),
            accepted: true,
        }));
        rows.push(reopened());
    }),
    // Answers to callers.
    ("I8", "was answered, and the store does not have it", |h| {
        h.answers.push(answer(CHECK_OUT, 98, None))
    }),
    ("I10", "was answered", |h| {
        h.answers
            .push(answer(CHECK_OUT, CHECKED_OUT, Some("CHECKOUT_COMPENSATED")))
    }),
    ("I10", "was answered", |h| {
        h.answers
            .push(answer(CHECK_IN, CHECKED_IN, Some("ROOM_NOT_VACANT")))
    }),
    ("I10", "was answered", |h| {
        h.answers.push(answer(CHARGE, NOT_CHARGED, None))
    }),
    ("I10", "was answered", |h| {
        h.answers.push(answer(COMPENSATE, FLAGGED, None))
    }),
    ("I10", "was answered differently", |h| {
        h.answers.push(answer(CHECK_OUT, CHECKED_OUT, None));
        let other = CallerAnswer {
            body: json!({ "data": 1 }),
            ..answer(CHECK_OUT, CHECKED_OUT, None)
        };
        h.answers.push(other);
    }),
];

#[test]
fn each_violation_is_detected() {
    let mut unseen = Vec::new();
    for (n, (invariant, words, spoil)) in CASES.iter().enumerate() {
        let mut server = consistent_hotel();
        spoil(&mut server);
        let wrong = server.wrong();
        if !wrong
            .iter()
            .any(|w| w.contains(invariant) && w.contains(words))
        {
            unseen.push(format!("case {n}: {invariant} {words:?} in {wrong:#?}"));
        }
    }
    assert!(unseen.is_empty(), "{}", unseen.join("\n"));
}
