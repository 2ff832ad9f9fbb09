//! set_room_status, submit_guest_service_request, submit_maintenance_request, manage_cases.

use dewy_domain::error_code::ErrorCode;
use serde_json::{Value, json};

use super::{BETH, FRONT_DESK, HOUSEKEEPER, ParityCaller, Row, row};

const WEI: ParityCaller = ParityCaller::Guest("wei.chen@example.com");
const WRENCH: ParityCaller = ParityCaller::Staff("maintenance@dewy.example");

pub fn rows() -> Vec<Row> {
    [rooms(), requests(), defects(), cases()].concat()
}

fn rooms() -> Vec<Row> {
    let tool = "set_room_status";
    let to = |room: &str, status: &str| json!({ "room_number": room, "status": status });
    vec![
        row("a guest cleans", BETH, tool, to("201", "Vacant"))
            .token("s0")
            .refused(ErrorCode::UnknownTool),
        row("occupy", HOUSEKEEPER, tool, to("201", "Occupied"))
            .token("s1")
            .refused(ErrorCode::ValidationFailed),
        row("clean nothing", HOUSEKEEPER, tool, to("999", "Vacant"))
            .token("s2")
            .refused(ErrorCode::RoomNotFound),
        row(
            "clean under a guest",
            HOUSEKEEPER,
            tool,
            to("302", "Cleaning"),
        )
        .token("s3")
        .refused(ErrorCode::RoomOccupied),
        row(
            "from cleaning to repair",
            HOUSEKEEPER,
            tool,
            to("201", "Maintenance"),
        )
        .token("s4")
        .refused(ErrorCode::InvalidTransition)
        .holds("/details/allowed/0", "Vacant"),
        row("clean", HOUSEKEEPER, tool, to("201", "Vacant"))
            .token("s5")
            .holds("/data/room_status", "Vacant")
            .holds("/data/previous_status", "Cleaning"),
        row("clean again", HOUSEKEEPER, tool, to("201", "Vacant"))
            .token("s5")
            .holds("/replayed", true),
        row(
            "clean what is clean",
            HOUSEKEEPER,
            tool,
            to("201", "Vacant"),
        )
        .token("s6")
        .holds("/data/room_status", "Vacant"),
    ]
}

fn requests() -> Vec<Row> {
    let tool = "submit_guest_service_request";
    let towels = json!({ "type": "Housekeeping", "description": "Two towels, please" });
    let with = |name: &str, value: Value| {
        let mut input = towels.clone();
        input[name] = value;
        input
    };
    vec![
        row("wish as a broom", HOUSEKEEPER, tool, towels.clone())
            .token("r0")
            .refused(ErrorCode::UnknownTool),
        row("wish nothing", BETH, tool, with("description", json!("  ")))
            .token("r1")
            .refused(ErrorCode::ValidationFailed),
        row(
            "wish elsewhere",
            BETH,
            tool,
            with("room_number", json!("104")),
        )
        .token("r2")
        .refused(ErrorCode::RoomNotFound),
        row(
            "wish for nobody",
            FRONT_DESK,
            tool,
            with("guest_email", json!("nobody@example.com")),
        )
        .token("r3")
        .refused(ErrorCode::GuestNotFound),
        row("wish in which room?", WEI, tool, towels.clone())
            .token("r4")
            .refused(ErrorCode::MultipleBookings),
        row("wish", BETH, tool, towels.clone())
            .token("r5")
            .answers(201)
            .holds("/data/room_number", "302")
            .holds("/data/priority", "Medium")
            .holds("/data/case_status", "New"),
        row("wish again", BETH, tool, towels.clone())
            .token("r5")
            .answers(201)
            .holds("/replayed", true),
        row(
            "wish for a guest",
            FRONT_DESK,
            tool,
            with("guest_email", json!("wei.chen@example.com")),
        )
        .token("r6")
        .refused(ErrorCode::MultipleBookings),
    ]
}

