//! Input of a tool that begins from a person: who has no email is named by the booking alone.

use serde_json::{Value, json};

/// Guest and booking, as far as each is known.
pub fn guest_input(guest_email: &str, booking_number: &str) -> Value {
    let mut input = json!({});
    for (name, value) in [
        ("guest_email", guest_email),
        ("booking_number", booking_number),
    ] {
        if !value.is_empty() {
            input[name] = json!(value);
        }
    }
    input
}
