//! Bearer tokens in the store, and the callers they stand for.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use dewy_domain::{
    caller::{Caller, Interface, Persona, Role},
    email_address::EmailAddress,
    ports::{Clock, Entropy},
};
use dewy_saga::StoreError;
use dewy_store::{NewToken, Store};
use sha2::{Digest, Sha256};

use super::{KnownGuests, TokenFault, bearer::TokenCheck};

/// Hash stored for a token. A token has 256 random bits, so a plain hash can't be reversed.
#[must_use]
pub fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// New token: a prefix that shows its persona, then 256 random bits.
pub(super) fn random_token(entropy: &dyn Entropy, persona: Persona) -> String {
    let mut random = [0; 32];
    entropy.fill(&mut random);
    format!("dewy_{}_{}", persona.name(), URL_SAFE_NO_PAD.encode(random))
}

/// Creates a token without restrictions, for tests and internal programs. People use
/// [`super::TokenIssuer`].
pub async fn create_token(
    store: &Store,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    persona: Persona,
    email: &EmailAddress,
    good_for: Duration,
) -> Result<String, StoreError> {
    let token = random_token(entropy, persona);
    let now = clock.now();
    let new = NewToken {
        hash: token_hash(&token),
        persona: persona.name().to_owned(),
        subject_email: Some(email.clone()),
        // The role of a staff member is looked up on each use.
        roles: Vec::new(),
        read_only: false,
        created_by: None,
        name: "program".to_owned(),
        created_at: now,
        expires_at: Some(now + good_for),
    };
    store.create_token(new).await?;
    Ok(token)
}

#[derive(Clone, Debug)]
pub struct StoredTokens {
    pub store: Store,
    pub clock: Arc<dyn Clock>,
    /// The guests behind emails.
    pub guests: KnownGuests,
}

#[async_trait]
impl TokenCheck for StoredTokens {
    async fn caller(
        &self,
        token: &str,
        persona: Persona,
        interface: Interface,
    ) -> Result<Option<Caller>, TokenFault> {
        let hash = token_hash(token);
        let Some(found) = self
            .store
            .find_token_by_hash(&hash)
            .await?
            .filter(|t| t.token.persona == persona.name())
        else {
            return Ok(None);
        };
        let credential = format!("token:{}", found.id());
        let NewToken {
            subject_email,
            roles,
            read_only,
            ..
        } = found.token;
        let Some(email) = subject_email else {
            return Ok(None);
        };
        let caller = match persona {
            Persona::Guest => match self.guests.is_shared(&email).await {
                Some(false) => Caller::guest(&email, interface),
                Some(true) => return Err(TokenFault::SharedEmail),
                None => return Err(TokenFault::UnknownGuest),
            },
            // The account's current state decides, not its state when the token was made: whoever
            // left the staff loses access at once.
            Persona::Staff => {
                let account = staff_role(&self.store, &email).await?;
                match account.and_then(|account| narrowed(account, &roles)) {
                    Some(role) => Caller::staff(email.as_str(), role, interface),
                    None => return Ok(None),
                }
            }
        };
        let caller = caller.reading_only(read_only).by_credential(credential);
        let now = self.clock.now();
        // Minute precision is enough, so most calls write nothing.
        let stale = found
            .last_used_at
            .is_none_or(|last| now.duration_since(last) > jiff::SignedDuration::from_mins(1));
        if stale && let Err(error) = self.store.touch_token_last_used(&hash, now).await {
            tracing::warn!(%error, "a token's last use could not be recorded");
        }
        Ok(Some(caller))
    }
}

/// Role that a token acts in: the one it was restricted to, but never more than its owner has now.
/// `None` when neither role covers the other; the token is then invalid.
fn narrowed(account: Role, roles: &[String]) -> Option<Role> {
    let Some(name) = roles.first() else {
        return Some(account);
    };
    let token = Role::from_name(name)?;
    if account.covers(token) {
        Some(token)
    } else if token.covers(account) {
        Some(account)
    } else {
        None
    }
}

/// Role of an account that may act now.
pub async fn staff_role(store: &Store, email: &EmailAddress) -> Result<Option<Role>, StoreError> {
    let account = store
        .staff_by_email(email)
        .await?
        .filter(|account| !account.disabled);
    Ok(account.and_then(|account| Role::from_name(&account.role)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_never_exceeds_its_owner() {
        use Role::{FrontDesk, Housekeeping, Maintenance, Manager};
        for (account, token, acts) in [
            (Manager, "front_desk", Some(FrontDesk)),
            (FrontDesk, "manager", Some(FrontDesk)),
            (Housekeeping, "front_desk", Some(Housekeeping)),
            (Housekeeping, "maintenance", None),
            (Maintenance, "maintenance", Some(Maintenance)),
            (Manager, "king", None),
        ] {
            assert_eq!(
                narrowed(account, &[token.to_owned()]),
                acts,
                "{account:?} {token}"
            );
        }
        assert_eq!(narrowed(FrontDesk, &[]), Some(FrontDesk));
    }
}
