//! Language of messages to a guest: that of the browser they sign in with, until they choose another.

use dewy_domain::caller::{Caller, Persona};
use dewy_orchestrators::{KeyValueStore, guest_language_key};

use super::authenticator::RequestAuthenticator;
use crate::ports::key_value_store::StoredValues;

impl RequestAuthenticator {
    /// Stores a guest's language, if known. A failure is only logged.
    pub(super) async fn keep_language(&self, caller: &Caller, language: Option<&str>) {
        let (Persona::Guest, Some(language)) = (caller.persona, language) else {
            return;
        };
        let values = StoredValues(self.sign_in_state.store.clone());
        let name = guest_language_key(&caller.email);
        if let Err(error) = values.write(&name, language.into()).await {
            tracing::warn!(%error, "a guest's language could not be stored");
        }
    }
}
