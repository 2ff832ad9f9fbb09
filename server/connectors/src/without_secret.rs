//! A response without the secret that its request was sent with: some servers repeat it when they refuse.

use secrecy::{ExposeSecret, SecretString};

/// Minimum length of a secret that is no ordinary word.
const SHORTEST_SECRET: usize = 8;

/// The text with `…` in place of the secret.
pub(crate) fn without_secret(text: &str, secret: &SecretString) -> String {
    let secret = secret.expose_secret();
    if secret.len() < SHORTEST_SECRET {
        return text.to_owned();
    }
    text.replace(secret, "…")
}
