//! Inputs as a careful clerk reads them: `302` for `"302"`, `"2"` for `2`, `suite` for `Suite`, a
//! timestamp for its date, and `null` for a field that is left out, also in words where they can't mean
//! anything else. Every spelling of a value becomes one form before it is checked, stored, or compared.

use jiff::civil::Date;
use serde_json::{Map, Value, json};

use crate::{
    blank_text::{is_blank, is_invisible},
    caller::Persona,
    decimal_digits::with_ascii_digits,
    email_address::EmailAddress,
    full_width::narrow,
    tool::{Field, Tool},
    tool_catalog::{CASE_NUMBER, RECORD_NAME},
    whole_number::{whole_number, with_whole_numbers},
};

/// Field in cents: text there could as well be dollars, so it is never converted.
const CENTS: &str = "amount";

/// Fields without a form of their own that name a record, a room, a phone, or an address: no words of
/// people, such as names and requests.
const NAMING: [&str; 8] = [
    "room_number",
    "guest_phone",
    "phone",
    "repeat_of",
    "booking_number",
    "guest_email",
    "payment_intent_id",
    "tool",
];

/// Pattern of people's words.
const ANY_TEXT: &str = "\\S";

/// What programs write for nothing, without what is between the letters.
const NOTHING: [&str; 7] = ["", "null", "none", "na", "nil", "nan", "undefined"];

/// Characters that programs write around or between these letters.
const BESIDE_NOTHING: &str = " -–—/._<>()[]{}\"'";

/// Longest text that is one line: a name, a number, an address.
const LINE: u64 = 100;

/// The input with each field in its one form. Values that no rule recognizes stay as they are, and
/// fail the schema.
#[must_use]
pub fn canonical_input(tool: &Tool, persona: Persona, input: &Value) -> Value {
    let fields = match input {
        Value::Null => return json!({}),
        Value::Object(fields) => fields,
        other => return other.clone(),
    };
    let canonical: Map<String, Value> = fields
        .iter()
        .filter_map(|(name, value)| {
            let field = tool.fields(persona).find(|field| field.name == name);
            let value = match field {
                Some(field) => one_form(field, field.is_required(persona), value),
                None => Some(value.clone()),
            };
            Some((name.clone(), value?))
        })
        .collect();
    with_whole_numbers(Value::Object(canonical))
}

/// The value in the field's form; `None` if it says nothing.
fn one_form(field: &Field, required: bool, value: &Value) -> Option<Value> {
    let schema = &field.schema;
    match (schema["type"].as_str(), value) {
        (_, Value::Null) => None,
        (_, Value::String(text)) if !required && says_nothing(field, text) => None,
        (Some("string"), Value::Number(number)) => Some(Value::String(
            whole_number(value).map_or_else(|| number.to_string(), |whole| whole.to_string()),
        )),
        (Some("integer"), Value::String(text)) if field.name != CENTS => {
            Some(whole(text).map_or_else(|| value.clone(), Value::from))
        }
        (Some("boolean"), Value::String(text)) => Some(match text.trim() {
            yes if yes.eq_ignore_ascii_case("true") => json!(true),
            no if no.eq_ignore_ascii_case("false") => json!(false),
            _ => value.clone(),
        }),
        (Some("string"), Value::String(text)) => Some(Value::String(match &schema["enum"] {
            Value::Array(words) => listed(words, text).unwrap_or(text).to_owned(),
            _ if schema["format"] == "date" => {
                day(&with_one_dash(text)).map_or_else(|| text.clone(), |day| day.to_string())
            }
            _ if [RECORD_NAME, CASE_NUMBER]
                .iter()
                .any(|one| schema["pattern"] == *one)
                || field.name == "repeat_of" =>
            {
                record_name(text, schema["pattern"] == RECORD_NAME)
            }
            _ if schema["format"] == "email" => EmailAddress::from(text.as_str()).to_string(),
            // Numbers, names and addresses, and what has to have some length; other text is kept as it
            // was written
            _ if schema["maxLength"].as_u64().is_none_or(|most| most <= LINE)
                || schema["minLength"].as_u64().is_some_and(|least| least > 1) =>
            {
                text.trim().to_owned()
            }
            _ => text.clone(),
        })),
        _ => Some(value.clone()),
    }
}

