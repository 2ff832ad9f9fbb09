//! The signed-in user's own sessions: listing and ending them.

use dewy_domain::ports::{Authenticator, SessionView};
use dewy_store::Store;
use tower_sessions::session::Id;

use super::authenticator::RequestAuthenticator;

impl RequestAuthenticator {
    /// Owner of the sessions, and the id of this one.
    async fn subject(&self) -> Option<(String, Option<Id>)> {
        Some((self.signed_in().await?.caller.key(), self.session.id()))
    }

    /// Lists the sessions of the signed-in user, this one first.
    pub(super) async fn list_own_sessions(&self) -> Vec<SessionView> {
        let Some((subject, this)) = self.subject().await else {
            return Vec::new();
        };
        self.sign_in_state
            .user_sessions
            .of(&subject, this)
            .await
            .unwrap_or_else(|error| {
                tracing::error!(%error, "sessions could not be listed");
                Vec::new()
            })
    }

    /// Ends one of them; false if there is none of that name.
    pub(super) async fn revoke_own_session(&self, name: &str) -> bool {
        let Some((subject, this)) = self.subject().await else {
            return false;
        };
        if this.as_ref().map(Store::session_name).as_deref() == Some(name) {
            self.sign_out().await;
            return true;
        }
        self.sign_in_state
            .store
            .revoke_session(&subject, name)
            .await
            .unwrap_or_else(|error| {
                tracing::error!(%error, "a session could not be ended");
                false
            })
    }

    /// Ends all of them but this one.
    pub(super) async fn revoke_other_sessions(&self) {
        let Some((subject, Some(this))) = self.subject().await else {
            return;
        };
        if let Err(error) = self
            .sign_in_state
            .store
            .revoke_other_sessions(&subject, &Store::session_name(&this))
            .await
        {
            tracing::error!(%error, "sessions could not be ended");
        }
    }
}
