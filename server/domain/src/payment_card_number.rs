//! Numbers of payment cards in free text. Cards are entered at the payment provider's own page; a
//! number typed anywhere else must never be stored, logged, or sent on.
//!
//! ```text
//! tool input, notes, names ─► has_card_number ──────► refused, with the field's name
//! messages, drafts, logs ───► without_card_numbers ─► "(card number removed)"
//! ```

use std::ops::Range;

use serde_json::Value;

use crate::{blank_text::is_invisible, decimal_digits::ascii_digit, storable_text::texts};

/// Text in place of a number.
const REMOVED: &str = "(card number removed)";
/// Message after the name of a field that holds one.
pub const CARD_NUMBER: &str = "contains a payment card number, which is never kept; leave it out. Cards are entered only on the payment page.";
/// First digits of the issuers, and the lengths of their numbers. Where older cards are shorter
/// (Visa 13, Maestro 12 to 15), phone numbers without a plus look the same.
const ISSUERS: [(Range<u32>, &[usize]); 12] = [
    (2200..2205, &[16, 17, 18, 19]), // Mir
    (2221..2721, &[16]),             // Mastercard
    (3000..3060, &[14, 16, 19]),     // Diners Club
    (3095..3096, &[14, 16, 19]),
    (3400..3500, &[15]),             // American Express
    (3528..3590, &[16, 17, 18, 19]), // JCB
    (3600..3700, &[14, 16, 19]),     // Diners Club
    (3700..3800, &[15]),             // American Express
    (3800..4000, &[14, 16, 19]),     // Diners Club
    (4000..5000, &[16, 19]),         // Visa
    (5000..7000, &[16, 17, 18, 19]), // Mastercard, Maestro, Discover, UnionPay, RuPay, Elo
    (8100..8300, &[16, 17, 18, 19]), // UnionPay, RuPay
];
/// Digits of the longest card number.
const MOST_DIGITS: usize = 19;
/// Length of the longest id in base 16 (SHA-256).
const LONGEST_ID: usize = 64;
/// Digits of the longest phone number, after its plus (E.164).
const LONGEST_PHONE: usize = 15;
/// Most characters between two groups of digits: ` - `.
const LONGEST_SEPARATOR: usize = 3;

/// Whether the text holds the number of a payment card.
#[must_use]
pub fn has_card_number(text: &str) -> bool {
    !card_numbers(text).is_empty()
}

/// The text without numbers of payment cards.
#[must_use]
pub fn without_card_numbers(text: &str) -> String {
    let mut kept = String::new();
    let mut from = 0;
    for found in card_numbers(text) {
        kept += text.get(from..found.start).unwrap_or_default();
        kept += REMOVED;
        from = found.end;
    }
    kept + text.get(from..).unwrap_or_default()
}

/// Paths of all texts in a value that hold one, names of fields included, without the number.
#[must_use]
pub fn fields_with_card_number(value: &Value) -> Vec<String> {
    texts(value)
        .into_iter()
        .filter(|(_, text)| has_card_number(text))
        .map(|(path, _)| without_card_numbers(&path))
        .collect()
}

/// Digits without a letter or a space between them.
#[derive(Debug, Default)]
struct Group {
    /// Their bytes in the text.
    at: Range<usize>,
    digits: Vec<u32>,
    /// Whether only a separator is between them and the group before.
    joined: bool,
    /// Whether a plus is before them.
    plus: bool,
}

fn card_numbers(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let groups = groups(text);
    for run in groups.chunk_by(|_, next| next.joined) {
        let digits: usize = run.iter().map(|group| group.digits.len()).sum();
        let is_phone = run.first().is_some_and(|group| group.plus) && digits <= LONGEST_PHONE;
        let mut rest = if is_phone { &[] } else { run };
        while let Some((first, after)) = rest.split_first() {
            // No more groups than a card has digits, so that the work is linear
            let mut digits = 0;
            let most = rest.iter().take_while(|group| {
                digits += group.digits.len();
                digits <= MOST_DIGITS
            });
            let longest = (1..=most.count())
                .rev()
                .filter_map(|count| rest.split_at_checked(count))
                .find(|(groups, _)| is_card_number(groups));
            rest = match longest {
                Some((number, later)) => {
                    let end = number.last().unwrap_or(first).at.end;
                    found.push(first.at.start..end);
                    later
                }
                None => after,
            };
        }
    }
    found
}

