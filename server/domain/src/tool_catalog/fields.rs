//! Input fields and schemas shared by the catalog entries.

use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    caller::Persona,
    tool::{Field, Source},
    vocabulary::{BookingAction, CasePriority, CaseType},
};

/// An auto-number name of a record. Each org chooses its own format: text, a counter, perhaps the
/// date; 30 characters at most.
pub const RECORD_NAME: &str = "^[A-Za-z0-9][A-Za-z0-9 ./#_-]{0,29}$";

/// Number of a case, with or without the zeros in front.
pub const CASE_NUMBER: &str = "^[0-9]{1,10}$";

/// Time of day, as `14:00`.
pub const TIME_OF_DAY: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]$";

pub(super) fn guest_email() -> Field {
    Field {
        name: "",
        required: true,
        source: Source::Session,
        only: None,
        schema: json!({ "type": "string", "format": "email", "minLength": 3, "maxLength": 80,
            "description": "The guest's email address." }),
    }
}

/// The guest of a tool that begins from a person. Staff may name the booking alone instead, because
/// people without an email are guests too: [`guest_or_booking`].
pub(super) fn guest_of_booking() -> Field {
    let mut field = optional_guest_email();
    field.schema["description"] =
        "The guest's email address; without one, booking_number alone.".into();
    field
}

/// Another booking of a guest whom staff book for, instead of the guest's email.
pub(super) fn same_guest_as() -> Field {
    staff_only(json!({ "type": "string", "pattern": RECORD_NAME,
        "description": "Instead of guest_email: another booking of the guest. Without either: names and phone." }))
}

/// The booking that staff name instead of its guest.
pub(super) fn booking_of_guest() -> Field {
    staff_only(json!({ "type": "string", "pattern": RECORD_NAME,
        "description": "Instead of guest_email." }))
}

pub(super) fn booking_number() -> Field {
    optional(json!({ "type": "string", "pattern": RECORD_NAME,
        "description": "Which booking, such as BK-0042: where the guest has several stays, or no email." }))
}

pub(super) fn room_number() -> Field {
    optional(room(
        "Which room, such as 302; only needed when the guest has several stays.",
    ))
}

pub(super) const fn optional(schema: Value) -> Field {
    Field {
        name: "",
        required: false,
        source: Source::Words,
        only: None,
        schema,
    }
}

/// Earlier effect that is repeated on purpose.
pub(super) fn repeat_of() -> Field {
    optional(json!({ "type": "string", "maxLength": 30,
        "description": "details.similar.number, to repeat it on purpose." }))
}

/// Price that the person was shown. An interface that shows it fills it itself.
pub(super) fn agreed_price() -> Field {
    Field {
        source: Source::Folio,
        ..optional(whole(
            0,
            99_999_999,
            "Agreed price in cents, else PRICE_CHANGED.",
        ))
    }
}

/// Fee for which a form grants a late check-out: none, or half a night, as the form showed it.
pub(super) fn late_checkout_fee() -> Field {
    Field {
        source: Source::Form,
        ..optional(whole(0, 99_999_999, "In cents."))
    }
}

/// Values that a form showed and would replace.
pub(super) fn shown() -> Field {
    let schema = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    Field {
        source: Source::Form,
        ..optional(schema)
    }
}

pub(super) fn day(words: &str) -> Value {
    json!({ "type": "string", "format": "date", "maxLength": 10, "description": words })
}

pub(super) fn reason(words: &str) -> Value {
    json!({ "type": "string", "minLength": 3, "maxLength": 500, "description": words })
}

pub(super) fn limit(default: u32) -> Field {
    or(
        default,
        optional(whole(1, 200, "Maximum number of results.")),
    )
}

pub(super) const fn needed(schema: Value) -> Field {
    Field {
        name: "",
        required: true,
        source: Source::Words,
        only: None,
        schema,
    }
}

