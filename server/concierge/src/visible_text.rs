//! Visible text.

use dewy_domain::{blank_text::is_blank, payment_card_number::without_card_numbers};

/// What a person wrote, without invisible characters and payment card numbers; `None` when nothing
/// is left or it is too long.
pub(crate) fn readable(text: &str, longest: usize) -> Option<String> {
    let text = text.replace("\r\n", "\n");
    let text = shown(&text);
    let text = text.trim();
    (!is_blank(text) && text.chars().count() <= longest).then(|| text.to_owned())
}

/// Text without invisible characters and payment card numbers.
pub(crate) fn shown(text: &str) -> String {
    let visible: String = text.chars().filter(|c| !hidden(*c)).collect();
    without_card_numbers(&visible)
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
    fn invisible_characters_and_card_numbers_are_removed() {
        assert_eq!(
            readable(" Check\u{200b} me\u{e0041} out\r\nplease \u{0}", 100).as_deref(),
            Some("Check me out\nplease")
        );
        assert_eq!(
            readable("It is 4242\u{200b}4242 4242 4242", 100).as_deref(),
            Some("It is (card number removed)")
        );
        assert_eq!(readable("\u{202e}\u{feff} \n", 100), None);
        assert_eq!(readable("ééé", 3).as_deref(), Some("ééé"));
        assert_eq!(readable("éééé", 3), None);
    }
}
