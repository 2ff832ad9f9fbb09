//! Salesforce record ids: 15 case-sensitive characters and a 3-letter checksum of their capitals.

/// Record id of 18 characters with a valid checksum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SfId([u8; 18]);

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECK: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";

impl SfId {
    /// Id of the `serial`-th record of the object with this three-character key prefix.
    #[must_use]
    pub fn new(prefix: &str, serial: u64) -> Self {
        let mut id = *b"000Hs0000000000AAA";
        for (slot, byte) in id.iter_mut().take(3).zip(prefix.bytes()) {
            *slot = byte;
        }
        let mut rest = serial;
        for slot in id[5..15].iter_mut().rev() {
            *slot = DIGITS[usize::try_from(rest % 62).unwrap_or(0)];
            rest /= 62;
        }
        Self(checked(id))
    }

    /// Parses an id of 15 characters, or of 18 with a valid checksum.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if !matches!(bytes.len(), 15 | 18) || !bytes.iter().all(u8::is_ascii_alphanumeric) {
            return None;
        }
        let mut id = [0; 18];
        id[..15].copy_from_slice(&bytes[..15]);
        let id = checked(id);
        (bytes.len() == 15 || id[15..].eq_ignore_ascii_case(&bytes[15..])).then_some(Self(id))
    }

    /// Key prefix, which identifies the object.
    #[must_use]
    pub fn prefix(&self) -> &str {
        self.as_str().get(..3).unwrap_or_default()
    }

    /// All 18 characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// Each checksum letter encodes five bits: which of five characters are capitals, the first in the
/// lowest bit.
fn checked(mut id: [u8; 18]) -> [u8; 18] {
    for chunk in 0..3 {
        let bits = (0..5).fold(0, |bits, i| {
            bits | (usize::from(id[chunk * 5 + i].is_ascii_uppercase()) << i)
        });
        id[15 + chunk] = CHECK[bits];
    }
    id
}

impl std::fmt::Display for SfId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::fmt::Debug for SfId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_matches_salesforces() {
        // Published example of an id in both lengths.
        assert_eq!(
            SfId::parse("001D000000IRFma").unwrap().as_str(),
            "001D000000IRFmaIAH"
        );
        assert!(SfId::parse("001D000000IRFmaAAA").is_none());
        assert!(SfId::parse("001D000000IRFm'").is_none());
    }

    #[test]
    fn ids_are_ordered_by_serial() {
        assert!(SfId::new("a01", 61) < SfId::new("a01", 62));
        assert_eq!(
            SfId::parse(SfId::new("a01", 9).as_str()),
            Some(SfId::new("a01", 9))
        );
        assert_eq!(SfId::new("a01", 9).prefix(), "a01");
    }
}
