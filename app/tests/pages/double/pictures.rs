//! Views of executions in the double, step by step.

use dewy_domain::{
    caller::Persona,
    error_code::ErrorCode,
    money::{Cents, Currency},
    view::{Act, Difference, EventView, ExecutionView, MoneyView, StepView},
};
use jiff::Timestamp;
use serde_json::{Value, json};

/// State and result of a check-out with this card after this many steps.
pub fn check_out(persona: Persona, id: &str, card: &str, passed: i64) -> ExecutionView {
    let staff = persona == Persona::Staff;
    let born = super::born();
    let at = |n: i64| Timestamp::from_second(born.as_second() + n).expect("a timestamp");
    let (end, last): (&str, i64) = match card {
        c if c.contains("eclined") => ("refused", 3),
        c if c.contains("authentication") => ("waiting", 3),
        "pm_card_mastercard" => ("compensated", 7),
        "pm_card_amex" | "pm_card_refundFail" => ("needs_attention", 7),
        _ => ("completed", 5),
    };
    let reason = if card == "pm_card_refundFail" {
        "REFUND_REFUSED"
    } else {
        "FOREIGN_EDIT"
    };
    let refused = reason == "REFUND_REFUSED" && end == "needs_attention";
    let seq = passed.clamp(1, last);
    let rests = seq == last && end != "waiting";
    let back_from = if matches!(end, "compensated" | "needs_attention") {
        5
    } else {
        99
    };
    let step =
        |name: &str, title: &str, nr: i64, bad: &str, attempts: u32, note: &str, key: &str| {
            let state = if seq > nr {
                bad
            } else if seq == nr {
                "running"
            } else {
                "pending"
            };
            StepView {
                name: name.to_owned(),
                title: title.to_owned(),
                state: state.to_owned(),
                attempts: if seq > nr {
                    attempts
                } else {
                    u32::from(seq == nr)
                },
                note: if seq > nr {
                    note.to_owned()
                } else {
                    String::new()
                },
                at: (seq >= nr).then(|| at(nr)),
                key: (staff && seq >= nr).then(|| key.to_owned()),
            }
        };
    let pay = match end {
        "refused" => "refused",
        "waiting" => "waiting",
        _ => "done",
    };
    let moved = if back_from < 99 { "unknown" } else { "done" };
    let mut forward = vec![
        step("read", "Read the stay and the card", 1, "done", 1, "", "q1"),
        step(
            "pay",
            "Charge the card",
            2,
            pay,
            1,
            if pay == "refused" {
                "The card was declined."
            } else {
                ""
            },
            "exe:pay:1",
        ),
        step(
            "move",
            "Move booking, room and opportunity",
            3,
            moved,
            if moved == "unknown" { 3 } else { 1 },
            if moved == "unknown" {
                "Our booking system did not answer."
            } else {
                ""
            },
            "exe",
        ),
        step(
            "receipt",
            "Send the receipt",
            4,
            if back_from < 99 { "skipped" } else { "done" },
            1,
            "",
            "exe:receipt:1",
        ),
    ];
    if end == "refused" && seq > 2 {
        forward.iter_mut().skip(2).for_each(|s| {
            s.state = "pending".into();
            s.at = None;
            s.attempts = 0;
            s.key = None;
        });
    }
    let back = if seq >= back_from {
        vec![
            step(
                "pay",
                "Refund the payment",
                5,
                if refused { "refused" } else { "done" },
                if refused { 4 } else { 1 },
                if refused {
                    "charge_disputed: the charge was disputed"
                } else {
                    "Refunded in full."
                },
                "refund:pi_1:0",
            ),
            step(
                "move",
                "Put booking and room back",
                6,
                match end {
                    "compensated" => "done",
                    _ if refused => "pending",
                    _ => "skipped",
                },
                2,
                "",
                "exe:back",
            ),
        ]
    } else {
        vec![]
    };
    let state = if rests || (end == "waiting" && seq == last) {
        end
    } else if seq >= back_from {
        "compensating"
    } else if moved == "unknown" && seq == 4 {
        "retrying"
    } else {
        "running"
    };
    let captured = if pay == "done" && seq > 2 { 25000 } else { 0 };
    let refunded = if seq > 5 && back_from < 99 && !refused {
        25000
    } else {
        0
    };
    let summary = match state {
        "completed" => "Everything is done.",
        "refused" => "Your bank declined the card, and nothing was charged.",
        "compensated" => {
            "We could not finish, so the payment was refunded and everything put back."
        }
        "needs_attention" if refused => {
            "The check-out could not be finished, and the payment could not be given back."
        }
        "needs_attention" => "The payment was refunded; a person looks at the room.",
        "waiting" => "Your bank wants to ask you before it pays.",
        "compensating" => "We are giving the payment back.",
        "retrying" => "Our booking system does not answer. We are trying again.",
        _ => "We are taking the payment and checking you out.",
    };
    let answer = match state {
        "completed" => Some(
            json!({ "success": true, "execution_id": id, "replayed": false, "data": { "booking_number": "BK-0042", "room_number": "302", "amount": 25000,
            "currency": "usd", "payment_intent_id": "pi_3Q0000Beth", "charge_id": "ch_3Q0000Beth", "receipt_url": "https://pay.example/receipts/1", "card_brand": "visa", "card_last4": "4242" } }),
        ),
        "refused" => Some(
            json!({ "success": false, "error_code": "PAYMENT_FAILED", "error_message": ErrorCode::PaymentFailed.for_guest(), "details": { "decline_code": "insufficient_funds" } }),
        ),
        "compensated" => Some(
            json!({ "success": false, "error_code": "CHECKOUT_COMPENSATED", "error_message": ErrorCode::CheckoutCompensated.for_guest(), "details": {} }),
        ),
        "needs_attention" => Some(
            json!({ "success": false, "error_code": "NEEDS_ATTENTION", "error_message": ErrorCode::NeedsAttention.for_guest(), "details": {} }),
        ),
        _ => None,
    };
    ExecutionView {
        execution_id: id.to_owned(),
        tool: "process_guest_checkout".to_owned(),
        title: "Check out and pay".to_owned(),
        state: state.to_owned(),
        summary: summary.to_owned(),
        at_rest: rests,
        seq,
        booking_number: Some("BK-0042".to_owned()),
        room_number: Some("302".to_owned()),
        guest_email: staff.then(|| "beth.gibbs@email.com".to_owned()),
        asked_by: staff.then(|| "beth.gibbs@email.com, by form".to_owned()),
        forward,
        back,
        money: (captured > 0).then_some(MoneyView {
            captured: Cents(captured),
            refunded: Cents(refunded),
            currency: Currency::USD,
        }),
        next_action_url: (state == "waiting").then(|| "/bank/3ds".to_owned()),
        act_by: (state == "waiting").then(|| at(900)),
        answer,
        reason: (state == "needs_attention").then(|| reason.to_owned()),
        next: if staff {
            next(state, reason).to_owned()
        } else {
            String::new()
        },
        triggers: if staff && seq >= back_from {
            vec!["saga".to_owned(), "sweep".to_owned()]
        } else {
            vec![]
        },
        ids: if staff {
            ids(id, captured, refunded)
        } else {
            vec![]
        },
        acts: if staff && state == "needs_attention" {
            acts(reason)
        } else {
            vec![]
        },
        differences: if staff && state == "needs_attention" && reason == "FOREIGN_EDIT" {
            vec![Difference {
                object: "room".into(),
                field: "Status__c".into(),
                ours: "Cleaning".into(),
                found: "Occupied".into(),
            }]
        } else {
            vec![]
        },
        next_try_at: (state == "retrying").then(|| at(12)),
        created_at: born,
        updated_at: at(seq),
        timeline: if staff {
            (1..=seq).map(|n| EventView { seq: n, at: at(n), title: format!("Event {n}: intent, then outcome"), detail: json!({ "event": "intended", "step": "pay", "attempt": 1, "request": { "key": "exe:pay:1", "path": "/v1/payment_intents" } }) }).collect()
        } else {
            vec![]
        },
    }
}