/// A field of the hotel's contact record: needed only for a guest whom the hotel does not know.
pub(super) const fn of_contact(schema: Value) -> Field {
    Field {
        name: "",
        required: false,
        source: Source::Contact,
        only: None,
        schema,
    }
}

/// A field only staff have.
pub(super) const fn staff_only(schema: Value) -> Field {
    Field {
        name: "",
        required: false,
        source: Source::Words,
        only: Some(Persona::Staff),
        schema,
    }
}

/// Adds a default value. Leaving the field out and sending the default are the same request.
pub(super) fn or(value: impl Into<Value>, mut field: Field) -> Field {
    field.schema["default"] = value.into();
    field
}

/// Requires at least one of these fields.
pub(super) fn any_of(names: &[&str]) -> Value {
    json!({ "anyOf": names.iter().map(|name| json!({ "required": [name] })).collect::<Vec<_>>() })
}

/// Requires exactly one of these fields.
pub(super) fn one_field_of(names: &[&str]) -> Value {
    json!({ "oneOf": names.iter().map(|name| json!({ "required": [name] })).collect::<Vec<_>>() })
}

/// Optional guest email, for tools that don't need a guest.
pub(super) fn optional_guest_email() -> Field {
    Field {
        required: false,
        ..guest_email()
    }
}

pub(super) fn guest_action() -> Field {
    let schema = one_of(
        &[BookingAction::Update, BookingAction::Cancel],
        "What to do.",
    );
    or(
        "update",
        Field {
            only: Some(Persona::Guest),
            ..optional(schema)
        },
    )
}

pub(super) fn staff_action() -> Field {
    let schema = one_of(
        &[
            BookingAction::Update,
            BookingAction::Cancel,
            BookingAction::NoShow,
        ],
        "What to do; no_show from the day after arrival.",
    );
    or("update", staff_only(schema))
}

pub(super) fn number_of_guests(words: &str) -> Field {
    optional(whole(1, 20, words))
}

pub(super) fn room_type() -> Field {
    optional(one_of(
        &["Standard", "Deluxe", "Suite", "Penthouse"],
        "Which type of room.",
    ))
}

pub(super) fn special_requests(removed: &str) -> Field {
    let words = format!("What the guest asks for, such as a crib or a quiet room{removed}.");
    optional(text(2000, &words))
}

pub(super) fn priority() -> Field {
    or(
        CasePriority::Medium.as_str(),
        optional(one_of(CasePriority::WORDS, "How urgent.")),
    )
}

pub(super) fn case_type() -> Value {
    one_of(CaseType::WORDS, "Only of this type.")
}

pub(super) fn email(words: &str) -> Value {
    json!({ "type": "string", "format": "email", "minLength": 3, "maxLength": 80, "description": words })
}

/// Names of the phone fields, which are read as phone numbers and stored in one
/// form.
pub const PHONE_FIELDS: [&str; 2] = ["phone", "guest_phone"];

pub(super) fn phone() -> Value {
    text(
        60,
        "Phone number as it is written, best with the country code: +1 212 555 0101.",
    )
}

/// A room: each org chooses how it names its rooms.
pub(super) fn room(words: &str) -> Value {
    text(80, words)
}

pub(super) fn pattern(pattern: &str, words: &str) -> Value {
    json!({ "type": "string", "pattern": pattern, "description": words })
}

/// Schema of a non-blank text.
pub(super) fn text(longest: u32, words: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": longest, "pattern": "\\S", "description": words })
}

pub(super) fn whole(least: u32, most: u32, words: &str) -> Value {
    json!({ "type": "integer", "minimum": least, "maximum": most, "description": words })
}

pub(super) fn flag(words: &str) -> Value {
    json!({ "type": "boolean", "description": words })
}

pub(super) fn one_of(values: &[impl Serialize], words: &str) -> Value {
    json!({ "type": "string", "enum": values, "description": words })
}
