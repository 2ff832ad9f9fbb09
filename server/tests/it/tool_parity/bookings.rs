//! search_available_rooms, create_booking, manage_bookings.

use dewy_domain::error_code::ErrorCode;
use serde_json::{Value, json};

use super::{BETH, FRONT_DESK, HOUSEKEEPER, ParityCaller, Row, row};

const ADA: ParityCaller = ParityCaller::Guest("ada@example.com");
const SARAH: ParityCaller = ParityCaller::Guest("sarah@example.com");
const KATARZYNA: ParityCaller = ParityCaller::Guest("katarzyna.nowak@example.com");

fn ada(room: &str, from: &str, to: &str) -> Value {
    json!({ "guest_email": "ada@example.com", "guest_first_name": "Ada", "guest_last_name": "Lovelace", "room_number": room,
        "check_in_date": from, "check_out_date": to })
}

fn with(mut input: Value, name: &str, value: Value) -> Value {
    input[name] = value;
    input
}

fn without_name(mut input: Value) -> Value {
    let fields = input.as_object_mut().unwrap();
    fields.retain(|name, _| !matches!(name.as_str(), "guest_first_name" | "guest_last_name"));
    input
}

pub fn rows() -> Vec<Row> {
    [free(), made(), changed(), over()].concat()
}

fn free() -> Vec<Row> {
    let tool = "search_available_rooms";
    let days = json!({ "check_in_date": "{today+20}", "check_out_date": "{today+22}" });
    vec![
        row("free", ADA, tool, with(days.clone(), "limit", json!(1)))
            .holds("/data/rooms/0/room_number", "100")
            .holds("/data/rooms/0/nights", 2)
            .holds("/data/cut", true),
        row(
            "free suites",
            FRONT_DESK,
            tool,
            with(days.clone(), "room_type", json!("Suite")),
        )
        .holds("/data/rooms/0/room_type", "Suite"),
        row(
            "free and backwards",
            FRONT_DESK,
            tool,
            json!({ "check_in_date": "{today+2}", "check_out_date": "{today+1}" }),
        )
        .refused(ErrorCode::DatesInvalid)
        .holds("/details/problems/0/field", "check_out_date"),
        row(
            "free and no day",
            FRONT_DESK,
            tool,
            json!({ "check_in_date": "2026-02-30", "check_out_date": "{today+1}" }),
        )
        .refused(ErrorCode::ValidationFailed)
        .holds("/details/problems/0/field", "check_in_date"),
        row("free to a broom", HOUSEKEEPER, tool, days.clone()).refused(ErrorCode::UnknownTool),
        row("free in an outage", FRONT_DESK, tool, days)
            .fault("salesforce", "query", "garbage_body", 2)
            .refused(ErrorCode::UpstreamUnavailable),
    ]
}

fn made() -> Vec<Row> {
    let tool = "create_booking";
    let stay = ada("107", "{today+20}", "{today+22}");
    vec![
        row("book without a token", ADA, tool, stay.clone()).refused(ErrorCode::ValidationFailed),
        row(
            "book without a room",
            ADA,
            tool,
            with(stay.clone(), "room_number", json!([7])),
        )
        .token("b0")
        .refused(ErrorCode::ValidationFailed),
        row("book for another", BETH, tool, stay.clone())
            .token("b1")
            .refused(ErrorCode::NotYourStay),
        row("book as a broom", HOUSEKEEPER, tool, stay.clone())
            .token("b2")
            .refused(ErrorCode::UnknownTool),
        row(
            "book nowhere",
            FRONT_DESK,
            tool,
            ada("999", "{today+20}", "{today+22}"),
        )
        .token("b3")
        .refused(ErrorCode::RoomNotFound),
        row(
            "book for nine",
            FRONT_DESK,
            tool,
            with(stay.clone(), "number_of_guests", json!(9)),
        )
        .token("b4")
        .refused(ErrorCode::TooManyGuests),
        row(
            "book yesterday",
            FRONT_DESK,
            tool,
            ada("107", "{today-1}", "{today+1}"),
        )
        .token("b5")
        .refused(ErrorCode::DatesInvalid),
        row(
            "book without a name, unknown",
            ADA,
            tool,
            without_name(stay.clone()),
        )
        .token("n0")
        .refused(ErrorCode::ValidationFailed)
        .holds("/details/problems/1/field", "guest_last_name"),
        row(
            "book without a name, known",
            KATARZYNA,
            tool,
            with(
                without_name(ada("108", "{today+20}", "{today+21}")),
                "guest_email",
                json!("katarzyna.nowak@example.com"),
            ),
        )
        .token("n1")
        .answers(201)
        .holds("/data/contact_created", false),
        row(
            "book without a name, staff",
            FRONT_DESK,
            tool,
            without_name(ada("109", "{today+20}", "{today+21}")),
        )
        .token("n2")
        .refused(ErrorCode::ValidationFailed)
        .holds("/details/problems/0/field", "guest_first_name"),
        row("book", ADA, tool, stay.clone())
            .token("b6")
            .answers(201)
            .holds("/data/booking_status", "Reserved")
            .holds("/data/contact_created", true)
            .holds("/data/nights", 2),
        row("book again", ADA, tool, stay.clone())
            .token("b6")
            .answers(201)
            .holds("/replayed", true),
        row(
            "book otherwise",
            ADA,
            tool,
            with(stay.clone(), "number_of_guests", json!(2)),
        )
        .token("b6")
        .refused(ErrorCode::IdempotencyMismatch),
        row(
            "book what is taken",
            FRONT_DESK,
            tool,
            ada("107", "{today+21}", "{today+23}"),
        )
        .token("b7")
        .refused(ErrorCode::RoomAlreadyBooked),
        row(
            "book on the day of departure",
            FRONT_DESK,
            tool,
            ada("107", "{today+22}", "{today+23}"),
        )
        .token("b8")
        .answers(201)
        .holds("/data/contact_created", false),
    ]
}