fn defects() -> Vec<Row> {
    let tool = "submit_maintenance_request";
    let leak = |room: &str, out: bool| json!({ "room_number": room, "description": "It leaks", "take_out_of_service": out });
    let by = |email: &str| json!({ "guest_email": email, "description": "It leaks" });
    vec![
        row("a guest reports", BETH, tool, leak("302", false))
            .token("d0")
            .refused(ErrorCode::UnknownTool),
        row("report nowhere", WRENCH, tool, leak("999", false))
            .token("d1")
            .refused(ErrorCode::RoomNotFound),
        row("close an occupied room", WRENCH, tool, leak("302", true))
            .token("d2")
            .refused(ErrorCode::RoomOccupied),
        row("report", WRENCH, tool, leak("302", false))
            .token("d3")
            .answers(201)
            .holds("/data/type", "Maintenance")
            .holds("/data/room_status", "Occupied"),
        row(
            "a guest's report",
            FRONT_DESK,
            tool,
            by("beth.gibbs@email.com"),
        )
        .token("d5")
        .answers(201)
        .holds("/data/room_number", "302"),
        row(
            "nobody's report",
            FRONT_DESK,
            tool,
            by("nobody@example.com"),
        )
        .token("d6")
        .refused(ErrorCode::GuestNotFound),
        row("who is not here", FRONT_DESK, tool, by("sarah@example.com"))
            .token("d7")
            .refused(ErrorCode::BookingNotFound),
        row("no guests here", WRENCH, tool, by("beth.gibbs@email.com"))
            .token("d8")
            .refused(ErrorCode::ValidationFailed),
        row("close", WRENCH, tool, leak("206", true))
            .token("d4")
            .answers(201)
            .holds("/data/room_status", "Out of Service"),
        row("close again", WRENCH, tool, leak("206", true))
            .token("d4")
            .answers(201)
            .holds("/replayed", true),
    ]
}

fn cases() -> Vec<Row> {
    let tool = "manage_cases";
    let of = |mut input: Value| {
        input["case_number"] = json!("{wish:/data/case_number}");
        input
    };
    vec![
        row(
            "a guest works",
            BETH,
            tool,
            of(json!({ "status": "In Progress" })),
        )
        .token("w0")
        .refused(ErrorCode::UnknownTool),
        row(
            "work on nothing",
            WRENCH,
            tool,
            json!({ "case_number": "99999999", "status": "Closed" }),
        )
        .token("w1")
        .refused(ErrorCode::CaseNotFound)
        .holds("/details/case_number", "99999999"),
        row(
            "skip a step",
            WRENCH,
            tool,
            of(json!({ "status": "Closed" })),
        )
        .token("w2")
        .refused(ErrorCode::InvalidTransition)
        .holds("/details/case_status", "New"),
        row("nothing to change", WRENCH, tool, of(json!({})))
            .token("w3")
            .refused(ErrorCode::ValidationFailed),
        row(
            "to no room",
            WRENCH,
            tool,
            of(json!({ "room_number": "999" })),
        )
        .token("w4")
        .refused(ErrorCode::RoomNotFound)
        .holds("/details/room_number", "999"),
        row(
            "of nobody",
            WRENCH,
            tool,
            of(json!({ "guest_email": "nobody@example.com" })),
        )
        .token("w5")
        .refused(ErrorCode::GuestNotFound),
        row(
            "take it",
            HOUSEKEEPER,
            tool,
            of(json!({ "status": "In Progress", "assignee": "housekeeping@dewy.example" })),
        )
        .token("w6")
        .holds("/data/case_status", "In Progress")
        .holds("/data/assignee", "housekeeping@dewy.example"),
        row(
            "take it again",
            HOUSEKEEPER,
            tool,
            of(json!({ "status": "In Progress", "assignee": "housekeeping@dewy.example" })),
        )
        .token("w6")
        .holds("/replayed", true),
        row(
            "close it",
            HOUSEKEEPER,
            tool,
            of(json!({ "status": "Closed", "comment": "Done" })),
        )
        .token("w7")
        .holds("/data/case_status", "Closed"),
        row(
            "open one",
            HOUSEKEEPER,
            tool,
            json!({ "type": "Facilities", "subject": "Lift squeaks" }),
        )
        .token("w8")
        .answers(201)
        .holds("/data/case_status", "New"),
        row(
            "open a closed one",
            HOUSEKEEPER,
            tool,
            json!({ "type": "Facilities", "subject": "Lift", "status": "Closed" }),
        )
        .token("w9")
        .refused(ErrorCode::ValidationFailed),
    ]
}
