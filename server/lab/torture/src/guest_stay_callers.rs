//! Callers over MCP: each handles one guest after another: check-in, charges, check-out.

use std::sync::Arc;

use dewy_test_kit::CallerAnswer;
use fastrand::Rng;
use serde_json::{Value, json};

use crate::{
    caller_state::CallerState,
    retrying_client::{ToolRequest, call_concurrently, call_with_retries, sleep_randomly},
    seed_stays::{Stage, Stay},
    test_server::TestServer,
};

/// Maximum number of attempts after a failure without effect.
const MAX_ATTEMPTS: u64 = 4;

/// Works until the front desk closes.
pub async fn caller(server: Arc<TestServer>, desk: Arc<CallerState>, mut rng: Rng) {
    while !desk.closing() {
        let Some(mut stay) = desk.next_stay() else {
            sleep_randomly(&mut rng, 50, 50).await;
            continue;
        };
        if stay.stage == Stage::InHouse {
            if charges(&server, &desk, &mut rng, &mut stay).await.is_some() {
                check_out(&server, &desk, &mut rng, stay).await;
            }
        } else if check_in(&server, &desk, &mut rng, &stay).await && rng.u64(..100) < 60 {
            // The others stay: at the end the check verifies that they are in their rooms.
            stay.stage = Stage::InHouse;
            desk.add(vec![stay]);
        }
        sleep_randomly(&mut rng, 50, 500).await;
    }
}

/// Sends the request once, from two callers at once, or twice from one caller.
async fn asked_somehow(
    server: &TestServer,
    desk: &CallerState,
    rng: &mut Rng,
    one: &ToolRequest<'_>,
) -> [Option<CallerAnswer>; 2] {
    match rng.u64(1..=100) {
        1..=12 => call_concurrently(server, desk, rng, one, &one.again())
            .await
            .into(),
        13..=24 => call_concurrently(server, desk, rng, one, one).await.into(),
        _ => [call_with_retries(server, desk, rng, one).await, None],
    }
}

/// True when the guest is checked in.
async fn check_in(server: &TestServer, desk: &CallerState, rng: &mut Rng, stay: &Stay) -> bool {
    for attempt in 1..=MAX_ATTEMPTS {
        let Some(bearer) = rng.choice(&server.tokens) else {
            return false;
        };
        let one = ToolRequest::new(
            "check_in_guest",
            bearer,
            json!({ "guest_email": stay.email }),
        );
        let answers = asked_somehow(server, desk, rng, &one).await;
        if answers.iter().flatten().any(|a| a.code.is_none()) {
            return true;
        }
        if stay.stage == Stage::NotReady || desk.closing() {
            return false;
        }
        sleep_randomly(rng, 50 * attempt, 400 * attempt).await;
    }
    false
}

/// Posts occasional charges, and voids some of them; `None` when the balance is unknown.
async fn charges(
    server: &TestServer,
    desk: &CallerState,
    rng: &mut Rng,
    stay: &mut Stay,
) -> Option<()> {
    if rng.u64(..100) >= 40 {
        return Some(());
    }
    let cents = rng.u64(300..=9_000);
    let bearer = rng.choice(&server.tokens)?;
    let posted = call_with_retries(server, desk, rng, &charge(bearer, stay, cents)).await?;
    match posted.code.as_deref() {
        None => stay.cents += cents,
        Some("NEEDS_ATTENTION") => return None,
        Some(_) => return Some(()),
    }
    if rng.u64(..100) < 40
        && let Some(number) = posted.body["data"]["charge_number"].as_str()
    {
        let arguments = json!({ "room_number": stay.room, "charge_number": number, "void": true });
        let void = ToolRequest::new("post_charge", bearer, arguments);
        let answers = asked_somehow(server, desk, rng, &void).await;
        if answers.iter().flatten().any(|a| a.code.is_none()) {
            stay.cents -= cents;
        }
    }
    Some(())
}

fn charge<'a>(bearer: &'a str, stay: &Stay, cents: u64) -> ToolRequest<'a> {
    ToolRequest::new(
        "post_charge",
        bearer,
        json!({ "room_number": stay.room, "amount": cents, "description": "Room service" }),
    )
}

fn card(rng: &mut Rng) -> &'static str {
    match rng.u64(1..=100) {
        1..=6 => "pm_card_chargeDeclined",
        7..=10 => "pm_card_authenticationRequired",
        11..=13 => "pm_card_pendingRefund",
        14..=15 => "pm_card_createDispute",
        _ => "pm_card_visa",
    }
}

async fn check_out(server: &TestServer, desk: &CallerState, rng: &mut Rng, mut stay: Stay) {
    for attempt in 1..=MAX_ATTEMPTS {
        let Some(bearer) = rng.choice(&server.tokens) else {
            return;
        };
        // Some ignore the balance.
        let amount = if rng.u64(..100) < 4 {
            stay.cents + 1
        } else {
            stay.cents
        };
        let one = ToolRequest::new(
            "process_guest_checkout",
            bearer,
            json!({ "guest_email": stay.email, "room_number": stay.room, "amount": amount, "payment_method_id": card(rng) }),
        );
        let answers = if rng.u64(..100) < 8 {
            // Breakfast is charged while the payment runs.
            let mut more = rng.clone();
            let breakfast = charge(bearer, &stay, rng.u64(300..=3_000));
            let late = async {
                sleep_randomly(&mut more, 50, 900).await;
                call_with_retries(server, desk, &mut more, &breakfast).await
            };
            let (answer, _) = tokio::join!(call_with_retries(server, desk, rng, &one), late);
            [answer, None]
        } else {
            asked_somehow(server, desk, rng, &one).await
        };
        for answer in answers.iter().flatten() {
            let payment = &answer.body[if answer.code.is_none() {
                "data"
            } else {
                "details"
            }]["payment_intent_id"];
            // Occasionally a guest returns and asks about the payment.
            if let Some(payment) = payment.as_str().filter(|_| rng.u64(..100) < 25) {
                desk.record_payment(payment, &stay.email);
            }
            if let Some(balance) = balance(answer) {
                stay.cents = balance;
            }
        }
        let done = |a: &CallerAnswer| matches!(a.code.as_deref(), None | Some("NEEDS_ATTENTION"));
        if answers.iter().flatten().any(done) || desk.closing() {
            return;
        }
        sleep_randomly(rng, 50 * attempt, 400 * attempt).await;
    }
}

/// New balance in an answer about a changed balance.
fn balance(answer: &CallerAnswer) -> Option<u64> {
    let amount_changed = answer.code.as_deref() == Some("AMOUNT_MISMATCH");
    amount_changed
        .then(|| &answer.body["details"]["balance"])
        .and_then(Value::as_u64)
}
