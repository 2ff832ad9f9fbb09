//! Bookings, requests and available rooms of the double's guests.

use dewy_domain::{
    answer::{ToolAnswer, ToolError},
    caller::Caller,
    error_code::ErrorCode,
    tool::ToolCall,
};
use serde_json::{Value, json};

use super::{House, born};

/// Answer of a guest's reading tool; `None` for others.
pub fn answer(house: &House, caller: &Caller, call: &ToolCall) -> Option<ToolAnswer> {
    let data = match call.tool.as_str() {
        _ if caller.email == "down@example.com" => {
            return Some(ToolError::new(ErrorCode::UpstreamUnavailable).into());
        }
        "search_rooms_on_behalf_of_guest" => json!({ "stays": stays(&caller.email) }),
        "search_cases_on_behalf_of_guest" => json!({ "cases": cases(house, call) }),
        "search_available_rooms" => json!({ "rooms": rooms(call) }),
        _ => return None,
    };
    Some(ToolAnswer::data(data))
}

fn stay(number: &str, status: &str, room: &str, from: &str, to: &str) -> Value {
    json!({
        "booking_number": number, "booking_status": status, "check_in_date": from, "check_out_date": to,
        "room_number": room, "room_type": "Deluxe", "beds": "1 King", "view": "Garden", "number_of_guests": 2,
        "special_requests": null, "room_ready": (status == "Reserved").then_some(room != "206"),
    })
}

fn stays(email: &str) -> Vec<Value> {
    match email {
        "wei.chen@example.com" => vec![
            stay("BK-0011", "Checked In", "103", "2026-11-18", "2026-11-22"),
            stay("BK-0010", "Checked In", "102", "2026-11-18", "2026-11-21"),
        ],
        "arriving@example.com" => vec![stay(
            "BK-0061",
            "Reserved",
            "105",
            "2026-11-20",
            "2026-11-22",
        )],
        "cleaning@example.com" => vec![stay(
            "BK-0061",
            "Reserved",
            "206",
            "2026-11-20",
            "2026-11-22",
        )],
        "both@example.com" => vec![
            stay("BK-0062", "Reserved", "210", "2026-11-20", "2026-11-21"),
            stay("BK-0061", "Reserved", "105", "2026-11-20", "2026-11-22"),
        ],
        "early@example.com" => vec![stay(
            "BK-0090",
            "Reserved",
            "305",
            "2026-11-28",
            "2026-11-30",
        )],
        "nobody@example.com" => Vec::new(),
        _ => vec![
            stay("BK-0070", "Reserved", "305", "2026-12-24", "2026-12-27"),
            stay("BK-0042", "Checked In", "302", "2026-11-18", "2026-11-20"),
            stay("BK-0007", "Checked Out", "305", "2026-06-01", "2026-06-04"),
            stay("BK-0006", "Cancelled", "101", "2026-03-01", "2026-03-02"),
        ],
    }
}

/// Two existing cases, and those added since.
fn cases(house: &House, call: &ToolCall) -> Vec<Value> {
    let open = call.input.get("status_filter").and_then(Value::as_str) != Some("All");
    let case = |number: usize, status: &str, kind: &str, words: &str, seconds: u64| {
        json!({
            "case_number": format!("{number:08}"), "subject": words, "description": words, "type": kind,
            "case_status": status, "priority": "Medium", "room_number": "302",
            "created_at": born() - std::time::Duration::from_secs(seconds),
        })
    };
    let sent = house
        .calls()
        .into_iter()
        .filter(|call| call.tool == "submit_guest_service_request")
        .enumerate();
    let sent = sent.map(|(n, call)| {
        let text = |name: &str| {
            call.input
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        case(1030 + n, "New", &text("type"), &text("description"), 0)
    });
    let mut cases: Vec<_> = sent.collect();
    cases.push(case(
        1001,
        "In Progress",
        "Room Service",
        "Late breakfast for two",
        5400,
    ));
    if !open {
        cases.push(case(
            990,
            "Closed",
            "Housekeeping",
            "Two more towels",
            90_000,
        ));
    }
    cases
}

fn rooms(call: &ToolCall) -> Vec<Value> {
    let text = |name: &str| {
        call.input
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let day = |name: &str| text(name).parse::<jiff::civil::Date>().expect("a day");
    let nights = i64::from((day("check_out_date") - day("check_in_date")).get_days());
    let people = call
        .input
        .get("number_of_guests")
        .and_then(Value::as_i64)
        .unwrap_or(1);
    // Every room is unavailable in this month, and only then
    if text("check_in_date").starts_with("2027-02") {
        return Vec::new();
    }
    [
        ("101", "Standard", "1 King", "City", 2, 12_500),
        ("102", "Standard", "1 King", "City", 2, 12_500),
        ("305", "Deluxe", "1 King", "Garden", 2, 17_500),
        ("308", "Deluxe", "2 Queens", "Ocean", 4, 19_999),
        ("310", "Suite", "2 Queens", "Ocean", 6, 34_999),
    ]
    .into_iter()
    .filter(|(_, kind, _, _, sleeps, _)| *sleeps >= people && (text("room_type").is_empty() || text("room_type") == *kind))
    .map(|(number, kind, beds, view, sleeps, rate)| {
        json!({
            "room_number": number, "room_type": kind, "floor": 3, "beds": beds, "view": view, "max_occupancy": sleeps,
            "accessible": number == "310", "nightly_rate": rate, "total": rate * nights, "nights": nights, "currency": "usd",
        })
    })
    .collect()
}
