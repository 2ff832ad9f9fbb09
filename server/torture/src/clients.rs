//! Callers: each sees to one guest after the other, over MCP: checks them in, puts something on the room, checks them out.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    ask::{Asked, ask, both, pause},
    desk::{Answer, Desk},
    dice::Dice,
    house::House,
    stays::{Stage, Stay},
};

/// How often somebody who was told that nothing came of it tries again.
const TRIES: u64 = 4;

/// Works until the desk closes.
pub async fn caller(house: Arc<House>, desk: Arc<Desk>, mut dice: Dice) {
    while !desk.closing() {
        let Some(mut stay) = desk.next() else {
            pause(&mut dice, 50, 50).await;
            continue;
        };
        if stay.stage == Stage::InHouse {
            if charges(&house, &desk, &mut dice, &mut stay).await.is_some() {
                check_out(&house, &desk, &mut dice, stay).await;
            }
        } else if check_in(&house, &desk, &mut dice, &stay).await && dice.percent(60) {
            // The others stay: at the end the check looks whether they are in their rooms.
            stay.stage = Stage::InHouse;
            desk.add(vec![stay]);
        }
        pause(&mut dice, 50, 500).await;
    }
}

/// Once, by two people at once, or by one who presses twice.
async fn asked_somehow(house: &House, desk: &Desk, dice: &mut Dice, one: &Asked<'_>) -> [Option<Answer>; 2] {
    match dice.between(1, 100) {
        1..=12 => both(house, desk, dice, one, &one.again()).await.into(),
        13..=24 => both(house, desk, dice, one, one).await.into(),
        _ => [ask(house, desk, dice, one).await, None],
    }
}

/// True when the guest is in.
async fn check_in(house: &House, desk: &Desk, dice: &mut Dice, stay: &Stay) -> bool {
    for attempt in 1..=TRIES {
        let Some(bearer) = dice.pick(&house.tokens) else { return false };
        let one = Asked::new("check_in_guest", bearer, json!({ "guest_email": stay.email }));
        let answers = asked_somehow(house, desk, dice, &one).await;
        if answers.iter().flatten().any(|a| a.code.is_none()) {
            return true;
        }
        if stay.stage == Stage::NotReady || desk.closing() {
            return false;
        }
        pause(dice, 50 * attempt, 400 * attempt).await;
    }
    false
}

/// Something on the room now and then, and some of it taken back; none when it is not known what the guest owes.
async fn charges(house: &House, desk: &Desk, dice: &mut Dice, stay: &mut Stay) -> Option<()> {
    if !dice.percent(40) {
        return Some(());
    }
    let cents = dice.between(300, 9_000);
    let bearer = dice.pick(&house.tokens)?;
    let posted = ask(house, desk, dice, &charge(bearer, stay, cents)).await?;
    match posted.code.as_deref() {
        None => stay.cents += cents,
        Some("NEEDS_ATTENTION") => return None,
        Some(_) => return Some(()),
    }
    if dice.percent(40)
        && let Some(number) = posted.body["data"]["charge_number"].as_str()
    {
        let arguments = json!({ "room_number": stay.room, "charge_number": number, "void": true });
        let void = Asked::new("post_charge", bearer, arguments);
        let answers = asked_somehow(house, desk, dice, &void).await;
        if answers.iter().flatten().any(|a| a.code.is_none()) {
            stay.cents -= cents;
        }
    }
    Some(())
}

fn charge<'a>(bearer: &'a str, stay: &Stay, cents: u64) -> Asked<'a> {
    Asked::new(
        "post_charge",
        bearer,
        json!({ "room_number": stay.room, "amount": cents, "description": "Room service" }),
    )
}

fn card(dice: &mut Dice) -> &'static str {
    match dice.between(1, 100) {
        1..=6 => "pm_card_chargeDeclined",
        7..=10 => "pm_card_authenticationRequired",
        11..=13 => "pm_card_pendingRefund",
        14..=15 => "pm_card_createDispute",
        _ => "pm_card_visa",
    }
}

async fn check_out(house: &House, desk: &Desk, dice: &mut Dice, mut stay: Stay) {
    for attempt in 1..=TRIES {
        let Some(bearer) = dice.pick(&house.tokens) else { return };
        // Some do not look at the balance.
        let amount = if dice.percent(4) { stay.cents + 1 } else { stay.cents };
        let one = Asked::new(
            "process_guest_checkout",
            bearer,
            json!({ "guest_email": stay.email, "room_number": stay.room, "amount": amount, "payment_method_id": card(dice) }),
        );
        let answers = if dice.percent(8) {
            // Breakfast is put on the room while the payment runs.
            let mut more = dice.clone();
            let breakfast = charge(bearer, &stay, dice.between(300, 3_000));
            let late = async {
                pause(&mut more, 50, 900).await;
                ask(house, desk, &mut more, &breakfast).await
            };
            let (answer, _) = tokio::join!(ask(house, desk, dice, &one), late);
            [answer, None]
        } else {
            asked_somehow(house, desk, dice, &one).await
        };
        for answer in answers.iter().flatten() {
            let payment = &answer.body[if answer.code.is_none() { "data" } else { "details" }]["payment_intent_id"];
            // Now and then a guest comes back to the desk and asks about the payment.
            if let Some(payment) = payment.as_str().filter(|_| dice.percent(25)) {
                desk.known(payment, &stay.email);
            }
            if let Some(balance) = balance(answer) {
                stay.cents = balance;
            }
        }
        let done = |a: &Answer| matches!(a.code.as_deref(), None | Some("NEEDS_ATTENTION"));
        if answers.iter().flatten().any(done) || desk.closing() {
            return;
        }
        pause(dice, 50 * attempt, 400 * attempt).await;
    }
}

/// What somebody who was told another balance reads there.
fn balance(answer: &Answer) -> Option<u64> {
    let told = answer.code.as_deref() == Some("AMOUNT_MISMATCH");
    told.then(|| &answer.body["details"]["balance"]).and_then(Value::as_u64)
}
