//! Tools used by the boards of the double besides the snapshot.

use dewy_domain::{
    answer::{Settled, ToolAnswer},
    caller::{Caller, Persona},
    error_code::ErrorCode,
    tool::ToolCall,
};
use serde_json::{Value, json};

use super::{
    House,
    tools::{fail, pending},
};

impl House {
    /// Tools of the boards; not those for guests, some of which have other doubles.
    pub(super) fn desk_tool(&self, caller: &Caller, call: &ToolCall) -> Option<ToolAnswer> {
        if caller.persona != Persona::Staff {
            return None;
        }
        let text = |name: &str| {
            call.input
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        Some(match call.tool.as_str() {
            "search_cases_on_behalf_of_staff" if self.state().no_rooms.is_some() => {
                fail(ErrorCode::UpstreamUnavailable, Value::Null)
            }
            "search_cases_on_behalf_of_staff" => cases(text("status_filter"), text("case_number")),
            "search_guests" => guests(text("query")),
            "search_bookings" => ToolAnswer::data(json!({ "bookings": [old_booking()], "cut": false, "how_to_narrow": "" })),
            "search_available_rooms" if text("check_out_date") <= text("check_in_date") => fail(
                ErrorCode::DatesInvalid,
                json!({ "problems": [{ "field": "check_out_date", "message": "check_out_date must be after check_in_date." }] }),
            ),
            "search_available_rooms" => {
                ToolAnswer::data(json!({ "rooms": [free("205", 17500), free("410", 89900)], "cut": false, "how_to_narrow": "" }))
            }
            tool @ "check_in_guest" if call.idempotency_token.as_deref() == Some("at-once") => {
                self.settled(tool, json!({ "room_number": "205", "booking_status": "Checked In" }))
            }
            "undo_check_in" if text("booking_number") == "BK-0042" => fail(
                ErrorCode::InvalidTransition,
                json!({ "why": "Somebody has changed the room since the check-in." }),
            ),
            tool @ "undo_check_in" => {
                self.settled(tool, json!({ "room_number": "205", "room_status": "Vacant" }))
            }
            "set_room_status" if text("room_number") == "302" => {
                fail(ErrorCode::RoomOccupied, json!({ "room_number": "302", "room_status": "Occupied" }))
            }
            "set_room_status" => self.settled(
                "set_room_status",
                json!({ "room_number": text("room_number"), "room_status": text("status"), "previous_status": "Cleaning" }),
            ),
            "manage_cases" if text("case_number") == "00001002" => {
                fail(ErrorCode::InvalidTransition, json!({ "case_number": "00001002", "case_status": "Closed" }))
            }
            tool @ ("manage_cases" | "submit_guest_service_request" | "submit_maintenance_request") => self.settled(
                tool,
                json!({ "case_number": "00001009", "case_status": "New", "subject": text("subject") }),
            ),
            "manage_bookings" if text("room_number") == "410" => {
                fail(ErrorCode::RoomAlreadyBooked, json!({ "room_number": "410" }))
            }
            tool @ "manage_bookings" => self.settled(
                tool,
                json!({ "booking_number": text("booking_number"), "room_number": text("room_number") }),
            ),
            tool @ "create_contact_if_not_found" => self.settled(tool, json!({ "email": text("email") })),
            tool @ "create_booking" => pending(self.begin(tool, "")),
            _ => return None,
        })
    }

    fn settled(&self, tool: &str, data: Value) -> ToolAnswer {
        ToolAnswer::Settled {
            settled: Settled::Done {
                data,
                created: false,
            },
            execution_id: Some(self.begin(tool, "")),
            replayed: false,
            repeatable: false,
        }
    }
}

fn case(number: &str, kind: &str, status: &str, priority: &str, subject: &str) -> Value {
    json!({
        "case_number": number, "subject": subject, "description": subject, "type": kind, "case_status": status,
        "priority": priority, "room_number": "302", "booking_number": "BK-0042", "guest_name": "Beth Gibbs",
        "guest_email": "beth.gibbs@example.com", "created_at": "2026-11-20T09:03:20Z",
        "assignee": (status == "In Progress").then_some("maintenance@dewy.example"),
        "comments": [{ "body": "The plumber is booked.", "at": "2026-11-20T11:03:20Z" }],
    })
}

fn cases(status: &str, number: &str) -> ToolAnswer {
    let mut all = vec![
        case(
            "00001001",
            "Housekeeping",
            "New",
            "Medium",
            "Two more towels",
        ),
        case(
            "00001003",
            "Maintenance",
            "In Progress",
            "Urgent",
            "The ceiling leaks",
        ),
        case(
            "00001004",
            "Concierge",
            "New",
            "Low",
            "A taxi to the airport",
        ),
    ];
    if status == "All" || !number.is_empty() {
        all.push(case(
            "00001002",
            "Maintenance",
            "Closed",
            "High",
            "The lamp flickers",
        ));
    }
    all.retain(|case| number.is_empty() || case["case_number"] == number);
    ToolAnswer::data(json!({ "cases": all, "cut": false, "how_to_narrow": "" }))
}

fn guests(query: &str) -> ToolAnswer {
    let known = [
        "beth",
        "302",
        "bk-0001",
        "bk-0042",
        "beth.gibbs@example.com",
    ]
    .contains(&query.to_lowercase().as_str());
    let beth = json!({
        "guest_email": "beth.gibbs@example.com", "first_name": "Beth", "last_name": "Gibbs", "phone": "+1 555 010 0001",
        "loyalty_number": "DR-10042",
        "stays": [{ "booking_number": "BK-0042", "booking_status": "Checked In", "room_number": "302",
            "check_in_date": "2026-11-18", "check_out_date": "2026-11-20" }],
    });
    let guests = if known { vec![beth] } else { Vec::new() };
    ToolAnswer::data(json!({ "guests": guests, "cut": false, "how_to_narrow": "" }))
}

fn old_booking() -> Value {
    json!({
        "booking_number": "BK-0001", "booking_status": "Checked Out", "check_in_date": "2026-03-02",
        "check_out_date": "2026-03-04", "room_number": "302", "room_type": "Deluxe", "room_status": "Occupied", "beds": null,
        "view": null, "number_of_guests": 1, "special_requests": null, "guest_name": "Beth Gibbs",
        "guest_email": "beth.gibbs@example.com",
    })
}

fn free(number: &str, rate: i64) -> Value {
    json!({ "room_number": number, "room_type": "Deluxe", "floor": 2, "beds": "1 King", "view": "Ocean", "max_occupancy": 2,
        "accessible": false, "nightly_rate": rate, "total": rate * 2, "nights": 2, "currency": "usd" })
}
