//! Percent-encoding that is identical in a path, a query string and a form.

/// Keeps only the unreserved characters of RFC 3986, so that a text can never end its component
/// early (`+`, `&`, `#`, `/`).
pub(crate) fn percent(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte))
            }
            _ => {
                const HEX: &[u8; 16] = b"0123456789ABCDEF";
                out.push('%');
                out.push(char::from(HEX[usize::from(byte >> 4)]));
                out.push(char::from(HEX[usize::from(byte & 15)]));
            }
        }
    }
    out
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
