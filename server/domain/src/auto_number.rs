//! Auto-numbers as people write them. Each org chooses its own form: a text, a counter with zeros in
//! front, perhaps the date between (`BK-0042`, `RES-2026-000042`).

/// The widest counter that Salesforce makes.
const MAX_DIGITS: usize = 10;

/// The longest auto-number.
const MAX_CHARS: usize = 30;

/// Whether an org may give out this number: what every tool accepts as one.
#[must_use]
pub fn is_possible(text: &str) -> bool {
    text.len() <= MAX_CHARS
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(fits)
}

/// Every auto-number this text may mean: leading zeros may be omitted, and the prefix may be
/// followed by a dash, a space or nothing. Empty if the text can't be an auto-number with a letter
/// prefix.
///
/// Comparisons ignore case, as in Salesforce.
#[must_use]
pub fn spellings(text: &str) -> Vec<String> {
    let text = text.trim();
    let bare = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let counter = &text[bare.len()..];
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic());
    if counter.is_empty() || !starts || !is_possible(text) {
        return Vec::new();
    }
    let head = bare.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    let mut heads = vec![format!("{head}-"), head.to_owned()];
    if !heads.iter().any(|head| head == bare) {
        heads.insert(0, bare.to_owned());
    }
    let digits = counter.trim_start_matches('0');
    let mut all = vec![text.to_owned()];
    for head in heads {
        let widths = digits.len().max(1)..=MAX_DIGITS.max(counter.len());
        all.extend(widths.map(|width| format!("{head}{digits:0>width$}")));
    }
    let first = all.remove(0);
    all.retain(|other| *other != first && other.len() <= MAX_CHARS);
    all.insert(0, first);
    all
}

fn fits(c: char) -> bool {
    c.is_ascii_alphanumeric() || " ./#_-".contains(c)
}

/// The spelling in the same format as `shown`, an auto-number from this org.
#[must_use]
pub fn find_matching_format(shown: &str, spellings: &[String]) -> Option<String> {
    let head = shown.trim_end_matches(|c: char| c.is_ascii_digit());
    let fits = |one: &&String| {
        one.len() == shown.len()
            && one
                .get(..head.len())
                .is_some_and(|own| own.eq_ignore_ascii_case(head))
            && one.bytes().skip(head.len()).all(|b| b.is_ascii_digit())
    };
    let one = spellings.iter().find(fits)?;
    Some(format!("{head}{}", one.get(head.len()..)?))
}

/// What this text means in the form of `shown`, an auto-number of this org: `bk 42`, `booking 42`, or
/// `0042` with its zeros, is `BK-0042`. Digits alone could as well be a room.
#[must_use]
pub fn in_form_of(shown: &str, text: &str) -> Option<String> {
    let whole = text.len()
        == shown
            .trim_start_matches(|c: char| !c.is_ascii_digit())
            .len();
    let counter = text.starts_with('0') && whole;
    if counter && let Some(number) = of_counter(shown, text) {
        return Some(number);
    }
    let of_form = |text: &str| find_matching_format(shown, &spellings(text));
    of_form(text).or_else(|| {
        let named = without_booking_words(text)?;
        of_counter(shown, named).or_else(|| of_form(named))
    })
}

/// The number with this counter, in the form of `shown`: 42 is `BK-0042`. A form with a date has no
/// such number.
#[must_use]
pub fn of_counter(shown: &str, counter: &str) -> Option<String> {
    let head = shown.trim_end_matches(|c: char| c.is_ascii_digit());
    let width = shown.len() - head.len();
    let digits = counter.trim_start_matches('0');
    let is_counter = !counter.is_empty() && counter.bytes().all(|b| b.is_ascii_digit());
    let undated = !head.contains(|c: char| c.is_ascii_digit());
    (is_counter && undated && width > 0).then(|| format!("{head}{digits:0>width$}"))
}

/// What people put before a booking's number, in guests' languages.
const BOOKING_WORDS: [&str; 6] = ["booking", "reservation", "reserva", "no", "nr", "number"];

/// The number behind the words for "booking"; `None` if the text doesn't begin with one.
#[must_use]
pub fn without_booking_words(text: &str) -> Option<&str> {
    without_words(text, &BOOKING_WORDS)
}

/// The name behind any of these words, or behind `#`.
pub(crate) fn without_words<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    let text = text.trim();
    let rest = text.trim_start_matches(char::is_alphabetic);
    let word = text.get(..text.len() - rest.len())?;
    let name = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_word = words.contains(&word.to_lowercase().as_str());
    let is_mark = word.is_empty() && rest.starts_with(['#', '№']);
    if name.is_empty() || !(is_word || is_mark) {
        return None;
    }
    // "Room no. 302"
    without_words(name, words).or(Some(name))
}

/// Whether this text means the record that is shown so.
#[must_use]
pub fn is_same(shown: &str, text: &str) -> bool {
    shown == text || in_form_of(shown, text).as_deref() == Some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_and_dashes_are_optional() {
        for (text, meant) in [
            ("bk 42", "bk-0042"),
            ("BK42", "BK-0042"),
            (" BK-0042 ", "BK-0042"),
            ("BK-42", "BK-000042"),
            ("res-2026-42", "res-2026-000042"),
            ("R42", "R0042"),
            ("B/0042", "B/42"),
            ("BK-0", "BK-0000"),
        ] {
            let all = spellings(text);
            assert!(all.iter().any(|one| one == meant), "{text}: {all:?}");
            assert_eq!(all[0], text.trim(), "as written first");
            let mut once = all.clone();
            once.sort();
            once.dedup();
            assert_eq!(once.len(), all.len(), "{all:?}");
        }
    }

    #[test]
    fn the_number_format_is_learned_from_the_org() {
        let in_form = |shown: &str, text: &str| find_matching_format(shown, &spellings(text));
        assert_eq!(in_form("BK-0007", "bk 42"), Some("BK-0042".to_owned()));
        assert_eq!(in_form("Res000007", "RES-42"), Some("Res000042".to_owned()));
        assert_eq!(in_form("CX-0007", "bk 42"), None);
        assert_eq!(in_form("0007", "bk 42"), None);
    }

    #[test]
    fn numbers_are_read_in_the_orgs_form() {
        for (shown, text, meant) in [
            ("BK-0007", "bk 42", Some("BK-0042")),
            ("BK-0007", "BK- 0042", Some("BK-0042")),
            ("BK-0007", "0042", Some("BK-0042")),
            ("BK-0007", "042", None),
            ("BK-0007", "1042", None),
            ("RES-2026-0007", "0042", None),
            ("0007", "0042", Some("0042")),
            ("BK-0007", "booking 42", Some("BK-0042")),
            ("BK-0007", "Reservation no. 42", Some("BK-0042")),
            ("BK-0007", "#42", Some("BK-0042")),
            ("BK-0007", "booking BK 42", Some("BK-0042")),
            ("BK-0007", "12345", None),
            ("BK-0007", "booking 12345", Some("BK-12345")),
            ("RES-2026-0007", "booking 42", None),
            ("BK-0007", "room 42", None),
            ("BK-0007", "CX 42", None),
        ] {
            assert_eq!(in_form_of(shown, text).as_deref(), meant, "{shown} {text}");
        }
    }

    #[test]
    fn other_texts_are_no_record_numbers() {
        for text in [
            "",
            "302",
            "Beth",
            "BK",
            "bk-",
            "beth1@example.com",
            "+1555",
            "O'Brien 2",
        ] {
            assert_eq!(spellings(text), Vec::<String>::new(), "{text}");
        }
    }
}
