//! Pseudonyms for people: they reveal nothing, and can be derived again from the address.

use dewy_domain::email_address::EmailAddress;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::config::installation_key::InstallationKey;

/// Length of an id in bytes of the digest: enough that two people never share one.
const ID_BYTES: usize = 12;

/// Derives ids from addresses with a key of this installation; without the key, nobody can find the
/// address by guessing.
#[derive(Clone, Debug)]
pub struct Pseudonyms(InstallationKey);

impl Pseudonyms {
    /// Creates it with the key of this installation.
    #[must_use]
    pub const fn new(key: InstallationKey) -> Self {
        Self(key)
    }

    /// Id of the person with this address.
    #[must_use]
    pub fn id(&self, email: &str) -> String {
        // HMAC accepts a key of any length; if it were refused, all ids would be the same.
        let digest = Hmac::<Sha256>::new_from_slice(self.0.person_key()).map(|mut mac| {
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
    use std::sync::Arc;

    use super::*;
    use dewy_connectors::{OsEntropy, RealClock};
    use dewy_store::Store;

    #[tokio::test]
    async fn a_person_keeps_the_same_pseudonym() {
        let store = Store::open("sqlite::memory:", Arc::new(RealClock))
            .await
            .unwrap();
        store.migrate().await.unwrap();
        let load = async || {
            let key = InstallationKey::in_store(&store, &OsEntropy).await;
            Pseudonyms::new(key.unwrap())
        };
        let (first, second) = (load().await, load().await);
        let beth = first.id("beth.gibbs@email.com");
        assert_eq!(beth, second.id(" Beth.Gibbs@Email.com"));
        assert_ne!(beth, first.id("wei.chen@example.com"));
        assert!(beth.len() == 28 && !beth.contains("beth"));
    }
}
