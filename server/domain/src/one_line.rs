//! Text on one line, such as the name of a person.

use unicode_normalization::char::canonical_combining_class;

use crate::{
    blank_text::{is_invisible, is_space},
    text_type::text_type,
};

text_type! {
    /// Text on one line that shows all it holds: no character reverses, hides or breaks what stands
    /// beside it. White space is single spaces, and none at the ends.
    OneLine
}

/// Folds any text.
impl From<&str> for OneLine {
    fn from(text: &str) -> Self {
        let mut line = String::with_capacity(text.len());
        let mut letters = text.chars().peekable();
        let mut space = false;
        while let Some(letter) = letters.next() {
            if is_space(letter) {
                space = true;
            } else if !is_invisible(letter)
                || (!space && shapes(line.chars().next_back(), letter, letters.peek().copied()))
            {
                if space && !line.is_empty() {
                    line.push(' ');
                }
                space = false;
                line.push(letter);
            }
        }
        Self(line)
    }
}

impl From<String> for OneLine {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

/// Whether an invisible character shapes the letters beside it, as some scripts need: joiners after a
/// virama (Hindi, Sinhala), the non-joiner between Arabic letters (Persian), and the variants of
/// Chinese characters in Japanese names.
fn shapes(before: Option<char>, letter: char, after: Option<char>) -> bool {
    const VIRAMA: u8 = 9;
    let arabic = |beside: Option<char>| {
        beside.is_some_and(|c| matches!(c, '\u{620}'..='\u{6ff}' | '\u{750}'..='\u{77f}'))
    };
    match letter {
        '\u{200c}' | '\u{200d}' => {
            before.is_some_and(|c| canonical_combining_class(c) == VIRAMA)
                || (letter == '\u{200c}' && arabic(before) && arabic(after))
        }
        '\u{e0100}'..='\u{e01ef}' => {
            before.is_some_and(|c| matches!(c, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}'))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hides_reverses_or_breaks_a_line() {
        for (written, line) in [
            ("Beth Gibbs", "Beth Gibbs"),
            ("  Beth\t\u{a0}Gibbs\r\n", "Beth Gibbs"),
            ("Beth\u{2028}Gibbs\u{85}", "Beth Gibbs"),
            ("\u{202e}sbbiG\u{202c} Beth", "sbbiG Beth"),
            ("\u{2066}Be\u{200b}th\u{2069}\u{feff}", "Beth"),
            ("B\u{ad}e\u{200d}t\u{200c}h\u{7}\u{1b}", "Beth"),
            ("Beth\u{fe0f}\u{e0041}\u{3164}", "Beth"),
            ("Beth \u{200b} Gibbs", "Beth Gibbs"),
            // What looks like a space is one
            ("Beth\u{2800}Gibbs\u{2800}", "Beth Gibbs"),
            ("\u{ffa0}Beth\u{3164}\u{115f}Gibbs\u{1d159}", "Beth Gibbs"),
            ("B\u{fff3}eth\u{13441}Gibbs\u{16fe4}", "Beth Gibbs"),
            ("\u{202e}\t\u{200b}", ""),
            // What writing needs stays
            ("علی\u{200c}رضا", "علی\u{200c}رضا"),
            ("ශ්\u{200d}රී", "ශ්\u{200d}රී"),
            ("辻\u{e0100}", "辻\u{e0100}"),
            ("O’Brien-Núñez 3", "O’Brien-Núñez 3"),
        ] {
            assert_eq!(OneLine::from(written).as_str(), line, "{written:?}");
        }
    }
}
