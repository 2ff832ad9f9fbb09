//! Full-width characters, as keyboards for Chinese and Japanese write them.

/// The text with its full-width characters as ASCII: `ａ＠ｂ．ｃ` is `a@b.c`.
#[must_use]
pub fn narrow(text: &str) -> String {
    text.chars().map(narrow_character).collect()
}

fn narrow_character(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(letter) - 0xff01 + 0x21).unwrap_or(letter)
        }
        '\u{3000}' => ' ',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_width_characters_become_ascii() {
        assert_eq!(narrow("ａＢ＠＝！～\u{3000}１ é王。"), "aB@=!~ 1 é王。");
    }
}
