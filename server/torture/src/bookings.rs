//! Callers who book rooms for days to come, change what they booked, and cancel it. They share few rooms and few days, also with
//! the callers of another installation, so that they get in each other's way.

use std::sync::Arc;

use dewy_connectors::RealClock;
use dewy_domain::ports::Clock;
use jiff::{ToSpan, civil::Date, tz::TimeZone};
use serde_json::{Value, json};

use crate::{
    ask::{Asked, ask, both, pause},
    desk::{Answer, Desk, Subject},
    dice::Dice,
    house::House,
    stays,
};

/// How many rooms they share.
const ROOMS: u64 = 8;
/// How many guests of each installation book.
const GUESTS: u64 = 10;
/// How many days ahead they book at most.
const DAYS: u64 = 14;

/// Makes the rooms that all of them share.
pub async fn rooms(house: &House) -> anyhow::Result<()> {
    let rooms: Vec<_> = (0..ROOMS).map(room).collect();
    stays::empty_rooms(house, &rooms).await
}

fn room(n: u64) -> String {
    format!("B{n}")
}

/// Works until the desk closes. Each has an address space of guests: `letter`.
pub async fn caller(house: Arc<House>, desk: Arc<Desk>, mut dice: Dice, letter: char) {
    while !desk.closing() {
        if let Some(number) = book(&house, &desk, &mut dice, letter).await {
            for _ in 0..dice.between(0, 2) {
                change(&house, &desk, &mut dice, &number).await;
            }
            if dice.percent(60) {
                let cancel = json!({ "booking_number": number, "action": "cancel" });
                settle(&house, &desk, &mut dice, &number, cancel).await;
            }
        }
        pause(&mut dice, 100, 900).await;
    }
}

/// The number of the booking that was made.
async fn book(house: &House, desk: &Desk, dice: &mut Dice, letter: char) -> Option<String> {
    let bearer = dice.pick(&house.tokens)?;
    let (from, to) = nights(dice)?;
    let n = dice.between(1, GUESTS);
    let asked = Asked::new(
        "create_booking",
        bearer,
        json!({
            "guest_email": format!("books-{letter}{n}@load.example").to_lowercase(), "guest_first_name": "Ann",
            "guest_last_name": format!("Books {letter}{n}"), "guest_phone": format!("+1555400{n:04}"),
            "room_number": room(dice.between(0, ROOMS - 1)), "check_in_date": from, "check_out_date": to,
        }),
    );
    let answers = match dice.between(1, 100) {
        // Two people want the same, or one presses twice.
        1..=15 => both(house, desk, dice, &asked, &asked.again()).await.into(),
        16..=30 => both(house, desk, dice, &asked, &asked).await.into(),
        _ => [ask(house, desk, dice, &asked).await, None],
    };
    let booked = answers.into_iter().flatten().find(|answer| answer.code.is_none())?;
    let number = booked.body["data"]["booking_number"].as_str()?.to_owned();
    expect(desk, &number, &booked);
    Some(number)
}

/// Other dates, or another room.
async fn change(house: &House, desk: &Desk, dice: &mut Dice, number: &str) {
    let Some((from, to)) = nights(dice) else { return };
    let mut change = json!({ "booking_number": number, "check_in_date": from, "check_out_date": to });
    if dice.percent(40) {
        change["room_number"] = json!(room(dice.between(0, ROOMS - 1)));
    }
    settle(house, desk, dice, number, change).await;
}

async fn settle(house: &House, desk: &Desk, dice: &mut Dice, number: &str, arguments: Value) {
    let Some(bearer) = dice.pick(&house.tokens) else { return };
    match ask(house, desk, dice, &Asked::new("manage_bookings", bearer, arguments)).await {
        Some(answer) if answer.code.is_none() => expect(desk, number, &answer),
        Some(answer) if answer.code.as_deref() != Some("NEEDS_ATTENTION") => {}
        _ => desk.doubt(Subject::Booking, number),
    }
}

fn expect(desk: &Desk, number: &str, answer: &Answer) {
    let data = &answer.body["data"];
    let fields = json!({ "Status__c": data["booking_status"], "Check_In_Date__c": data["check_in_date"],
        "Check_Out_Date__c": data["check_out_date"], "room": data["room_number"] });
    desk.expect(Subject::Booking, number, fields);
}

fn nights(dice: &mut Dice) -> Option<(Date, Date)> {
    let today = RealClock.now().to_zoned(TimeZone::UTC).date();
    let first = i64::try_from(dice.between(1, DAYS)).ok()?;
    let nights = i64::try_from(dice.between(1, 3)).ok()?;
    Some((today.checked_add(first.days()).ok()?, today.checked_add((first + nights).days()).ok()?))
}
