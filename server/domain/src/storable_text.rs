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
    texts(value)
        .into_iter()
        .filter(|(_, text)| !is_storable(text))
        .map(|(path, _)| path)
        .collect()
}

/// All texts in a value with their paths, names of fields included. A path can itself be stored.
#[must_use]
pub fn texts(value: &Value) -> Vec<(String, &str)> {
    let mut found = Vec::new();
    collect(value, String::new(), &mut found);
    found
}

fn collect<'a>(value: &'a Value, path: String, found: &mut Vec<(String, &'a str)>) {
    let below = |name: &str| {
        let name = storable(name);
        if path.is_empty() {
            name
        } else {
            format!("{path}/{name}")
        }
    };
    match value {
        Value::String(text) => found.push((path, text)),
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                collect(item, below(&n.to_string()), found);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                found.push((below(name), name));
                collect(value, below(name), found);
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