fn next(state: &str, reason: &str) -> &'static str {
    match (state, reason) {
        ("needs_attention", "REFUND_REFUSED") => {
            "Stripe has to accept the refund: try it again, or refund it by hand and mark it solved."
        }
        ("needs_attention", _) => "Look at the room, and mark it solved.",
        ("completed" | "refused" | "compensated", _) => "Nothing is left to do.",
        _ => "It continues automatically.",
    }
}

fn ids(id: &str, captured: i64, refunded: i64) -> Vec<(String, String)> {
    let mut ids = vec![
        ("Execution".to_owned(), id.to_owned()),
        (
            "Salesforce booking".to_owned(),
            "a00WE000002BethAAC".to_owned(),
        ),
    ];
    if captured > 0 {
        ids.push(("Stripe payment".to_owned(), "pi_3Q0000Beth".to_owned()));
    }
    if refunded > 0 {
        ids.push(("Stripe refund".to_owned(), "re_3Q0000Beth".to_owned()));
    }
    ids
}

fn acts(reason: &str) -> Vec<Act> {
    let act = |resolution: &str, title: &str, will: &str, barred: Option<&str>| Act {
        resolution: resolution.to_owned(),
        title: title.to_owned(),
        will: will.to_owned(),
        barred: barred.map(str::to_owned),
    };
    if reason == "REFUND_REFUSED" {
        return vec![
            act(
                "retry_now",
                "Try the refund again",
                "Stripe is asked once more to give $250.00 back; if it accepts, booking and room are put back.",
                None,
            ),
            act(
                "mark_solved",
                "Mark as solved",
                "Nothing is sent anywhere. The record says who settled it and why, and leaves this list.",
                None,
            ),
            act(
                "finish_forward",
                "Finish the check-out",
                "The payment is kept and Beth is checked out of room 302.",
                Some("over the limit of $1,000.00, a manager has to do it"),
            ),
        ];
    }
    vec![act(
        "mark_solved",
        "Mark as solved",
        "Nothing is sent anywhere. The record says who settled it and why, and leaves this list.",
        None,
    )]
}

