//! Percent-encoding that is identical in a path, a query string and a form.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// All but the unreserved characters of RFC 3986, so that a text can never end its component
/// early (`+`, `&`, `#`, `/`).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Encodes everything but unreserved characters.
pub(crate) fn percent(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 2);
    encoded.extend(utf8_percent_encode(text, RESERVED));
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unreserved_characters_stay() {
        assert_eq!(percent("aZ9-._~"), "aZ9-._~");
        assert_eq!(percent("a b+c&d='é"), "a%20b%2Bc%26d%3D%27%C3%A9");
    }
}
