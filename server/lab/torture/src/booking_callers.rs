//! Callers who create, change and cancel future bookings. They share few rooms and few days, also
//! with the callers of another installation, so that they conflict.

use dewy_connectors::RealClock;
use dewy_domain::ports::Clock;
use dewy_test_kit::{CallerAnswer, Subject};
use fastrand::Rng;
use jiff::{ToSpan, civil::Date, tz::TimeZone};
use serde_json::{Value, json};

use crate::{
    caller_state::CallerState, seed_stays, test_server::TestServer, tool_caller::ToolCaller,
};

/// Number of shared rooms.
const ROOMS: u64 = 8;
/// Number of guests per installation.
const GUESTS: u64 = 10;
/// Maximum number of days ahead.
const DAYS: u64 = 14;

pub async fn rooms(server: &TestServer) -> anyhow::Result<()> {
    let rooms: Vec<_> = (0..ROOMS).map(room).collect();
    seed_stays::empty_rooms(server, &rooms).await
}

fn room(n: u64) -> String {
    format!("B{n}")
}

/// Works until the front desk closes. `letter` separates the guests of each caller.
pub async fn work(mut caller: ToolCaller, letter: char) {
    while !caller.desk.closing() {
        if let Some(number) = book(&mut caller, letter).await {
            for _ in 0..caller.rng.u64(0..=2) {
                change(&mut caller, &number).await;
            }
            if caller.chance(60) {
                let cancel = json!({ "booking_number": number, "action": "cancel" });
                settle(&mut caller, &number, cancel).await;
            }
        }
        caller.pause(100, 900).await;
    }
}

/// Number of the created booking.
async fn book(caller: &mut ToolCaller, letter: char) -> Option<String> {
    let (from, to) = nights(&mut caller.rng)?;
    let n = caller.rng.u64(1..=GUESTS);
    let arguments = json!({
        "guest_email": format!("books-{letter}{n}@load.example").to_lowercase(), "guest_first_name": "Ann",
        "guest_last_name": format!("Books {letter}{n}"), "guest_phone": format!("+1212400{n:04}"),
        "room_number": room(caller.rng.u64(0..=ROOMS - 1)), "check_in_date": from, "check_out_date": to,
    });
    let asked = caller.request("create_booking", arguments);
    // Two people request the same, or one clicks twice.
    let answers = caller.call_somehow(&asked, 15).await;
    let mut answers = answers.into_iter().flatten();
    let booked = answers.find(|answer| answer.code.is_none())?;
    let number = booked.body["data"]["booking_number"].as_str()?.to_owned();
    expect(&caller.desk, &number, &booked);
    Some(number)
}

/// Changes dates or room.
async fn change(caller: &mut ToolCaller, number: &str) {
    let Some((from, to)) = nights(&mut caller.rng) else {
        return;
    };
    let mut change =
        json!({ "booking_number": number, "check_in_date": from, "check_out_date": to });
    if caller.chance(40) {
        change["room_number"] = json!(room(caller.rng.u64(0..=ROOMS - 1)));
    }
    settle(caller, number, change).await;
}

async fn settle(caller: &mut ToolCaller, number: &str, arguments: Value) {
    match caller.ask("manage_bookings", arguments).await {
        Some(answer) if answer.code.is_none() => expect(&caller.desk, number, &answer),
        Some(answer) if answer.code.as_deref() != Some("NEEDS_ATTENTION") => {}
        _ => caller.desk.drop_expectation(Subject::Booking, number),
    }
}

fn expect(desk: &CallerState, number: &str, answer: &CallerAnswer) {
    let data = &answer.body["data"];
    let fields = json!({ "Status__c": data["booking_status"], "Check_In_Date__c": data["check_in_date"],
        "Check_Out_Date__c": data["check_out_date"], "room": data["room_number"] });
    desk.expect(Subject::Booking, number, fields);
}

fn nights(rng: &mut Rng) -> Option<(Date, Date)> {
    let today = RealClock.now().to_zoned(TimeZone::UTC).date();
    let first = i64::try_from(rng.u64(1..=DAYS)).ok()?;
    let nights = i64::try_from(rng.u64(1..=3)).ok()?;
    Some((
        today.checked_add(first.days()).ok()?,
        today.checked_add((first + nights).days()).ok()?,
    ))
}
