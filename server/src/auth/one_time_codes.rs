//! Six-digit sign-in codes: generated, stored as keyed hashes, and accepted once.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    email_address::EmailAddress,
    ports::{Clock, Entropy},
};
use dewy_saga::StoreError;
use dewy_store::{CodeCheck, CodeSend, NewCode, Store};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::installation_keys::install_key;

/// Lifetime of a code.
const CODE_LIFETIME: Duration = Duration::from_secs(600);
/// Setting that holds the key of the hashes.
const KEY: &str = "sign_in_code_key";

/// Generates and verifies codes.
#[derive(Clone, Debug)]
pub struct Codes {
    /// Store of the hashes.
    pub store: Store,
    /// Clock.
    pub clock: Arc<dyn Clock>,
    /// Source of randomness.
    pub entropy: Arc<dyn Entropy>,
}

impl Codes {
    /// Generates a code for an address and stores its hash; `None` when the address had three codes
    /// in the past hour. It never checks whether the address belongs to anybody, so the answer
    /// reveals nothing. A code for someone new is bound to the `phone` that gets it.
    pub async fn make(
        &self,
        email: &EmailAddress,
        phone: Option<&str>,
    ) -> Result<Option<String>, StoreError> {
        let key = self.key().await?;
        let code = self.six_digits();
        let now = self.clock.now();
        let new = NewCode {
            email_hash: keyed(&key, &["email", email.as_str()])?,
            code_hash: code_hash(&key, email, phone, &code)?,
            expires_at: now + CODE_LIFETIME,
            sent_at: now,
        };
        Ok(match self.store.store_code(&new).await? {
            CodeSend::Send => Some(code),
            CodeSend::TooMany => None,
        })
    }

    /// Whether the code is correct. A code is accepted only once. The comparison is between keyed
    /// hashes, so its timing reveals nothing about the code.
    pub async fn check(
        &self,
        email: &EmailAddress,
        phone: Option<&str>,
        code: &str,
    ) -> Result<bool, StoreError> {
        let key = self.key().await?;
        let email_hash = keyed(&key, &["email", email.as_str()])?;
        let code_hash = code_hash(&key, email, phone, code)?;
        Ok(self
            .store
            .check_code(&email_hash, &code_hash, self.clock.now())
            .await?
            == CodeCheck::Right)
    }

    /// Idempotency token for the execution that a correct code starts.
    #[must_use]
    pub fn token(&self) -> String {
        let mut random = [0; 16];
        self.entropy.fill(&mut random);
        hex::encode(random)
    }

    async fn key(&self) -> Result<[u8; 32], StoreError> {
        install_key(&self.store, &*self.entropy, KEY).await
    }

    fn six_digits(&self) -> String {
        // Values from the uneven end of the range are drawn again, so that every code is equally
        // likely.
        const UNBIASED_LIMIT: u64 = u64::MAX - u64::MAX % 1_000_000;
        loop {
            let number = self.entropy.next_u64();
            if number < UNBIASED_LIMIT {
                return format!("{:06}", number % 1_000_000);
            }
        }
    }
}

fn code_hash(
    key: &[u8],
    email: &EmailAddress,
    phone: Option<&str>,
    code: &str,
) -> Result<[u8; 32], StoreError> {
    let email = email.as_str();
    match phone {
        None => keyed(key, &["code", email, code]),
        Some(phone) => keyed(key, &["new", email, phone, code]),
    }
}

fn keyed(key: &[u8], parts: &[&str]) -> Result<[u8; 32], StoreError> {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(key).map_err(|e| StoreError::Failed(e.to_string()))?;
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
    Ok(mac.finalize().into_bytes().into())
}
