//! Every tool there is, one file each.

mod check_in_guest;
mod compensate_checkout_failure;
mod get_execution;
mod get_folio;
mod list_compensations;
mod post_charge;
mod process_guest_checkout;
mod resolve_execution;
mod search_executions;

use serde_json::{Value, json};

use crate::{
    caller::{Caller, Role},
    tool::{Field, Source, Tool},
};

/// Every role.
const ALL_ROLES: &[Role] = &Role::ALL;
/// Those who deal with guests' money.
const DESK: &[Role] = &[Role::FrontDesk, Role::Manager];

/// All tools, in the order lists show them.
#[must_use]
pub fn all() -> Vec<Tool> {
    vec![
        check_in_guest::tool(),
        get_folio::tool(),
        process_guest_checkout::tool(),
        post_charge::tool(),
        get_execution::tool(),
        search_executions::tool(),
        list_compensations::tool(),
        compensate_checkout_failure::tool(),
        resolve_execution::tool(),
    ]
}

/// The tools that exist for this caller, in the same order for everybody.
#[must_use]
pub fn for_caller(caller: &Caller) -> Vec<Tool> {
    all().into_iter().filter(|tool| tool.exists_for(caller)).collect()
}

/// The tool of that name, if it exists for this caller.
#[must_use]
pub fn find(caller: &Caller, name: &str) -> Option<Tool> {
    for_caller(caller).into_iter().find(|tool| tool.name == name)
}

fn guest_email() -> Field {
    Field {
        name: "guest_email",
        required: true,
        source: Source::Session,
        schema: json!({ "type": "string", "format": "email", "minLength": 3, "maxLength": 80,
            "description": "The guest's email address. Guests may leave it out: it is theirs." }),
    }
}

fn booking_number() -> Field {
    optional(
        "booking_number",
        json!({ "type": "string", "pattern": "^BK-[0-9]{4,}$", "maxLength": 20,
        "description": "Which booking, such as BK-0042; only needed when the guest has several stays." }),
    )
}

fn room_number() -> Field {
    optional(
        "room_number",
        json!({ "type": "string", "pattern": "^[0-9A-Za-z]{1,5}$",
        "description": "Which room, such as 302; only needed when the guest has several stays." }),
    )
}

const fn optional(name: &'static str, schema: Value) -> Field {
    Field { name, required: false, source: Source::Words, schema }
}

fn day(words: &str) -> Value {
    json!({ "type": "string", "format": "date", "maxLength": 10, "description": words })
}

fn reason(words: &str) -> Value {
    json!({ "type": "string", "minLength": 3, "maxLength": 500, "description": words })
}

fn limit(default: u32) -> Field {
    let words = format!("At most so many; {default} if left out.");
    optional(
        "limit",
        json!({ "type": "integer", "minimum": 1, "maximum": 200, "default": default, "description": words }),
    )
}
