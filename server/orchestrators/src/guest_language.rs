//! Language that a guest reads, as their browser or they themselves have said.

use crate::hotel::Hotel;

/// Name under which the tag of a guest's language is stored.
#[must_use]
pub fn guest_language(email: &str) -> String {
    format!("language:{email}")
}

impl Hotel {
    /// Tag of a guest's language, if it is known.
    pub(crate) async fn language_of(&self, email: &str) -> Option<String> {
        let stored = self.key_value_store.read(&guest_language(email)).await;
        let stored = stored.unwrap_or_else(|error| {
            tracing::warn!(%error, "a guest's language could not be read");
            None
        });
        stored?.as_str().map(str::to_owned)
    }
}
