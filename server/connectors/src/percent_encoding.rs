//! Percent-encoding that is identical in a path, a query string and a form.

use percent_encoding::percent_encode_byte;

/// Encodes all but the unreserved characters of RFC 3986, so that a text can never end its component
/// early (`+`, `&`, `#`, `/`).
pub(crate) fn percent(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(percent_encode_byte(byte)),
        }
    }
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
