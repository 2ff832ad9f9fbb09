//! Token administration for staff: managers see all tokens, others their own.

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona, Role},
    email_address::EmailAddress,
    ports::{TokenAdmin, TokenError, TokenOrder, TokenView},
};
use dewy_saga::StoreError;
use tower_sessions::Session;

use super::{
    sealed_secret::{open, seal},
    token_issuer::{TokenIssuer, token_view},
};

/// Session key that holds a new token until the next page shows it.
const NEW_TOKEN_KEY: &str = "made_token";

/// Token administration of one request.
#[derive(Clone, Debug)]
pub struct TokenAdminService {
    issuer: TokenIssuer,
    session: Session,
}

impl TokenAdminService {
    #[must_use]
    pub const fn new(maker: TokenIssuer, session: Session) -> Self {
        Self {
            issuer: maker,
            session,
        }
    }

    /// Stores the token, encrypted, for the page that shows it.
    async fn keep(&self, token: &str) -> Option<()> {
        let sealed = seal(token, self.session.id()?, self.issuer.entropy.as_ref())?;
        self.session.insert(NEW_TOKEN_KEY, sealed).await.ok()
    }
}

/// Whether this caller may manage that person's tokens.
fn may(caller: &Caller, persona: Persona, email: &EmailAddress) -> bool {
    let own = persona == Persona::Staff && caller.email == *email;
    caller.persona == Persona::Staff && (own || caller.role == Some(Role::Manager))
}

fn unavailable(error: &StoreError) -> TokenError {
    tracing::error!(%error, "tokens can't be read or changed");
    TokenError::Unavailable
}

#[async_trait]
impl TokenAdmin for TokenAdminService {
    async fn list(&self, caller: &Caller) -> Result<Vec<TokenView>, TokenError> {
        let all = self
            .issuer
            .store
            .tokens()
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(all
            .into_iter()
            .filter_map(token_view)
            .filter(|t| may(caller, t.persona, &t.email))
            .collect())
    }

    async fn create(&self, caller: &Caller, order: TokenOrder) -> Result<(), TokenError> {
        if !may(caller, order.persona, &order.email) {
            return Err(TokenError::NotAllowed);
        }
        let token = self.issuer.make(&order, &caller.key()).await?;
        if self.keep(&token).await.is_none() {
            tracing::error!("a new token can't be shown; it is valid, but nobody knows it");
            return Err(TokenError::Unavailable);
        }
        Ok(())
    }

    async fn take_created(&self) -> Option<String> {
        let sealed = self.session.remove::<String>(NEW_TOKEN_KEY).await.ok()??;
        open(&sealed, self.session.id()?)
    }

    async fn revoke(&self, caller: &Caller, id: &str) -> Result<bool, TokenError> {
        let TokenIssuer { store, clock, .. } = &self.issuer;
        let found = store
            .find_token_by_id(id)
            .await
            .map_err(|error| unavailable(&error))?;
        let Some(view) = found
            .clone()
            .and_then(token_view)
            .filter(|t| may(caller, t.persona, &t.email))
        else {
            return Ok(false);
        };
        let Some(found) = found else { return Ok(false) };
        let gone = store
            .revoke_token(&found.token.hash, clock.now())
            .await
            .map_err(|error| unavailable(&error))?;
        if gone {
            tracing::info!(token = view.id, by = caller.key(), "a token was revoked");
        }
        Ok(gone)
    }
}