/// The text's groups of digits, but for those in random ids.
fn groups(text: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    // Characters since the last digit, while they can be a separator
    let mut separator = None;
    let mut plus = false;
    let mut id_end = 0;
    for (at, c) in text.char_indices() {
        let starts_word = !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
        if starts_word && let Some(length) = id_length(&text[at..]) {
            id_end = at + length;
        }
        let end = at + c.len_utf8();
        match ascii_digit(c).to_digit(10).filter(|_| at >= id_end) {
            Some(digit) => {
                match groups.last_mut().filter(|_| separator == Some(0)) {
                    Some(group) => {
                        group.digits.push(digit);
                        group.at.end = end;
                    }
                    None => groups.push(Group {
                        at: at..end,
                        digits: vec![digit],
                        joined: separator.is_some(),
                        plus,
                    }),
                }
                separator = Some(0);
            }
            None if is_invisible(c) && !c.is_whitespace() => {}
            None => {
                separator = separator
                    .filter(|length| *length < LONGEST_SEPARATOR && is_separator(c))
                    .map(|length| length + 1);
                plus = matches!(c, '+' | '\u{ff0b}');
            }
        }
    }
    groups
}

const fn is_separator(c: char) -> bool {
    matches!(
        c,
        '-' | '.' | ',' | '_' | '/' | '·' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ff0d}'
    ) || c.is_whitespace()
}

/// Length of the random id that the text begins with: a UUID, or as many digits and letters of base
/// 16. Their digits mean nothing.
fn id_length(text: &str) -> Option<usize> {
    let is_part = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'-';
    let bytes = text.as_bytes().iter();
    let length = bytes
        .take(LONGEST_ID + 1)
        .take_while(|b| is_part(b))
        .count();
    let word = text.get(..length)?;
    let follows = text.get(length..)?.chars().next();
    let is_uuid = word.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    let is_hex = (32..=LONGEST_ID).contains(&length) && !word.contains('-');
    let has_letter = word.contains(|c: char| c.is_ascii_alphabetic());
    ((is_uuid || is_hex) && has_letter && !follows.is_some_and(char::is_alphanumeric))
        .then_some(length)
}

/// Whether these groups are one number: issued by somebody, as long as theirs are, with a right
/// check digit, and written in groups that people use.
fn is_card_number(groups: &[Group]) -> bool {
    let digits: Vec<u32> = groups
        .iter()
        .flat_map(|group| group.digits.iter().copied())
        .collect();
    let first = digits.iter().take(4).fold(0, |first, d| first * 10 + d);
    let is_issued = ISSUERS
        .iter()
        .any(|(issuer, lengths)| issuer.contains(&first) && lengths.contains(&digits.len()));
    // Those of dates are smaller, and of two sizes
    let sizes: Vec<usize> = groups.iter().map(|group| group.digits.len()).collect();
    let is_grouped = sizes
        .split_last()
        .is_some_and(|(last, before)| before.iter().all(|size| *size >= 3 || size == last));
    is_issued && is_grouped && has_check_digit(&digits)
}

