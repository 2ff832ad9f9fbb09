//! Finds expected facts in the text shown to the guest: `$250.00` is not in `$1,250.00`, `refund` is in `Refunded`.

/// Whether a text contains one of the alternatives, separated by `|`.
pub fn contains(text: &str, wanted: &str) -> bool {
    let text = folded(text);
    wanted
        .split('|')
        .map(|one| folded(one.trim()))
        .filter(|one| !one.is_empty())
        .any(|one| found(&text, &one))
}

/// Whether a line fits a pattern, in which `*` stands for any text; alternatives are separated by
/// ` || `.
pub fn fits(line: &str, pattern: &str) -> bool {
    let line = folded(line);
    pattern
        .split(" || ")
        .any(|one| glob(&line, &folded(one.trim())))
}

/// Lower case, with plain quotation marks and single spaces.
fn folded(text: &str) -> String {
    let plain = text.replace(['’', '‘'], "'").replace('\u{a0}', " ");
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Matches whole numbers only, and only at the start of a word.
fn found(text: &str, wanted: &str) -> bool {
    text.match_indices(wanted).any(|(at, _)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let mut after = text
            .get(at + wanted.len()..)
            .unwrap_or_default()
            .chars()
            .take(2);
        let (next, second) = (after.next(), after.next());
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let starts_inside = wanted.starts_with(char::is_alphanumeric)
            && before.is_some_and(|c| c.is_alphanumeric());
        let ends_inside = wanted.ends_with(|c: char| c.is_ascii_digit())
            && (digit(next) || (matches!(next, Some('.' | ',')) && digit(second)));
        !starts_inside && !ends_inside
    })
}

fn glob(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        let Some((_, behind)) = rest.split_once(part) else {
            return false;
        };
        rest = behind;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_not_found_inside_another() {
        assert!(contains("Your balance is $250.00.", "$250.00"));
        assert!(contains("You owe $250 now", "$250.00|$250"));
        assert!(!contains("It is $250.50", "$250"));
        assert!(!contains("It is $1250", "250"));
        assert!(contains("It was Refunded", "refund"));
        assert!(!contains("prefund", "refund"));
        assert!(contains("we’re sorry", "we're sorry"));
    }

    #[test]
    fn a_pattern_covers_the_whole_line() {
        assert!(fits("paid a@b.c 250.00", "paid a@b.c 250.00"));
        assert!(fits(
            "new case Housekeeping Low 302 Two towels",
            "new case * 302 *towel*"
        ));
        assert!(fits(
            "new case Housekeeping",
            "new case maintenance || new case housekeeping"
        ));
        assert!(!fits("paid a@b.c 250.00", "paid a@b.c 25"));
        assert!(!fits("room 302 Cleaning", "room 302"));
    }
}
