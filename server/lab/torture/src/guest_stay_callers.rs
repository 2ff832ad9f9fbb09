//! Callers over MCP: each handles one guest after another: check-in, charges, check-out.

use dewy_test_kit::CallerAnswer;
use fastrand::Rng;
use serde_json::{Value, json};

use crate::{
    seed_stays::{Stage, Stay},
    tool_caller::{ToolCaller, ToolRequest},
};

/// Maximum number of attempts after a failure without effect.
const MAX_ATTEMPTS: u64 = 4;
/// Percentage of requests that two send at once, and of those that one sends twice.
const TWICE: u64 = 12;

/// Works until the front desk closes.
pub async fn work(mut caller: ToolCaller) {
    while !caller.desk.closing() {
        let Some(mut stay) = caller.desk.next_stay() else {
            caller.pause(50, 50).await;
            continue;
        };
        if stay.stage == Stage::InHouse {
            if charges(&mut caller, &mut stay).await.is_some() {
                check_out(&mut caller, stay).await;
            }
        } else if check_in(&mut caller, &stay).await && caller.chance(60) {
            // The others stay: at the end the check verifies that they are in their rooms.
            stay.stage = Stage::InHouse;
            caller.desk.add(vec![stay]);
        }
        caller.pause(50, 500).await;
    }
}

/// True when the guest is checked in.
async fn check_in(caller: &mut ToolCaller, stay: &Stay) -> bool {
    for attempt in 1..=MAX_ATTEMPTS {
        let one = caller.request("check_in_guest", json!({ "guest_email": stay.email }));
        let answers = caller.call_somehow(&one, TWICE).await;
        if answers.iter().flatten().any(|a| a.code.is_none()) {
            return true;
        }
        if stay.stage == Stage::NotReady || caller.desk.closing() {
            return false;
        }
        caller.pause(50 * attempt, 400 * attempt).await;
    }
    false
}

/// Posts occasional charges, and voids some of them; `None` when the balance is unknown.
async fn charges(caller: &mut ToolCaller, stay: &mut Stay) -> Option<()> {
    if !caller.chance(40) {
        return Some(());
    }
    let cents = caller.rng.u64(300..=9_000);
    let posting = charge(caller, stay, cents);
    let posted = caller.call(&posting).await?;
    match posted.code.as_deref() {
        None => stay.cents += cents,
        Some("NEEDS_ATTENTION") => return None,
        Some(_) => return Some(()),
    }
    if caller.chance(40)
        && let Some(number) = posted.body["data"]["charge_number"].as_str()
    {
        let arguments = json!({ "room_number": stay.room, "charge_number": number, "void": true });
        let void = caller.request("post_charge", arguments);
        let answers = caller.call_somehow(&void, TWICE).await;
        if answers.iter().flatten().any(|a| a.code.is_none()) {
            stay.cents -= cents;
        }
    }
    Some(())
}

fn charge(caller: &mut ToolCaller, stay: &Stay, cents: u64) -> ToolRequest {
    let arguments =
        json!({ "room_number": stay.room, "amount": cents, "description": "Room service" });
    caller.request("post_charge", arguments)
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

async fn check_out(caller: &mut ToolCaller, mut stay: Stay) {
    for attempt in 1..=MAX_ATTEMPTS {
        // Some ignore the balance.
        let amount = stay.cents + u64::from(caller.chance(4));
        let card = card(&mut caller.rng);
        let arguments = json!({ "guest_email": stay.email, "room_number": stay.room, "amount": amount, "payment_method_id": card });
        let one = caller.request("process_guest_checkout", arguments);
        let answers = if caller.chance(8) {
            // Breakfast is charged while the payment runs.
            let cents = caller.rng.u64(300..=3_000);
            let breakfast = charge(caller, &stay, cents);
            let mut more = caller.clone();
            let late = async {
                more.pause(50, 900).await;
                more.call(&breakfast).await
            };
            let (answer, _) = tokio::join!(caller.call(&one), late);
            [answer, None]
        } else {
            caller.call_somehow(&one, TWICE).await
        };
        for answer in answers.iter().flatten() {
            let place = if answer.code.is_none() {
                "data"
            } else {
                "details"
            };
            let payment = answer.body[place]["payment_intent_id"].as_str();
            // Occasionally a guest returns and asks about the payment.
            if let Some(payment) = payment.filter(|_| caller.chance(25)) {
                caller.desk.record_payment(payment, &stay.email);
            }
            if let Some(balance) = balance(answer) {
                stay.cents = balance;
            }
        }
        let done = |a: &CallerAnswer| matches!(a.code.as_deref(), None | Some("NEEDS_ATTENTION"));
        if answers.iter().flatten().any(done) || caller.desk.closing() {
            return;
        }
        caller.pause(50 * attempt, 400 * attempt).await;
    }
}

/// New balance in an answer about a changed balance.
fn balance(answer: &CallerAnswer) -> Option<u64> {
    let amount_changed = answer.code.as_deref() == Some("AMOUNT_MISMATCH");
    amount_changed
        .then(|| &answer.body["details"]["balance"])
        .and_then(Value::as_u64)
}