/// Luhn's formula (ISO/IEC 7812-1).
fn has_check_digit(digits: &[u32]) -> bool {
    let doubled = |(at, digit): (usize, &u32)| match digit * (1 + u32::from(at % 2 == 1)) {
        large @ 10.. => large - 9,
        small => small,
    };
    let sum: u32 = digits.iter().rev().enumerate().map(doubled).sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn card_numbers_are_removed_however_they_are_written() {
        for number in [
            "4242424242424242",
            "4242 4242 4242 4242",
            "4242-4242-4242-4242",
            "4242 - 4242 - 4242 - 4242",
            "4242.4242.4242.4242",
            "4242,4242,4242,4242",
            "4242/4242/4242/4242",
            "4242\u{a0}4242\u{2009}4242\u{202f}4242",
            "4242\u{2013}4242\u{2013}4242\u{2013}4242",
            "4242\u{200b}4242\u{feff}4242\u{ad}4242",
            "4242\n4242\n4242\n4242",
            "４２４２４２４２４２４２４２４２",
            "٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢",
            "42 42 42 42 42 42 42 42",
            "4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2",
            "3782-822463-10005",
        ] {
            for (before, after) in [
                ("", ""),
                ("My card is ", ", 12/29."),
                ("card:", " 12/29 123"),
                ("card", "exp 1229"),
                ("Room 302 ", " 123"),
                ("+1 212 555 0190, ", " thanks"),
                ("=", "=29121010000"),
            ] {
                assert_eq!(
                    without_card_numbers(&format!("{before}{number}{after}")),
                    format!("{before}{REMOVED}{after}")
                );
            }
        }
        let two = "4242424242424242 and 5555 5555 5555 4444 5555 5555 5555 4444";
        let kept = format!("{REMOVED} and {REMOVED} {REMOVED}");
        assert_eq!(without_card_numbers(two), kept);
    }

    /// The numbers that Stripe publishes for tests: by brand, co-branded, by country, with
    /// authentication, declined, disputed.
    const STRIPE: &str = "4242424242424242 4000056655665556 5555555555554444 2223003122003222 \
        5200828282828210 5105105105105100 378282246310005 371449635398431 6011111111111117 \
        6011000990139424 6011981111111113 3056930009020004 36227206271667 6555900000604105 \
        3566002020360505 6200000000000005 6200000000000047 6205500000000000004 4000002500001001 \
        5555552500001001 4000050360000001 5555050360000080 4000000760000002 4000001240000000 \
        4000004840008001 4000002500000003 4000003800000008 4000008260000000 4000000360000006 \
        4000003920000003 4000002500003155 4000002760003184 4000003800000446 4000008260003178 \
        4000000000003220 4000000000003063 4000008400001629 4000000000000002 4000000000009995 \
        4000000000009987 4000000000009979 4000000000000069 4000000000000127 4000000000000119 \
        4000000000006975 4100000000000019 4000000000004954 4000000000009235 4000000000000101 \
        4000000000000036 4000000000000028 4000000000000010 4000000000000044 4000000000000259 \
        4000000000002685 4000000000001976 4000000000005423 4000000000007726 4000000000005126 \
        4000000000000077 4012888888881881 30569309025904 38520000023237 3530111333300000";

    #[test]
    fn every_test_card_of_stripe_is_found_in_every_spelling() {
        for number in STRIPE.split(' ') {
            let groups: &[usize] = match number.len() {
                14 => &[4, 6, 4],
                15 => &[4, 6, 5],
                16 => &[4, 4, 4, 4],
                _ => &[4, 4, 4, 4, 3],
            };
            let mut rest = number;
            let parts = groups.iter().map(|size| {
                let (part, later) = rest.split_at(*size);
                rest = later;
                part
            });
            let parts: Vec<&str> = parts.collect();
            for separator in ["", " ", "-", ".", " - ", "\u{a0}", "\u{2013}", "\n"] {
                let written = parts.join(separator);
                assert_eq!(
                    without_card_numbers(&format!("Card {written}, 12/29")),
                    format!("Card {REMOVED}, 12/29")
                );
            }
            // One wrong digit is a wrong check digit
            let (before, last) = number.split_at(number.len() - 1);
            let wrong = format!("{before}{}", (last.parse::<u32>().unwrap() + 1) % 10);
            assert!(!has_card_number(&wrong), "{wrong}");
        }
        // Stripe's own example of a wrong number
        assert!(!has_card_number("4242424242424241"));
    }

    #[test]
    fn other_numbers_are_kept() {
        for text in [
            "",
            "+1 212 555 0190",
            "+424242424242424",
            "+49 1512 345 6789 012",
            "(305) 555-0190, 4915112345678, 6281234567890",
            "room 302, 2 nights",
            "302 2026-11-26 2026-11-28",
            "4242 4242 4242 4243",
            "1234 5678 9012 3452",
            "BK-0042, 00001234, exe_01936f4e-7c8d-7123-8123-424242424242",
            "42424242424242424242424242424242 4242424242424242a4242424242424242",
            "42424242-4242-4242-b242-424242424242",
            "pi_3MtwBwLkdIwHu7ix28a3tqPa cus_NffrFeUfNV2Hib 500Hs00001x4242AAA",
            "amount 4242, 4242, 4242",
            "1732579200000 1732579200000000000",
            "490154203237518",
            "1Z999AA10123456784, 9400 1000 0000 0000 0000 00",
        ] {
            assert_eq!(without_card_numbers(text), text);
            assert!(!has_card_number(text));
        }
    }

    /// With work that grows faster than the text, this would take hours.
    #[test]
    fn long_texts_take_linear_work() {
        for part in [
            "1 ",
            "4 2 ",
            "a-",
            "4242 ",
            "4a",
            "4242424242424242 ",
            "4-",
            "\u{200b}4",
        ] {
            let text = part.repeat(32_000 / part.len());
            let holds = part.trim().len() == 16;
            assert_eq!(
                has_card_number(&text),
                holds || part == "4242 " || part == "4 2 ",
                "{part}"
            );
        }
    }

    #[test]
    fn fields_are_named_at_any_depth() {
        let card = "4242 4242 4242 4242";
        let input = json!({ "a": card, "b": ["x", { "c": card }], "d": 5, (card): "x" });
        let mut fields = fields_with_card_number(&input);
        fields.sort_unstable();
        assert_eq!(fields, [REMOVED, "a", "b/1/c"]);
    }
}
