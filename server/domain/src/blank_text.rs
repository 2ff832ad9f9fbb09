//! Detection of text that shows nothing to a reader.

/// Whether the text looks empty: it has no characters, or only spaces and invisible characters.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_invisible)
}

/// Spaces, control characters, and what Unicode displays as nothing (default-ignorable characters
/// and blank letters).
#[must_use]
pub fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        || is_space(letter)
}

/// White space, and letters and symbols that are drawn as nothing but their width: fillers of Hangul
/// and Khitan, the blank of Braille, of notes, and of hieroglyphs.
#[must_use]
pub fn is_space(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '\u{115f}'
                | '\u{1160}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{ffa0}'
                | '\u{13441}'
                | '\u{13442}'
                | '\u{16fe4}'
                | '\u{1d159}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_text_is_blank() {
        for nothing in [
            "",
            " \t\n",
            "\u{200b}\u{200b}",
            "\u{feff}",
            "\u{3164}",
            "\u{2800}\u{a0}",
            "\u{e0041}",
            "\u{115f}\u{1160}\u{ffa0}",
            "\u{13441}\u{16fe4}\u{1d159}\u{fff0}",
            "\0",
        ] {
            assert!(is_blank(nothing), "{nothing:?}");
        }
        for something in ["a", "\u{200b}.", "é", "王", "👍", "👍\u{fe0f}"] {
            assert!(!is_blank(something), "{something:?}");
        }
    }
}
