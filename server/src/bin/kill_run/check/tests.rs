//! The check itself: a good ledger passes, and each kind of wrong is seen.

use dewy_saga::{ExecutionId, Progress};
use serde_json::json;

use super::*;

/// A check-out of $250.00 that its journal calls completed.
fn completed() -> Record {
    let id = ExecutionId(uuid::Uuid::from_u128(7));
    let at = Timestamp::UNIX_EPOCH;
    let facts = json!({ "balance": 25_000, "stay": { "booking": { "id": "b" }, "room": { "id": "r" }, "opportunity": { "id": "o" } } });
    let (mut progress, mut rows, mut audit) = (Progress::new(id), Vec::new(), Vec::new());
    let events = [
        Event::Queued { saga: "process_guest_checkout".to_owned(), version: 1 },
        Event::Read { facts },
        Event::Ended { end: dewy_saga::End::Completed, reason: None },
    ];
    for event in events {
        let (row, trail) = progress.push(event, at, "w", 1).unwrap();
        rows.push(row);
        audit.extend(trail);
    }
    Record {
        id,
        saga: "process_guest_checkout".to_owned(),
        version: 1,
        caller: "staff:x".to_owned(),
        interface: "mcp".to_owned(),
        token: Some("t".to_owned()),
        input: Value::Null,
        state: State::Completed,
        answer: None,
        wake_at: None,
        created_at: at,
        updated_at: at,
        fence: 1,
        worker: None,
        labels: Vec::new(),
        rows,
        audit,
    }
}

fn found(edit: impl FnOnce(&mut Value), answers: &[Answer]) -> Vec<String> {
    let record = completed();
    let id = record.id.to_string();
    let line = |kind: &str| json!({ "Opportunity__c": "o", "External_ID__c": id, "Transaction_Type__c": kind, "Status__c": "Completed", "Amount__c": 250.0 });
    let mut state = json!({
        "stripe": {
            "payment_intents": [{ "id": "pi_1", "status": "succeeded", "amount_received": 25_000, "metadata": { "execution_id": id } }],
            "refunds": [],
        },
        "salesforce": {
            "Booking__c": [{ "Id": "b", "Status__c": "Checked Out" }],
            "Hotel_Room__c": [{ "Id": "r", "Status__c": "Cleaning" }],
            "Opportunity": [{ "Id": "o", "StageName": "Closed Won", "Amount": 250.0 }],
            "Payment_Transaction__c": [line("Payment")],
        },
        "calls": [],
    });
    edit(&mut state);
    let ledger = Ledger::read(&state, state["calls"].clone());
    violations(&ledger, &[record], &VerifyReport::default(), answers)
}

#[test]
fn a_good_ledger_has_nothing_wrong() {
    assert_eq!(found(|_| {}, &[]), Vec::<String>::new());
}

#[test]
fn each_wrong_is_seen() {
    let payment = |id: &str, owner: &str| json!({ "id": id, "status": "succeeded", "amount_received": 25_000, "metadata": { "execution_id": owner } });
    let id = completed().id.to_string();
    let add =
        |state: &mut Value, system: &str, list: &str, row: Value| state[system][list].as_array_mut().unwrap().push(row);
    let cases: Vec<(&str, Vec<String>)> = vec![
        ("I2", found(|s| add(s, "stripe", "payment_intents", payment("pi_2", &id)), &[])),
        ("I8", found(|s| add(s, "stripe", "payment_intents", payment("pi_2", "exe_nobody")), &[])),
        (
            "I1",
            found(
                |s| {
                    add(
                        s,
                        "stripe",
                        "refunds",
                        json!({ "payment_intent": "pi_1", "status": "succeeded", "amount": 25_000 }),
                    )
                },
                &[],
            ),
        ),
        (
            "I2",
            found(
                |s| {
                    add(
                        s,
                        "stripe",
                        "refunds",
                        json!({ "payment_intent": "pi_1", "status": "pending", "amount": 25_001 }),
                    )
                },
                &[],
            ),
        ),
        ("I1", found(|s| s["salesforce"]["Booking__c"][0]["Status__c"] = json!("Checked In"), &[])),
        ("I1", found(|s| s["salesforce"]["Payment_Transaction__c"] = json!([]), &[])),
        (
            "I3",
            found(
                |s| s["calls"] = json!([{ "system": "stripe", "method": "POST", "path": "/v1/refunds", "idempotency_key": "refund:pi_1:1" }]),
                &[],
            ),
        ),
        (
            "I3",
            found(
                |s| {
                    s["calls"] = json!([{ "system": "stripe", "method": "POST", "path": "/v1/refunds", "idempotency_key": null }])
                },
                &[],
            ),
        ),
    ];
    for (n, (name, wrong)) in cases.into_iter().enumerate() {
        assert!(wrong.iter().any(|w| w.contains(name)), "case {n}: {name} in {wrong:?}");
    }
    let told = |execution: &str, code: Option<&str>| Answer {
        token: "t".to_owned(),
        execution: Some(execution.to_owned()),
        code: code.map(str::to_owned),
        body: Value::Null,
    };
    for (name, answers) in [
        ("I8", vec![told("exe_nobody", None)]),
        ("I10", vec![told(&id, Some("CHECKOUT_COMPENSATED"))]),
        ("I10", vec![told(&id, None), told(&id, Some("PAYMENT_FAILED"))]),
    ] {
        let wrong = found(|_| {}, &answers);
        assert!(wrong.iter().any(|w| w.contains(name)), "{name} in {wrong:?}");
    }
}
