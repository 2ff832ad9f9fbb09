//! Text that every store can hold. Interfaces validate it, so that the caller gets an error.

use serde_json::Value;

/// Whether every store can hold the text: Postgres allows no NUL. (The type guarantees valid
/// Unicode.)
#[must_use]
pub fn is_storable(text: &str) -> bool {
    !text.contains('\0')
}

/// Message for a caller who sent such a text.
pub const UNSTORABLE: &str =
    "contains a NUL character (U+0000), which cannot be stored; leave it out.";

/// Paths of all texts in a value that cannot be stored, field names included: `reason`,
/// `guests/0/name`.
#[must_use]
pub fn unstorable(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(value, "", &mut found);
    found
}

fn check(value: &Value, path: &str, found: &mut Vec<String>) {
    let below = |name: &str| {
        if path.is_empty() {
            name.to_owned()
        } else {
            format!("{path}/{name}")
        }
    };
    match value {
        Value::String(text) if !is_storable(text) => found.push(path.to_owned()),
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                check(item, &below(&n.to_string()), found);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                // Reported in a form that can itself be stored.
                let shown = name.replace('\0', "\u{fffd}");
                if !is_storable(name) {
                    found.push(below(&shown));
                }
                check(value, &below(&shown), found);
            }
        }
        _ => {}
    }
}

/// Replaces whatever cannot be stored with U+FFFD; for records of refused calls.
#[must_use]
pub fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nul_characters_are_found_at_any_depth() {
        let value = json!({ "a": "x", "b": ["y", { "c": "z\0" }], "d\0": 1, "e": "\0", "f": null });
        assert_eq!(unstorable(&value), ["b/1/c", "d\u{fffd}", "e"]);
        assert_eq!(unstorable(&json!("\0")), [""]);
        assert!(unstorable(&json!({ "a": "\u{1}\u{7f}\u{feff}\u{202e}\u{fffe}🛏️" })).is_empty());
        assert!(is_storable(&storable("a\0b")));
    }
}
