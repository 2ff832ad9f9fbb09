//! Whole numbers in JSON: `4200`, `4200.0` and `4.2e3` are the same number. Only this module parses
//! them.

use serde_json::Value;

/// Largest magnitude up to which every whole number is exact in floating point (2^53).
const MAX_EXACT_FLOAT: f64 = 9_007_199_254_740_992.0;

/// The whole number in `value`, in any notation; `None` for fractions, for numbers too large to be
/// exact, and for anything else.
#[must_use]
pub fn whole_number(value: &Value) -> Option<i64> {
    if let Some(whole) = value.as_i64() {
        return Some(whole);
    }
    let number = value
        .as_f64()
        .filter(|n| n.fract() == 0.0 && n.abs() <= MAX_EXACT_FLOAT)?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole and within the exact range, as checked above"
    )]
    let whole = number as i64;
    Some(whole)
}

/// The same value with every whole number written as an integer.
#[must_use]
pub fn with_whole_numbers(value: Value) -> Value {
    match value {
        Value::Number(_) => whole_number(&value).map_or(value, Value::from),
        Value::Array(items) => items.into_iter().map(with_whole_numbers).collect(),
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(name, value)| (name, with_whole_numbers(value)))
                .collect(),
        ),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_notations_of_an_integer_are_equal() {
        let read = |text: &str| whole_number(&serde_json::from_str(text).unwrap());
        for text in ["4200", "4200.0", "4.2e3", "42E2", "420000e-2"] {
            assert_eq!(read(text), Some(4200), "{text}");
        }
        assert_eq!(
            (read("0"), read("-0"), read("-0.0"), read("-3e0")),
            (Some(0), Some(0), Some(0), Some(-3))
        );
        for text in [
            "4200.5",
            "1e300",
            "9007199254740994.0",
            "18446744073709551615",
            "\"4200\"",
            "null",
            "true",
            "[1]",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn normalizing_keeps_the_value() {
        let value =
            serde_json::from_str(r#"{"a":2.0,"b":[1e1,2.5,"3.0"],"c":{"d":-0.0}}"#).unwrap();
        assert_eq!(
            with_whole_numbers(value).to_string(),
            r#"{"a":2,"b":[10,2.5,"3.0"],"c":{"d":0}}"#
        );
    }
}
