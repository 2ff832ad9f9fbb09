//! Idempotency tokens as they are stored. A token of random digits can look like a payment card number,
//! and one may be it: such a token is stored as a keyed digest, and found again by it.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::payment_card_number::has_card_number;

/// Key of the digests, the same for all processes of an installation.
#[derive(Clone, Copy, Default)]
pub struct TokenKey([u8; 32]);

impl TokenKey {
    /// Key of this installation, which must not be in its store.
    #[must_use]
    pub const fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// The token, or its digest.
    #[must_use]
    pub fn stored(&self, token: &str) -> String {
        if !has_card_number(token) {
            return token.to_owned();
        }
        let digest = Sha256::new().chain_update(self.0).chain_update(token);
        format!("digest-{}", hex::encode(digest.finalize()))
    }
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TokenKey").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_that_look_like_cards_are_told_apart_and_not_shown() {
        let (ours, other) = (TokenKey::new([1; 32]), TokenKey::new([2; 32]));
        let tokens = [
            "4242424242424242",
            "4242 4242 4242 4242",
            "5555555555554444",
        ];
        for token in tokens {
            let stored = ours.stored(token);
            assert!(
                stored.len() < 255 && !stored.contains(&token[..4]),
                "{stored}"
            );
            assert_eq!(ours.stored(token), stored);
            assert_eq!(ours.stored(&stored), stored);
            assert_ne!(other.stored(token), stored);
            let same = tokens.iter().filter(|other| ours.stored(other) == stored);
            assert_eq!(same.count(), 1);
        }
        for token in ["4242424242424243", "order-7", "1234567890123456789"] {
            assert_eq!(ours.stored(token), token);
        }
    }
}
