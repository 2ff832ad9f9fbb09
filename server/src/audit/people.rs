//! Names for people that give nothing away and can be made again from their address.

use anyhow::Context;
use dewy_domain::ports::Entropy;
use dewy_store::Store;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretBox};
use sha2::Sha256;
use std::sync::Arc;

use crate::install_keys::install_key;

/// Under this name the key is kept.
const SETTING: &str = "person_key";
/// How many bytes of the digest a name has: enough that two people never share one.
const LENGTH: usize = 12;

/// Makes ids of addresses, by a key of this installation: without it nobody can tell by trying
/// whose an id is.
#[derive(Clone, Debug)]
pub struct People(Arc<SecretBox<[u8; 32]>>);

impl People {
    /// With the key in the store; made when there is none yet.
    ///
    /// # Errors
    /// When the store failed, or holds something else.
    pub async fn of(store: &Store, entropy: &dyn Entropy) -> anyhow::Result<Self> {
        let key = install_key(store, entropy, SETTING)
            .await
            .context("the key for the names of people cannot be read")?;
        Ok(Self(Arc::new(SecretBox::new(Box::new(key)))))
    }

    /// The id of whoever has this address.
    #[must_use]
    pub fn id(&self, email: &str) -> String {
        // A key of any length is taken; were it refused, all ids would be the same, and nobody's.
        let digest = Hmac::<Sha256>::new_from_slice(self.0.expose_secret()).map(|mut mac| {
            mac.update(email.trim().to_lowercase().as_bytes());
            mac.finalize().into_bytes()
        });
        format!(
            "per_{}",
            digest
                .map(|d| hex::encode(&d[..LENGTH]))
                .unwrap_or_default()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dewy_connectors::{OsEntropy, RealClock};

    #[tokio::test]
    async fn the_same_person_has_the_same_name_for_ever() {
        let store = Store::open("sqlite::memory:", Arc::new(RealClock))
            .await
            .unwrap();
        store.migrate().await.unwrap();
        let (first, second) = (
            People::of(&store, &OsEntropy).await.unwrap(),
            People::of(&store, &OsEntropy).await.unwrap(),
        );
        let beth = first.id("beth.gibbs@email.com");
        assert_eq!(beth, second.id(" Beth.Gibbs@Email.com"));
        assert_ne!(beth, first.id("wei.chen@example.com"));
        assert!(beth.len() == 28 && !beth.contains("beth"));
    }
}
