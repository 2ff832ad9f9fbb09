//! An outside system's message about a refusal, for operators: the reason without the values that
//! it repeats.

use dewy_domain::payment_card_number::without_card_numbers;

/// Maximum length of a stored message.
const MAX_CHARS: usize = 300;
/// This many digits in one word are a phone or card number.
const LONG_NUMBER: usize = 7;
/// Salesforce puts an unquoted value between these two.
const TOO_LARGE: (&str, &str) = ("data value too large: ", " (max length");

/// Message on one line, with possible personal data replaced by `…`: quoted text (names of fields
/// and ids stay), email addresses, payment card numbers and other long numbers.
pub(crate) fn redacted_message(message: &str) -> String {
    let message = without_card_numbers(message);
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = without_quoted(&without_large(&line));
    let kept = words
        .split(' ')
        .map(|word| if is_personal(word) { "…" } else { word })
        .collect::<Vec<_>>()
        .join(" ");
    kept.chars().take(MAX_CHARS).collect()
}

fn is_personal(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    word.contains('@') || (digits >= LONG_NUMBER && !word.chars().any(char::is_alphabetic))
}

fn without_large(line: &str) -> String {
    let (begin, end) = TOO_LARGE;
    let Some((before, rest)) = line.split_once(begin) else {
        return line.to_owned();
    };
    format!(
        "{before}{begin}…{}",
        rest.find(end).map_or("", |at| &rest[at..])
    )
}

/// A quotation mark inside a word is an apostrophe.
fn without_quoted(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['\'', '"', '“', '‘']) {
        let (before, quoted) = rest.split_at(at);
        let mut inside = quoted.chars();
        let mark = inside.next().unwrap_or('"');
        let inside = inside.as_str();
        kept.push_str(before);
        kept.push(mark);
        rest = inside;
        if before.ends_with(char::is_alphanumeric) {
            continue;
        }
        let close = match mark {
            '“' => '”',
            '‘' => '’',
            mark => mark,
        };
        let ends = |(at, _): &(usize, &str)| {
            !inside[at + close.len_utf8()..].starts_with(char::is_alphanumeric)
        };
        let length = inside
            .match_indices(close)
            .find(ends)
            .map_or(inside.len(), |(at, _)| at);
        let (value, after) = inside.split_at(length);
        let is_name = value.contains('_')
            && value
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "_.".contains(c));
        kept.push_str(if is_name { value } else { "…" });
        rest = after;
        if let Some(after) = rest.strip_prefix(close) {
            kept.push(close);
            rest = after;
        }
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_keep_the_reason_without_values() {
        for (said, kept) in [
            (
                "The customer does not have a payment method with the ID pm_1NxA. The payment method must be attached to the customer.",
                "The customer does not have a payment method with the ID pm_1NxA. The payment method must be attached to the customer.",
            ),
            ("No such customer: 'cus_123'", "No such customer: 'cus_123'"),
            (
                "Invalid email address: beth.gibbs@email.com",
                "Invalid email address: …",
            ),
            (
                "First Name: data value too large: Beth Anne Gibbs (max length=40)",
                "First Name: data value too large: … (max length=40)",
            ),
            (
                "bad value for restricted picklist field: \"Nora O'Brien\" of 'Status__c'",
                "bad value for restricted picklist field: \"…\" of 'Status__c'",
            ),
            (
                "WHERE Email = 'nora.o'brien@example.com' ^ ERROR at Row:1:Column:8",
                "WHERE Email = '…' ^ ERROR at Row:1:Column:8",
            ),
            (
                "The guest's phone +1-212-555-0101 isn't valid",
                "The guest's phone … isn't valid",
            ),
            ("It began with \"Beth and never ended", "It began with \"…"),
            (
                "Name too long: Beth 4242 4242 4242 4242",
                "Name too long: Beth (card number removed)",
            ),
            ("two\n lines", "two lines"),
        ] {
            assert_eq!(redacted_message(said), kept);
        }
        assert_eq!(redacted_message(&"a".repeat(1000)).len(), MAX_CHARS);
    }
}