/// Whether an optional field's text is empty, or a word for nothing in a field that can't mean it.
/// A NUL is no nothing: it is refused.
fn says_nothing(field: &Field, text: &str) -> bool {
    if is_blank(text) {
        return !text.contains('\0');
    }
    let schema = &field.schema;
    let words = match &schema["enum"] {
        Value::Array(words) => words.as_slice(),
        _ => &[],
    };
    let has_form = schema["type"] != "string"
        || !schema["enum"].is_null()
        || !schema["format"].is_null()
        || schema["pattern"]
            .as_str()
            .is_some_and(|form| form != ANY_TEXT);
    (has_form || NAMING.contains(&field.name))
        && listed(words, text).is_none()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || BESIDE_NOTHING.contains(c))
        && NOTHING.contains(&letters(text).as_str())
}

/// Letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// The text with its digits, full-width characters, and spaces in ASCII.
fn ascii(text: &str) -> String {
    let text = with_ascii_digits(&narrow(text));
    text.replace(['\u{a0}', '\u{202f}', '\u{2009}'], " ")
}

/// The text with its digits, dashes, full-width characters, and spaces in ASCII.
#[must_use]
pub fn with_one_dash(text: &str) -> String {
    ascii(text).replace(['‐', '‑', '‒', '–', '—', '−'], "-")
}

/// Name of a record as it is pasted: any dash, and perhaps a mark in front. The mark of a bare counter
/// stays as a word, where digits alone could mean something else: `#42` is `no 42`.
fn record_name(text: &str, has_form: bool) -> String {
    let text = with_one_dash(text);
    let beside = |c: char| c.is_whitespace() || "#№\"'“”.,;".contains(c);
    let name = text.trim_matches(beside);
    let marks = text.split(|c| !beside(c)).next().unwrap_or_default();
    let is_counter = !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    if has_form && is_counter && marks.contains(['#', '№']) {
        return format!("no {name}");
    }
    name.to_owned()
}

/// Whole number written as text.
fn whole(text: &str) -> Option<i64> {
    whole_number(&serde_json::from_str(text.trim()).ok()?)
}

/// The allowed word that this text means, whatever its case and separators.
fn listed<'a>(words: &'a [Value], text: &str) -> Option<&'a str> {
    let given = letters(text);
    let mut all = words.iter().filter_map(Value::as_str);
    all.find(|word| letters(word) == given)
}

