//! Currency amounts parsed from JSON, to the cent.

use dewy_domain::money::Cents;
use serde_json::value::RawValue;

/// Salesforce formats currency like a Java double: `250.0`, and from ten million on `1.0E7`. The
/// text is converted to plain decimals; it never becomes a float.
pub(super) fn cents(number: &RawValue) -> Option<Cents> {
    let text = number.get();
    let Some((digits, exponent)) = text.split_once(['e', 'E']) else {
        return Cents::from_decimal(text);
    };
    let exponent: i32 = exponent.parse().ok().filter(|e| (-20..=20).contains(e))?;
    let (sign, digits) = digits
        .strip_prefix('-')
        .map_or(("", digits), |rest| ("-", rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let point = i32::try_from(whole.len()).ok()? + exponent;
    let plain = match usize::try_from(point) {
        Ok(0) | Err(_) => format!("0.{}{all}", "0".repeat(usize::try_from(-point).ok()?)),
        Ok(point) if point >= all.len() => format!("{all}{}", "0".repeat(point - all.len())),
        Ok(point) => format!("{}.{}", all.get(..point)?, all.get(point..)?),
    };
    Cents::from_decimal(&format!("{sign}{plain}"))
}

/// Whole number, which Salesforce writes as `2.0`; `None` if it isn't one.
pub(super) fn whole(number: &RawValue) -> Option<i64> {
    let cents = cents(number)?.0;
    (cents % 100 == 0).then_some(cents / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn java_doubles_are_read_to_the_cent() {
        let read =
            |text: &str| cents(&RawValue::from_string(text.to_owned()).unwrap()).map(|c| c.0);
        for (text, expected) in [
            ("250.0", 25_000),
            ("250.10", 25_010),
            ("0.1", 10),
            ("-3.05", -305),
            ("1.0E7", 1_000_000_000),
            ("1.234567891E7", 1_234_567_891),
            ("-1.5e1", -1_500),
            ("5E-2", 5),
            ("1.0E-1", 10),
            ("0", 0),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
        for text in ["0.001", "1E-3", "1E99", "null", "\"1\"", "true"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