/// Tool that completes in two steps.
pub fn simple(
    persona: Persona,
    id: &str,
    tool: &str,
    ending: Result<Value, (ErrorCode, Value)>,
    passed: i64,
) -> ExecutionView {
    let (title, steps): (&str, [(&str, &str); 2]) = match tool {
        "check_in_guest" => (
            "Check in",
            [("move", "Check the guest in"), ("text", "Send the welcome")],
        ),
        "post_charge" => (
            "Post a charge",
            [
                ("charge", "Put the charge on the folio"),
                ("note", "Write the note"),
            ],
        ),
        "resolve_execution" => (
            "Settle an execution",
            [
                ("signal", "Signal the execution"),
                ("watch", "See the result"),
            ],
        ),
        _ => (
            "Refund a payment",
            [
                ("find", "Find the payment"),
                ("signal", "Have it given back"),
            ],
        ),
    };
    let staff = persona == Persona::Staff;
    let born = super::born();
    let at = |n: i64| Timestamp::from_second(born.as_second() + n).expect("a timestamp");
    let seq = passed.clamp(1, 3);
    let rests = seq == 3;
    let bad = ending.is_err();
    let forward = steps
        .iter()
        .zip(1..)
        .map(|((name, title), n)| StepView {
            name: (*name).to_owned(),
            title: (*title).to_owned(),
            state: if bad && rests {
                if n == 1 { "refused" } else { "pending" }
            } else if seq > n {
                "done"
            } else if seq == n {
                "running"
            } else {
                "pending"
            }
            .to_owned(),
            attempts: u32::from(seq >= n),
            note: String::new(),
            at: (seq >= n).then(|| at(n)),
            key: None,
        })
        .collect();
    let (state, summary, answer) = match (&ending, rests) {
        (_, false) => ("running", "We are working on it.".to_owned(), None),
        (Ok(data), true) => (
            "completed",
            "Everything is done.".to_owned(),
            Some(json!({ "success": true, "data": data, "execution_id": id })),
        ),
        (Err((code, details)), true) => (
            "refused",
            dewy_domain::answer::words(*code, persona).to_owned(),
            Some(
                json!({ "success": false, "error_code": code.code(), "error_message": dewy_domain::answer::words(*code, persona), "details": details }),
            ),
        ),
    };
    ExecutionView {
        execution_id: id.to_owned(),
        tool: tool.to_owned(),
        title: title.to_owned(),
        state: state.to_owned(),
        summary,
        at_rest: rests,
        seq,
        booking_number: Some("BK-0042".to_owned()),
        room_number: (!bad && rests).then(|| "302".to_owned()),
        guest_email: staff.then(|| "beth.gibbs@email.com".to_owned()),
        asked_by: staff.then(|| "staff:manager@dewy.example through form".to_owned()),
        forward,
        back: vec![],
        money: None,
        next_action_url: None,
        act_by: None,
        answer,
        reason: None,
        differences: vec![],
        next: String::new(),
        triggers: vec![],
        ids: vec![],
        acts: vec![],
        next_try_at: None,
        created_at: born,
        updated_at: at(seq),
        timeline: vec![],
    }
}
