//! Visible text.

use dewy_domain::blank_text::is_blank;

/// What a person wrote, without invisible characters; `None` when nothing is left or it is too
/// long.
pub(crate) fn readable(text: &str, longest: usize) -> Option<String> {
    let text = text.replace("\r\n", "\n");
    let text = shown(&text);
    let text = text.trim();
    (!is_blank(text) && text.chars().count() <= longest).then(|| without_card_numbers(text))
}

/// Text without invisible characters.
pub(crate) fn shown(text: &str) -> String {
    text.chars().filter(|c| !hidden(*c)).collect()
}

/// Text whose payment card numbers are replaced: whatever looks like one must never be stored, nor
/// sent to a model. Such a number has the first digits of a card company, 13 to 19 in all, in groups of
/// at least three, and a valid check digit.
pub(crate) fn without_card_numbers(text: &str) -> String {
    let mut kept = String::new();
    let mut run = String::new();
    for c in text.chars() {
        let joins = !run.is_empty() && matches!(c, ' ' | '-' | '.' | '\u{a0}');
        // A plus begins a phone number
        let begins = run.is_empty() && c == '+';
        if c.is_ascii_digit() || joins || begins {
            run.push(c);
        } else {
            kept += &masked(&std::mem::take(&mut run));
            kept.push(c);
        }
    }
    kept + &masked(&run)
}

/// Run of digits and separators, or the note in its place.
fn masked(run: &str) -> String {
    let number = run.trim_end_matches(|c: char| !c.is_ascii_digit());
    let digits: Vec<u32> = number.chars().filter_map(|c| c.to_digit(10)).collect();
    let doubled = |(at, digit): (usize, &u32)| match digit * (1 + u32::from(at % 2 == 1)) {
        large @ 10.. => large - 9,
        small => small,
    };
    let sum: u32 = digits.iter().rev().enumerate().map(doubled).sum();
    let grouped = number
        .split(|c: char| !c.is_ascii_digit())
        .all(|group| group.len() >= 3);
    let first = digits
        .iter()
        .take(4)
        .fold(0, |first, digit| first * 10 + digit);
    let issued = matches!(first, 2221..=2720 | 3000..=6999);
    let is_card = (13..=19).contains(&digits.len()) && sum.is_multiple_of(10) && grouped && issued;
    if is_card {
        run.replacen(number, "(card number removed)", 1)
    } else {
        run.to_owned()
    }
}

/// Control characters, and those that hide or reverse text: people would not see what the model
/// reads.
const fn hidden(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_removed() {
        assert_eq!(
            readable(" Check\u{200b} me\u{e0041} out\r\nplease \u{0}", 100).as_deref(),
            Some("Check me out\nplease")
        );
        assert_eq!(readable("\u{202e}\u{feff} \n", 100), None);
        assert_eq!(readable("ééé", 3).as_deref(), Some("ééé"));
        assert_eq!(readable("éééé", 3), None);
    }

    #[test]
    fn card_numbers_are_removed_and_other_numbers_kept() {
        for number in [
            "4242424242424242",
            "4242 4242 4242 4242",
            "3782-822463-10005",
            "6759649826438453",
        ] {
            let text = format!("My card is {number}, 12/29.");
            let kept = "My card is (card number removed), 12/29.";
            assert_eq!(without_card_numbers(&text), kept, "{number}");
        }
        for text in [
            "+1 212 555 0190",
            "room 302, 2 nights",
            "4242 4242 4242 4243",
            "302 2026-11-26 2026-11-28",
            "+49 1512 345 6789 012",
            "",
        ] {
            assert_eq!(without_card_numbers(text), text);
        }
    }
}