fn changed() -> Vec<Row> {
    let tool = "manage_bookings";
    let of = |input: Value| {
        with(
            input,
            "booking_number",
            json!("{book:/data/booking_number}"),
        )
    };
    vec![
        row("change nothing", ADA, tool, of(json!({})))
            .token("m0")
            .refused(ErrorCode::ValidationFailed),
        row(
            "change as a broom",
            HOUSEKEEPER,
            tool,
            of(json!({ "number_of_guests": 2 })),
        )
        .token("m1")
        .refused(ErrorCode::UnknownTool),
        row(
            "change another's",
            SARAH,
            tool,
            of(json!({ "number_of_guests": 2 })),
        )
        .token("m2")
        .refused(ErrorCode::BookingNotFound),
        row(
            "change nobody's",
            FRONT_DESK,
            tool,
            json!({ "booking_number": "BK-9999", "number_of_guests": 2 }),
        )
        .token("m3")
        .refused(ErrorCode::BookingNotFound),
        row(
            "change to no room",
            FRONT_DESK,
            tool,
            of(json!({ "room_number": "999" })),
        )
        .token("m4")
        .refused(ErrorCode::RoomNotFound),
        row(
            "change to nobody",
            FRONT_DESK,
            tool,
            of(json!({ "new_guest_email": "nobody@example.com" })),
        )
        .token("m5")
        .refused(ErrorCode::GuestNotFound),
        row(
            "a guest gives it away",
            ADA,
            tool,
            of(json!({ "new_guest_email": "sarah@example.com" })),
        )
        .token("m6")
        .refused(ErrorCode::ValidationFailed),
        row(
            "change to many",
            FRONT_DESK,
            tool,
            of(json!({ "number_of_guests": 9 })),
        )
        .token("m7")
        .refused(ErrorCode::TooManyGuests),
        row(
            "change into the next one",
            ADA,
            tool,
            of(json!({ "check_out_date": "{today+23}" })),
        )
        .token("m8")
        .refused(ErrorCode::RoomAlreadyBooked),
        row(
            "change",
            ADA,
            tool,
            of(json!({ "check_in_date": "{today+19}", "special_requests": "A cot" })),
        )
        .token("m9")
        .holds("/data/nights", 3)
        .holds("/data/booking_status", "Reserved")
        .holds("/data/special_requests", "A cot"),
        row(
            "change again",
            ADA,
            tool,
            of(json!({ "check_in_date": "{today+19}", "special_requests": "A cot" })),
        )
        .token("m9")
        .holds("/replayed", true),
        row(
            "change backwards",
            ADA,
            tool,
            of(json!({ "check_out_date": "{today+18}" })),
        )
        .token("m10")
        .refused(ErrorCode::DatesInvalid),
        row(
            "move",
            FRONT_DESK,
            tool,
            of(json!({ "room_number": "300" })),
        )
        .token("m11")
        .holds("/data/room_number", "300"),
        row(
            "edit in the house",
            BETH,
            tool,
            json!({ "booking_number": "BK-0042", "special_requests": "Late tea" }),
        )
        .token("m12")
        .holds("/data/booking_status", "Checked In"),
        row(
            "a guest moves in the house",
            BETH,
            tool,
            json!({ "booking_number": "BK-0042", "room_number": "300" }),
        )
        .token("m13")
        .refused(ErrorCode::InvalidTransition),
        row(
            "move into a dirty room",
            FRONT_DESK,
            tool,
            json!({ "booking_number": "BK-0042", "room_number": "309" }),
        )
        .token("m14")
        .refused(ErrorCode::RoomNotVacant),
        row(
            "move in the house",
            FRONT_DESK,
            tool,
            json!({ "booking_number": "BK-0042", "room_number": "305" }),
        )
        .token("m15")
        .holds("/data/room_number", "305")
        .holds("/data/booking_status", "Checked In"),
    ]
}

fn over() -> Vec<Row> {
    let tool = "manage_bookings";
    let cancel = || json!({ "booking_number": "{book:/data/booking_number}", "action": "cancel" });
    vec![
        row("cancel", ADA, tool, cancel())
            .token("c0")
            .holds("/data/booking_status", "Cancelled")
            .holds("/data/opportunity_stage", "Closed Lost"),
        row("cancel what is cancelled", ADA, tool, cancel())
            .token("c1")
            .refused(ErrorCode::InvalidTransition),
        row(
            "change what is cancelled",
            FRONT_DESK,
            tool,
            with(cancel(), "action", json!("no_show")),
        )
        .token("c2")
        .refused(ErrorCode::InvalidTransition),
        row(
            "a guest does not come",
            SARAH,
            tool,
            json!({ "booking_number": "BK-0034", "action": "no_show" }),
        )
        .token("c3")
        .refused(ErrorCode::ValidationFailed),
        row(
            "not yet a no-show",
            FRONT_DESK,
            tool,
            json!({ "booking_number": "BK-0034", "action": "no_show" }),
        )
        .token("c4")
        .refused(ErrorCode::InvalidTransition),
        row(
            "no-show",
            FRONT_DESK,
            tool,
            json!({ "booking_number": "BK-0021", "action": "no_show" }),
        )
        .token("c5")
        .holds("/data/booking_status", "No Show"),
    ]
}