/// Date with the year first, also of a timestamp: the day that is written in it, whatever its zone.
fn day(text: &str) -> Option<Date> {
    let text = text.trim_matches(is_invisible);
    let date = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) if time.trim_start().starts_with(|c: char| c.is_ascii_digit()) => date,
        Some(_) => return None,
        None => text,
    };
    date.replace(['/', '.'], "-").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool_catalog;

    fn read(tool: &str, input: Value) -> Value {
        let tool = tool_catalog::all().iter().find(|t| t.name == tool).unwrap();
        canonical_input(tool, Persona::Staff, &input)
    }

    #[test]
    fn spellings_of_a_value_have_one_form() {
        let search = "search_available_rooms";
        for (tool, field, written, meant) in [
            (search, "number_of_guests", json!("2"), json!(2)),
            (search, "number_of_guests", json!(" 2.0 "), json!(2)),
            (search, "number_of_guests", json!("two"), json!("two")),
            (search, "room_type", json!("suite"), json!("Suite")),
            (search, "room_type", json!("Sweet"), json!("Sweet")),
            (
                search,
                "check_in_date",
                json!("2026-11-27T15:00:00Z"),
                json!("2026-11-27"),
            ),
            (
                search,
                "check_in_date",
                json!("2026-11-27 23:30:00-05:00"),
                json!("2026-11-27"),
            ),
            (
                search,
                "check_in_date",
                json!("2026/11/27"),
                json!("2026-11-27"),
            ),
            (
                search,
                "check_in_date",
                json!("\u{202a}2026‑11–27\u{202c}"),
                json!("2026-11-27"),
            ),
            (
                search,
                "check_in_date",
                json!("11/27/2026"),
                json!("11/27/2026"),
            ),
            (
                search,
                "check_in_date",
                json!("tomorrow"),
                json!("tomorrow"),
            ),
            (
                search,
                "check_in_date",
                json!("２０２６-１１-２７"),
                json!("2026-11-27"),
            ),
            (
                "get_folio",
                "booking_number",
                json!("BK–0042"),
                json!("BK-0042"),
            ),
            (
                "get_folio",
                "booking_number",
                json!(" #ＢＫ\u{2011}００４２."),
                json!("BK-0042"),
            ),
            (
                "get_folio",
                "booking_number",
                json!(" #42."),
                json!("no 42"),
            ),
            ("get_folio", "booking_number", json!("№ 42"), json!("no 42")),
            ("get_folio", "booking_number", json!("42"), json!("42")),
            (
                "manage_cases",
                "case_number",
                json!("#１００1"),
                json!("1001"),
            ),
            (
                "get_folio",
                "guest_email",
                json!("\"Beth@Email.com\","),
                json!("beth@email.com"),
            ),
            (
                "get_folio",
                "guest_email",
                json!("beth@email.com."),
                json!("beth@email.com"),
            ),
            (
                "set_room_status",
                "status",
                json!("out_of_service"),
                json!("Out of Service"),
            ),
            ("set_room_status", "room_number", json!(302), json!("302")),
            ("set_room_status", "room_number", json!(302.0), json!("302")),
            (
                "submit_maintenance_request",
                "take_out_of_service",
                json!("True"),
                json!(true),
            ),
            (
                "manage_bookings",
                "action",
                json!("No-Show"),
                json!("no_show"),
            ),
            // Cents or dollars? Only the caller knows
            ("post_charge", "amount", json!("250"), json!("250")),
        ] {
            let got = read(tool, json!({ field: written.clone() }));
            assert_eq!(got[field], meant, "{field} {written}");
        }
    }

    #[test]
    fn words_for_nothing_are_the_field_left_out_where_they_mean_nothing_else() {
        for word in [
            "null",
            "NULL",
            "None",
            "N/A",
            "n/a",
            " undefined ",
            "nil",
            "NaN",
            "-",
        ] {
            for (tool, field) in [
                ("get_folio", "room_number"),
                ("get_folio", "booking_number"),
                ("get_folio", "guest_email"),
                ("create_booking", "guest_phone"),
                ("create_booking", "repeat_of"),
                ("create_booking", "number_of_guests"),
                ("create_booking", "room_type"),
                ("create_booking", "amount"),
                ("manage_bookings", "check_in_date"),
                ("process_guest_checkout", "payment_method_id"),
                ("post_charge", "void"),
                ("manage_cases", "assignee"),
                ("search_executions", "payment_intent_id"),
                ("get_execution", "execution_id"),
            ] {
                let kept = read(tool, json!({ field: word }));
                assert_eq!(kept, json!({}), "{tool} {field} {word}");
            }
            // A guest may be called Null, and wish for none; a required field is reported
            for (tool, field) in [
                ("create_booking", "guest_first_name"),
                ("create_booking", "guest_last_name"),
                ("create_booking", "special_requests"),
                ("manage_cases", "comment"),
                ("manage_cases", "subject"),
                ("post_charge", "description"),
                ("search_guests", "query"),
                ("set_room_status", "room_number"),
                ("set_room_status", "status"),
                ("get_execution", "idempotency_token"),
            ] {
                let kept = read(tool, json!({ field: word }));
                assert_eq!(
                    kept[field].as_str().map(str::trim),
                    Some(word.trim()),
                    "{tool} {field}"
                );
            }
        }
    }

    #[test]
    fn null_is_the_field_left_out() {
        let input = json!({ "room_number": null, "booking_number": "", "guest_email": "a@b.example", "limit": null });
        assert_eq!(read("get_folio", input)["room_number"], Value::Null);
        // An empty required text is reported, not dropped
        let kept = read("search_guests", json!({ "query": "", "limit": "" }));
        assert_eq!(kept, json!({ "query": "" }));
        assert_eq!(read("get_folio", Value::Null), json!({}));
        assert_eq!(
            read("get_folio", json!({ "no_such": null })),
            json!({ "no_such": null })
        );
        for blank in ["\u{2800}", "\u{200b}", "\u{3164} \u{feff}"] {
            let kept = read("get_folio", json!({ "booking_number": blank }));
            assert_eq!(kept, json!({}), "{blank:?}");
        }
    }
}
