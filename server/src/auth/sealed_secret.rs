//! Encrypts a secret that stays in the session for the length of a redirect. The store knows only
//! the hash of the session's id, so text encrypted with the id can be read by the browser's next
//! request but not by anyone who reads the store.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use dewy_domain::ports::Entropy;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tower_sessions::session::Id;

const NONCE: usize = 16;

/// Encrypts a text with the session's id.
pub fn seal(text: &str, id: Id, entropy: &dyn Entropy) -> Option<String> {
    let mut nonce = [0; NONCE];
    entropy.fill(&mut nonce);
    let hidden = xor(text.as_bytes(), id, &nonce)?;
    Some(URL_SAFE_NO_PAD.encode([nonce.as_slice(), hidden.as_slice()].concat()))
}

/// Decrypts it.
pub fn open(sealed: &str, id: Id) -> Option<String> {
    let bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
    let (nonce, hidden) = bytes.split_at_checked(NONCE)?;
    String::from_utf8(xor(hidden, id, nonce)?).ok()
}

/// One-time pad from HMAC-SHA256 in counter mode. The nonce is used once, so the pad is too.
fn xor(bytes: &[u8], id: Id, nonce: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len());
    for (block, number) in bytes.chunks(32).zip(0_u32..) {
        let mut mac = Hmac::<Sha256>::new_from_slice(&id.0.to_be_bytes()).ok()?;
        for part in [b"dewy sealed".as_slice(), nonce, &number.to_be_bytes()] {
            mac.update(part);
        }
        out.extend(
            block
                .iter()
                .zip(mac.finalize().into_bytes())
                .map(|(byte, pad)| byte ^ pad),
        );
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dewy_connectors::OsEntropy;

    #[test]
    fn only_the_same_session_can_unseal() {
        let token = "dewy_staff_0123456789012345678901234567890123456789012";
        let sealed = seal(token, Id(7), &OsEntropy).unwrap();
        assert_ne!(sealed, seal(token, Id(7), &OsEntropy).unwrap());
        assert_eq!(open(&sealed, Id(7)).as_deref(), Some(token));
        assert_ne!(open(&sealed, Id(8)).as_deref(), Some(token));
        assert_eq!(open("short", Id(7)), None);
    }
}
