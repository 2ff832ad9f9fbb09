//! Callers who create, change and cancel future bookings. They share few rooms and few days, also
//! with the callers of another installation, so that they conflict.

use std::sync::Arc;

use dewy_connectors::RealClock;
use dewy_domain::ports::Clock;
use dewy_test_kit::{CallerAnswer, Subject};
use fastrand::Rng;
use jiff::{ToSpan, civil::Date, tz::TimeZone};
use serde_json::{Value, json};

use crate::{
    caller_state::CallerState,
    retrying_client::{ToolRequest, call_concurrently, call_with_retries, sleep_randomly},
    seed_stays,
    test_server::TestServer,
};

/// Number of shared rooms.
const ROOMS: u64 = 8;
/// Number of guests per installation.
const GUESTS: u64 = 10;
/// Maximum number of days ahead.
const DAYS: u64 = 14;

/// Creates the shared rooms.
pub async fn rooms(server: &TestServer) -> anyhow::Result<()> {
    let rooms: Vec<_> = (0..ROOMS).map(room).collect();
    seed_stays::empty_rooms(server, &rooms).await
}

fn room(n: u64) -> String {
    format!("B{n}")
}

/// Works until the front desk closes. `letter` separates the guests of each caller.
pub async fn caller(server: Arc<TestServer>, desk: Arc<CallerState>, mut rng: Rng, letter: char) {
    while !desk.closing() {
        if let Some(number) = book(&server, &desk, &mut rng, letter).await {
            for _ in 0..rng.u64(0..=2) {
                change(&server, &desk, &mut rng, &number).await;
            }
            if rng.u64(..100) < 60 {
                let cancel = json!({ "booking_number": number, "action": "cancel" });
                settle(&server, &desk, &mut rng, &number, cancel).await;
            }
        }
        sleep_randomly(&mut rng, 100, 900).await;
    }
}

/// Number of the created booking.
async fn book(
    server: &TestServer,
    desk: &CallerState,
    rng: &mut Rng,
    letter: char,
) -> Option<String> {
    let bearer = rng.choice(&server.tokens)?;
    let (from, to) = nights(rng)?;
    let n = rng.u64(1..=GUESTS);
    let asked = ToolRequest::new(
        "create_booking",
        bearer,
        json!({
            "guest_email": format!("books-{letter}{n}@load.example").to_lowercase(), "guest_first_name": "Ann",
            "guest_last_name": format!("Books {letter}{n}"), "guest_phone": format!("+1212400{n:04}"),
            "room_number": room(rng.u64(0..=ROOMS - 1)), "check_in_date": from, "check_out_date": to,
        }),
    );
    let answers = match rng.u64(1..=100) {
        // Two people request the same, or one clicks twice.
        1..=15 => call_concurrently(server, desk, rng, &asked, &asked.again())
            .await
            .into(),
        16..=30 => call_concurrently(server, desk, rng, &asked, &asked)
            .await
            .into(),
        _ => [call_with_retries(server, desk, rng, &asked).await, None],
    };
    let booked = answers
        .into_iter()
        .flatten()
        .find(|answer| answer.code.is_none())?;
    let number = booked.body["data"]["booking_number"].as_str()?.to_owned();
    expect(desk, &number, &booked);
    Some(number)
}

/// Changes dates or room.
async fn change(server: &TestServer, desk: &CallerState, rng: &mut Rng, number: &str) {
    let Some((from, to)) = nights(rng) else {
        return;
    };
    let mut change =
        json!({ "booking_number": number, "check_in_date": from, "check_out_date": to });
    if rng.u64(..100) < 40 {
        change["room_number"] = json!(room(rng.u64(0..=ROOMS - 1)));
    }
    settle(server, desk, rng, number, change).await;
}

async fn settle(
    server: &TestServer,
    desk: &CallerState,
    rng: &mut Rng,
    number: &str,
    arguments: Value,
) {
    let Some(bearer) = rng.choice(&server.tokens) else {
        return;
    };
    match call_with_retries(
        server,
        desk,
        rng,
        &ToolRequest::new("manage_bookings", bearer, arguments),
    )
    .await
    {
        Some(answer) if answer.code.is_none() => expect(desk, number, &answer),
        Some(answer) if answer.code.as_deref() != Some("NEEDS_ATTENTION") => {}
        _ => desk.drop_expectation(Subject::Booking, number),
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
