//! Ids of calls, as they are sent.

use sha2::{Digest, Sha256};

/// The id of a call that the server itself has made, or another for one that it did not choose.
pub(super) fn sent_id(own: bool, id: &str) -> String {
    if own { id.to_owned() } else { foreign_id(id) }
}

/// Nine letters and digits, always the same for the same id: Mistral accepts no others, and OpenAI
/// no longer than 40 characters.
pub(super) fn foreign_id(id: &str) -> String {
    let digest = hex::encode(Sha256::digest(id.as_bytes()));
    digest.chars().take(9).collect()
}
