//! JSON of servers that cut a text in the middle of an emoji: half of it is `\ud83d`, which no JSON
//! parser takes.

use serde_json::Value;

/// Length of `\uxxxx`.
const ESCAPE: usize = 6;

/// Parses text; halves that stand alone become U+FFFD.
pub(super) fn parse(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&without_halves(text)))
}

fn without_halves(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let half = half(escape);
        let second = escape.get(ESCAPE..).and_then(self::half);
        let (kept, length) = match (half, second) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => {
                (escape.get(..2 * ESCAPE), 2 * ESCAPE)
            }
            (Some(_), _) => (Some("\\ufffd"), ESCAPE),
            // An escaped backslash begins no escape
            (None, _) => (escape.get(..2), 2),
        };
        out.push_str(kept.unwrap_or(escape));
        rest = escape.get(length..).unwrap_or_default();
    }
    out + rest
}

/// The half of a pair that the text begins with.
fn half(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let code = u16::from_str_radix(digits, 16).ok()?;
    (0xd800..=0xdfff).contains(&code).then_some(code)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn halves_of_a_pair_are_replaced() {
        for (text, parsed) in [
            (r#"["\ud83d"]"#, json!(["\u{fffd}"])),
            (
                r#"["\ude00 \ud83d\ude00 é"]"#,
                json!(["\u{fffd} \u{1f600} é"]),
            ),
            (r#"["\ud83d\ud83d\ude00"]"#, json!(["\u{fffd}\u{1f600}"])),
            (r#"["\\ud83d \n\ud83d"]"#, json!(["\\ud83d \n\u{fffd}"])),
        ] {
            assert_eq!(parse(text).unwrap(), parsed, "{text}");
        }
        for text in ["{", "\"\\ud83d", "\\", "[\"\\u12\"]"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
