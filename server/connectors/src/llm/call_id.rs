//! Ids of calls that the server being asked did not choose.

use sha2::{Digest, Sha256};

/// Nine letters and digits, always the same for the same id: Mistral accepts no others, and OpenAI
/// no longer than 40 characters.
pub(super) fn foreign_id(id: &str) -> String {
    let digest = hex::encode(Sha256::digest(id.as_bytes()));
    digest.chars().take(9).collect()
}
