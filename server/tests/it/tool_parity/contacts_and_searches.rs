//! create_contact_if_not_found and the searches.

use dewy_domain::error_code::ErrorCode;
use serde_json::json;

use super::{BETH, FRONT_DESK, HOUSEKEEPER, ParityCaller, Row, row};

const SARAH: ParityCaller = ParityCaller::Guest("sarah@example.com");

pub fn rows() -> Vec<Row> {
    [contacts(), own(), for_staff()].concat()
}

fn contacts() -> Vec<Row> {
    let tool = "create_contact_if_not_found";
    let ada = json!({ "email": "Ada@Example.com", "first_name": "Ada", "last_name": "Lovelace" });
    vec![
        row("a guest makes", BETH, tool, ada.clone())
            .token("k0")
            .refused(ErrorCode::UnknownTool),
        row(
            "make nobody",
            FRONT_DESK,
            tool,
            json!({ "email": "not an email" }),
        )
        .token("k1")
        .refused(ErrorCode::ValidationFailed),
        row("make", FRONT_DESK, tool, ada.clone())
            .token("k2")
            .answers(201)
            .holds("/data/created", true),
        row("make again", FRONT_DESK, tool, ada.clone())
            .token("k2")
            .answers(201)
            .holds("/replayed", true),
        row("find", FRONT_DESK, tool, ada)
            .token("k3")
            .holds("/data/created", false)
            .holds("/data/email", "ada@example.com"),
    ]
}

fn own() -> Vec<Row> {
    let (stays, cases, bookings) = (
        "search_rooms_on_behalf_of_guest",
        "search_cases_on_behalf_of_guest",
        "search_bookings",
    );
    vec![
        row("now", BETH, stays, json!({}))
            .holds("/data/stays/0/room_number", "302")
            .holds("/data/cut", false),
        row("to come", SARAH, stays, json!({ "filter": "upcoming" }))
            .holds("/data/stays/0/room_number", "205")
            .holds("/data/stays/0/total", 52500)
            .holds("/data/stays/0/nightly_rate", 17500)
            .holds("/data/stays/0/currency", "usd"),
        row("not now", SARAH, stays, json!({})).holds("/data/stays", json!([])),
        row(
            "now, by email",
            BETH,
            stays,
            json!({ "guest_email": "beth.gibbs@email.com" }),
        )
        .holds("/data/stays/0/room_number", "302"),
        row(
            "others' stays",
            BETH,
            stays,
            json!({ "guest_email": "sarah@example.com" }),
        )
        .refused(ErrorCode::NotYourStay),
        row("some day", BETH, stays, json!({ "filter": "some day" }))
            .refused(ErrorCode::ValidationFailed),
        row("staff have no stays", FRONT_DESK, stays, json!({})).refused(ErrorCode::UnknownTool),
        row("asked for", BETH, cases, json!({ "status_filter": "All" })).holds("/data/cut", false),
        row(
            "asked for, by email",
            BETH,
            cases,
            json!({ "guest_email": "beth.gibbs@email.com" }),
        )
        .holds("/data/cut", false),
        row(
            "what others asked for",
            BETH,
            cases,
            json!({ "guest_email": "sarah@example.com" }),
        )
        .refused(ErrorCode::NotYourStay),
        row(
            "asked for what?",
            BETH,
            cases,
            json!({ "status_filter": "Gone" }),
        )
        .refused(ErrorCode::ValidationFailed),
        row("staff ask for nothing", FRONT_DESK, cases, json!({})).refused(ErrorCode::UnknownTool),
        row("my bookings", BETH, bookings, json!({}))
            .holds("/data/bookings/0/booking_number", "BK-0042"),
        row(
            "others' bookings",
            BETH,
            bookings,
            json!({ "guest_email": "sarah@example.com" }),
        )
        .refused(ErrorCode::NotYourStay),
        row(
            "bookings backwards",
            FRONT_DESK,
            bookings,
            json!({ "from_date": "{today+2}", "to_date": "{today}" }),
        )
        .refused(ErrorCode::ValidationFailed),
        row(
            "arrivals",
            FRONT_DESK,
            bookings,
            json!({ "status": "Reserved", "room_number": "205" }),
        )
        .holds("/data/bookings/0/guest_email", "sarah@example.com"),
        row("brooms book nothing", HOUSEKEEPER, bookings, json!({}))
            .refused(ErrorCode::UnknownTool),
    ]
}

fn for_staff() -> Vec<Row> {
    let (rooms, cases, guests) = (
        "search_rooms_on_behalf_of_staff",
        "search_cases_on_behalf_of_staff",
        "search_guests",
    );
    vec![
        row(
            "dirty on two",
            HOUSEKEEPER,
            rooms,
            json!({ "status_filter": "Cleaning", "floor_filter": 2 }),
        )
        .holds("/data/rooms/0/room_number", "201"),
        row(
            "dirty",
            HOUSEKEEPER,
            rooms,
            json!({ "status_filter": "Dirty" }),
        )
        .refused(ErrorCode::ValidationFailed),
        row("guests see no rooms", BETH, rooms, json!({})).refused(ErrorCode::UnknownTool),
        row(
            "urgent",
            HOUSEKEEPER,
            cases,
            json!({ "case_type_filter": "Maintenance", "priority_filter": "Urgent" }),
        )
        .holds("/data/cases/0/room_number", "108"),
        row(
            "by number",
            HOUSEKEEPER,
            cases,
            json!({ "case_number": "1001" }),
        )
        .holds("/data/cases/0/case_number", "00001001")
        .holds("/data/cut", false),
        row(
            "by no number",
            HOUSEKEEPER,
            cases,
            json!({ "case_number": "one" }),
        )
        .refused(ErrorCode::ValidationFailed),
        row(
            "urgent?",
            HOUSEKEEPER,
            cases,
            json!({ "priority_filter": "Very" }),
        )
        .refused(ErrorCode::ValidationFailed),
        row("guests see no cases", BETH, cases, json!({})).refused(ErrorCode::UnknownTool),
        row("by name", FRONT_DESK, guests, json!({ "query": "gibbs" }))
            .holds("/data/guests/0/guest_email", "beth.gibbs@email.com")
            .holds("/data/guests/0/stays/0/room_number", "302"),
        row("by room", FRONT_DESK, guests, json!({ "query": "104" }))
            .holds("/data/guests/0/guest_email", "nora.o'brien@example.com"),
        row("by nothing", FRONT_DESK, guests, json!({ "query": " " }))
            .refused(ErrorCode::ValidationFailed),
        row(
            "guests find nobody",
            BETH,
            guests,
            json!({ "query": "gibbs" }),
        )
        .refused(ErrorCode::UnknownTool),
    ]
}
