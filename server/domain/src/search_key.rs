//! Normalization of names for searches: ignores case, accents and apostrophe variants.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Search key of a text: `NÚÑEZ` and `nunez` have the same key, and so do `O’Brien` and `o'brien`.
#[must_use]
pub fn search_key(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    for letter in text
        .nfkd()
        .filter(|letter| !is_combining_mark(*letter))
        .flat_map(char::to_lowercase)
    {
        match letter {
            // These have no accent to remove.
            'ß' => key.push_str("ss"),
            'æ' => key.push_str("ae"),
            'œ' => key.push_str("oe"),
            'ø' => key.push('o'),
            'đ' | 'ð' => key.push('d'),
            'ł' => key.push('l'),
            'ı' => key.push('i'),
            'þ' => key.push_str("th"),
            '’' | '‘' | 'ʼ' | 'ʻ' | '´' | '`' | '′' => key.push('\''),
            '‐' | '‑' | '–' | '—' => key.push('-'),
            other => key.push(other),
        }
    }
    key
}

/// Words of a text's search key, without punctuation.
#[must_use]
pub fn search_words(text: &str) -> Vec<String> {
    search_key(text)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_ignores_keyboard_spelling_variants() {
        for (typed, written) in [
            ("o’brien", "O'Brien"),
            ("nunez", "Núñez"),
            ("NU\u{301}N\u{303}EZ", "Núñez"),
            ("lukasz", "Łukasz"),
            ("sorensen", "Sørensen"),
            ("strasse", "Straße"),
            ("smith‑jones", "Smith-Jones"),
            ("dvorak", "DVOŘÁK"),
        ] {
            assert_eq!(search_key(typed), search_key(written), "{typed}");
        }
        assert_ne!(
            search_key("obrien"),
            search_key("O'Brien"),
            "an apostrophe is a letter of the name"
        );
        assert_eq!(search_key("王 秀英"), "王 秀英");
    }
}
