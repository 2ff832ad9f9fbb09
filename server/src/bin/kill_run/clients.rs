//! Callers: each checks guests out over MCP and asks again with the same token until it is answered, as a good client does.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use dewy_domain::ports::{Clock, Entropy};
use dewy_server::world::{OsEntropy, RealClock};
use serde_json::{Value, json};

use crate::{
    desk::{Answer, Desk},
    dice::Dice,
    house::House,
    stays::Stay,
};

/// A caller that is not answered for so long gives up; the check of the ledgers says what became of it.
const PATIENCE: Duration = Duration::from_secs(180);

/// How often somebody who was told that nothing came of it tries again.
const TRIES: u32 = 4;

/// Works until the desk closes.
pub async fn caller(house: Arc<House>, desk: Arc<Desk>, mut dice: Dice) {
    while !desk.closing() {
        let Some(stay) = desk.next() else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        check_out(&house, &desk, &mut dice, &stay).await;
        tokio::time::sleep(Duration::from_millis(dice.between(50, 500))).await;
    }
}

async fn check_out(house: &House, desk: &Desk, dice: &mut Dice, stay: &Stay) {
    for attempt in 1..=TRIES {
        let card = if dice.percent(6) { "pm_card_chargeDeclined" } else { "pm_card_visa" };
        // A token belongs to its caller: whoever repeats one is the same person.
        let Some(bearer) = dice.pick(&house.tokens) else { return };
        let one = Asked { token: token(), bearer, card, stay, amount: stay.cents };
        let done = match dice.between(1, 100) {
            // Two people at once, for one stay: one of them may charge it.
            1..=12 => {
                let other = Asked { token: token(), ..one.clone() };
                let mut more = dice.clone();
                let (a, b) = tokio::join!(ask(house, desk, dice, &one), ask(house, desk, &mut more, &other));
                a || b
            }
            // One person who presses twice.
            13..=24 => {
                let mut more = dice.clone();
                more.between(0, 1);
                let (a, b) = tokio::join!(ask(house, desk, dice, &one), ask(house, desk, &mut more, &one));
                a || b
            }
            // One who does not look at the balance.
            25..=28 => ask(house, desk, dice, &Asked { amount: stay.cents + 1, ..one }).await,
            _ => ask(house, desk, dice, &one).await,
        };
        if done || desk.closing() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(dice.between(50, 400) * u64::from(attempt))).await;
    }
}

fn token() -> String {
    OsEntropy.uuid_v7(RealClock.now()).simple().to_string()
}

#[derive(Clone, Debug)]
struct Asked<'a> {
    token: String,
    bearer: &'a str,
    card: &'static str,
    stay: &'a Stay,
    amount: u64,
}

/// Asks until there is an answer; true when the stay needs nothing more.
async fn ask(house: &House, desk: &Desk, dice: &mut Dice, asked: &Asked<'_>) -> bool {
    let begun = Instant::now();
    let arguments = json!({
        "guest_email": asked.stay.email, "room_number": asked.stay.room, "amount": asked.amount,
        "payment_method_id": asked.card, "idempotency_token": asked.token,
    });
    while begun.elapsed() < PATIENCE {
        let Some(base) = dice.pick(&house.addresses) else { return true };
        let asking = desk.asks();
        let answer = house.wire.tool(base, asked.bearer, "process_guest_checkout", &arguments).await;
        drop(asking);
        let body = match answer {
            Ok(body) => body,
            Err(_) => {
                desk.broke();
                tokio::time::sleep(Duration::from_millis(dice.between(30, 250))).await;
                continue;
            }
        };
        if body["pending"].is_object() {
            let pause = body["pending"]["poll_after_ms"].as_u64().unwrap_or(500).min(1000);
            tokio::time::sleep(Duration::from_millis(pause)).await;
            continue;
        }
        let code = body["error_code"].as_str().map(str::to_owned);
        if matches!(code.as_deref(), Some("INTERNAL" | "OVERLOADED" | "RATE_LIMITED" | "STORE_UNAVAILABLE")) {
            tokio::time::sleep(Duration::from_millis(dice.between(100, 400))).await;
            continue;
        }
        return settle(desk, asked, code, body);
    }
    false
}

fn settle(desk: &Desk, asked: &Asked<'_>, code: Option<String>, body: Value) -> bool {
    let execution = body["execution_id"].as_str().map(str::to_owned);
    desk.answered(Answer { token: asked.token.clone(), execution, code: code.clone(), body });
    matches!(code.as_deref(), None | Some("NEEDS_ATTENTION"))
}
