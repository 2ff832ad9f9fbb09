//! Bearer tokens in the store, and whom they stand for now.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use dewy_domain::{
    caller::{Caller, Interface, Persona, Role},
    ports::{Clock, Entropy},
};
use dewy_saga::StoreError;
use dewy_store::{NewToken, Store};
use sha2::{Digest, Sha256};

use super::bearer::TokenCheck;

/// What is stored of a token: it has 256 random bits, so a plain hash cannot be turned back.
#[must_use]
pub fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// Makes a token and keeps its hash; the token itself is only ever here.
///
/// # Errors
/// When the store failed.
pub async fn create_token(
    store: &Store,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    persona: Persona,
    email: &str,
    good_for: Duration,
) -> Result<String, StoreError> {
    let mut random = [0; 32];
    entropy.fill(&mut random);
    let token = format!("dewy_{}_{}", persona.name(), URL_SAFE_NO_PAD.encode(random));
    let now = clock.now();
    let new = NewToken {
        hash: token_hash(&token),
        persona: persona.name().to_owned(),
        subject_email: Some(email.trim().to_lowercase()),
        // A member of staff's role is looked up at each use.
        roles: Vec::new(),
        name: "command line".to_owned(),
        created_at: now,
        expires_at: Some(now + good_for),
    };
    store.create_token(new).await?;
    Ok(token)
}

/// The tokens of the store.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// Where they are.
    pub store: Store,
    /// Time.
    pub clock: Arc<dyn Clock>,
}

#[async_trait]
impl TokenCheck for Tokens {
    async fn caller(&self, token: &str, persona: Persona, interface: Interface) -> Result<Option<Caller>, StoreError> {
        let hash = token_hash(token);
        let Some(found) = self.store.find_token_by_hash(&hash).await?.filter(|t| t.token.persona == persona.name())
        else {
            return Ok(None);
        };
        let Some(email) = found.token.subject_email else { return Ok(None) };
        let caller = match persona {
            Persona::Guest => Caller::guest(&email, interface),
            // The account decides now, not when the token was made: somebody who left is out at once.
            Persona::Staff => match staff_role(&self.store, &email).await? {
                Some(role) => Caller::staff(&email, role, interface),
                None => return Ok(None),
            },
        };
        let now = self.clock.now();
        // To the minute is enough, and most calls then write nothing.
        let stale = found.last_used_at.is_none_or(|last| now.duration_since(last) > jiff::SignedDuration::from_mins(1));
        if stale && let Err(error) = self.store.touch_token_last_used(&hash, now).await {
            tracing::warn!(%error, "a token's last use was not noted");
        }
        Ok(Some(caller))
    }
}

/// The role of an account that may act now.
///
/// # Errors
/// When the store failed.
pub async fn staff_role(store: &Store, email: &str) -> Result<Option<Role>, StoreError> {
    let account = store.staff_by_email(email).await?.filter(|account| !account.disabled);
    Ok(account.and_then(|account| Role::from_name(&account.role)))
}
