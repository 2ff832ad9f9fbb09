//! Decimal digits of every script.

/// The zeros of Unicode's decimal digits; nine more digits follow each.
const ZEROS: [u32; 66] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66,
    0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// The text with its digits in ASCII: `١٢٣` and `１２３` are `123`.
#[must_use]
pub fn with_ascii_digits(text: &str) -> String {
    text.chars().map(ascii_digit).collect()
}

/// A decimal digit in ASCII; any other character unchanged.
#[must_use]
pub fn ascii_digit(letter: char) -> char {
    let code = u32::from(letter);
    let zeros_up_to = ZEROS.partition_point(|zero| *zero <= code);
    let zero = zeros_up_to.checked_sub(1).and_then(|at| ZEROS.get(at));
    zero.and_then(|zero| char::from_digit(code - zero, 10))
        .unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_any_script_become_ascii() {
        for (text, ascii) in [
            ("123 456", "123 456"),
            ("١٢٣-۴۵۶", "123-456"),
            ("１２３４５６７８９０", "1234567890"),
            ("०१२ \u{1d7d7}\u{1fbf9}", "012 99"),
            ("a½Ⅷ三²:/", "a½Ⅷ三²:/"),
        ] {
            assert_eq!(with_ascii_digits(text), ascii);
        }
        assert!(ZEROS.is_sorted());
    }
}
