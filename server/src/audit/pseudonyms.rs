//! Pseudonyms for people: they reveal nothing, and can be derived again from the address.

use anyhow::Context;
use dewy_domain::{email_address::EmailAddress, ports::Entropy};
use dewy_store::Store;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretBox};
use sha2::Sha256;
use std::sync::Arc;

use crate::installation_keys::install_key;

/// Setting that holds the key.
const SETTING: &str = "person_key";
/// Length of an id in bytes of the digest: enough that two people never share one.
const ID_BYTES: usize = 12;

/// Derives ids from addresses with a key of this installation; without the key, nobody can find the
/// address by guessing.
#[derive(Clone, Debug)]
pub struct Pseudonyms(Arc<SecretBox<[u8; 32]>>);

impl Pseudonyms {
    /// Loads the key from the store, creating it when there is none.
    ///
    /// # Errors
    /// When the store failed, or holds an invalid value.
    pub async fn load(store: &Store, entropy: &dyn Entropy) -> anyhow::Result<Self> {
        let key = install_key(store, entropy, SETTING)
            .await
            .context("the key for person IDs can't be read")?;
        Ok(Self(Arc::new(SecretBox::new(Box::new(key)))))
    }

    /// Id of the person with this address.
    #[must_use]
    pub fn id(&self, email: &str) -> String {
        // HMAC accepts a key of any length; if it were refused, all ids would be the same.
        let digest = Hmac::<Sha256>::new_from_slice(self.0.expose_secret()).map(|mut mac| {
            mac.update(EmailAddress::from(email).as_str().as_bytes());
            mac.finalize().into_bytes()
        });
        format!(
            "per_{}",
            digest
                .map(|d| hex::encode(&d[..ID_BYTES]))
                .unwrap_or_default()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dewy_connectors::{OsEntropy, RealClock};

    #[tokio::test]
    async fn a_person_keeps_the_same_pseudonym() {
        let store = Store::open("sqlite::memory:", Arc::new(RealClock))
            .await
            .unwrap();
        store.migrate().await.unwrap();
        let (first, second) = (
            Pseudonyms::load(&store, &OsEntropy).await.unwrap(),
            Pseudonyms::load(&store, &OsEntropy).await.unwrap(),
        );
        let beth = first.id("beth.gibbs@email.com");
        assert_eq!(beth, second.id(" Beth.Gibbs@Email.com"));
        assert_ne!(beth, first.id("wei.chen@example.com"));
        assert!(beth.len() == 28 && !beth.contains("beth"));
    }
}
