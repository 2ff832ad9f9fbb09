//! Six digits by which a guest signs in: made, kept as keyed hashes, and checked once.

use std::{sync::Arc, time::Duration};

use dewy_domain::ports::{Clock, Entropy};
use dewy_saga::StoreError;
use dewy_store::{CodeCheck, CodeSend, NewCode, Store};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::install_keys::install_key;

/// How long a code is good.
const GOOD_FOR: Duration = Duration::from_secs(600);
/// The setting that holds the key of the hashes.
const KEY: &str = "sign_in_code_key";

/// Makes and checks codes.
#[derive(Clone, Debug)]
pub struct Codes {
    /// Where they are kept.
    pub store: Store,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
}

impl Codes {
    /// Makes a code for that address and keeps its hash; `None` when it had its three this hour.
    /// Whether anybody has this address is not looked at, so nothing about the answer can tell.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn make(&self, email: &str) -> Result<Option<String>, StoreError> {
        let key = self.key().await?;
        let code = self.six_digits();
        let now = self.clock.now();
        let new = NewCode {
            email_hash: keyed(&key, &["email", email])?,
            code_hash: keyed(&key, &["code", email, &code])?,
            expires_at: now + GOOD_FOR,
            sent_at: now,
        };
        Ok(match self.store.put_code(&new).await? {
            CodeSend::Send => Some(code),
            CodeSend::TooMany => None,
        })
    }

    /// Whether the code is right, which it is only once. What is compared are keyed hashes, so the
    /// time that takes tells nothing about the code.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn check(&self, email: &str, code: &str) -> Result<bool, StoreError> {
        let key = self.key().await?;
        let email_hash = keyed(&key, &["email", email])?;
        let code_hash = keyed(&key, &["code", email, code])?;
        Ok(self
            .store
            .use_code(&email_hash, &code_hash, self.clock.now())
            .await?
            == CodeCheck::Right)
    }

    async fn key(&self) -> Result<[u8; 32], StoreError> {
        install_key(&self.store, &*self.entropy, KEY).await
    }

    fn six_digits(&self) -> String {
        // Numbers from the uneven end of the range are drawn again, so that no code is likelier
        // than another.
        const FAIR: u64 = u64::MAX - u64::MAX % 1_000_000;
        loop {
            let number = self.entropy.next_u64();
            if number < FAIR {
                return format!("{:06}", number % 1_000_000);
            }
        }
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
