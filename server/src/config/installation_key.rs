//! Key of this installation. Everything that is hashed, sealed, or signed with it is worth nothing to
//! whoever reads the store, because the key is not there: it is in a file of its own.
//!
//! ```text
//! DEWY_KEY_FILE, or <database>.key beside a SQLite file ─► key ─┬─► sign-in codes      (HMAC)
//!        made at first start, mode 0600; on Postgres the        ├─► browser cookies    (HMAC)
//!        operator makes it, the same for every instance         ├─► MCP confirmations  (seal)
//!                                                               └─► person IDs         (HMAC)
//! ```
//! Each purpose has its own key, derived from the one in the file. A demo on Postgres and a store in
//! memory have no file and keep the key in the store.

use std::{path::PathBuf, sync::Arc};

use anyhow::{Context, bail};
use dewy_domain::ports::Entropy;
use dewy_store::{Store, database_file};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretBox};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::config::{Config, key_file};

/// Setting that holds the key where there is no file.
const STORED: &str = "installation_key";
/// Setting that recognizes the key: instances with another one would reject each other's codes.
const CHECK: &str = "installation_key_check";
/// Setting that holds the person key, masked with a key of the file.
const MASKED_PERSON_KEY: &str = "person_key_masked";
/// Setting of releases that kept the person key in the clear.
const PERSON_KEY: &str = "person_key";
/// Settings of releases that kept keys in the clear. What they protected lasts ten minutes at most.
const FORMER_KEYS: [&str; 2] = ["sign_in_code_key", "mcp_confirmation_key"];

/// A key of 32 bytes.
type Key = [u8; 32];

#[derive(Clone, Debug)]
pub struct InstallationKey {
    key: Arc<SecretBox<Key>>,
    person_key: Arc<SecretBox<Key>>,
}

impl InstallationKey {
    /// Loads the key, creating it where this process may. Keys that older releases kept in the store
    /// are erased there.
    ///
    /// # Errors
    /// When there is no key, the file can't be used or belongs to another store, or the store failed.
    pub async fn load(
        config: &Config,
        store: &Store,
        entropy: &dyn Entropy,
    ) -> anyhow::Result<Self> {
        let Some(path) = key_path(config) else {
            let key = stored_key(store, entropy).await?;
            return Self::with_stored_person_key(store, key).await;
        };
        let may_create = database_file(&config.database_url).is_some();
        let key = key_file::read_or_create(&path, may_create, entropy)?;
        let check = hex::encode(derived(&key, "check")?);
        let known = store.get_or_insert_setting(CHECK, &check).await?;
        if known != check {
            bail!(
                "DEWY_KEY_FILE: {} is not the key file of this store. Restore the store's own key file (every instance needs \
                 the same content); if it is lost, accept this one with `dewy adopt key`",
                path.display()
            );
        }
        let person_key = moved_person_key(store, &key).await?;
        for name in FORMER_KEYS {
            store.erase_setting(name).await?;
        }
        Ok(Self::of(key, person_key))
    }

    /// Accepts the file's key in place of a lost one, and returns the file's path. Person IDs are
    /// others from then on.
    ///
    /// # Errors
    /// When there is no file to accept, or the store failed.
    pub async fn adopt(
        config: &Config,
        store: &Store,
        entropy: &dyn Entropy,
    ) -> anyhow::Result<PathBuf> {
        let path = key_path(config).context("this store needs no key file")?;
        let may_create = database_file(&config.database_url).is_some();
        let key = key_file::read_or_create(&path, may_create, entropy)?;
        let check = hex::encode(derived(&key, "check")?);
        if store.get_setting(CHECK).await?.as_deref() != Some(&*check) {
            store.erase_setting(MASKED_PERSON_KEY).await?;
            store.put_setting(CHECK, &check).await?;
        }
        Ok(path)
    }

    /// A key for tests and programs without a configuration; it is kept in the store.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn in_store(store: &Store, entropy: &dyn Entropy) -> anyhow::Result<Self> {
        let key = stored_key(store, entropy).await?;
        Self::with_stored_person_key(store, key).await
    }

    async fn with_stored_person_key(store: &Store, key: Key) -> anyhow::Result<Self> {
        let person_key = match store.get_setting(PERSON_KEY).await? {
            Some(kept) => decoded(&kept)?,
            None => derived(&key, "person IDs")?,
        };
        Ok(Self::of(key, person_key))
    }

    fn of(key: Key, person_key: Key) -> Self {
        let secret = |key| Arc::new(SecretBox::new(Box::new(key)));
        Self {
            key: secret(key),
            person_key: secret(person_key),
        }
    }

    #[must_use]
    pub fn hash(&self, purpose: &str, parts: &[&[u8]]) -> Key {
        let parts = [&[purpose.as_bytes()], parts].concat();
        // HMAC accepts a key of any length
        keyed(self.key.expose_secret(), &parts).unwrap_or_default()
    }

    /// Whether a hash, or its beginning, is that of these parts; takes the same time either way.
    #[must_use]
    pub fn verifies(&self, purpose: &str, parts: &[&[u8]], hash: &[u8]) -> bool {
        let expected = self.hash(purpose, parts);
        let expected = expected.get(..hash.len()).unwrap_or_default();
        !hash.is_empty() && bool::from(expected.ct_eq(hash))
    }

    /// Key of one purpose, for code that computes hashes itself.
    #[must_use]
    pub fn key_for(&self, purpose: &str) -> Key {
        self.hash("key", &[purpose.as_bytes()])
    }

    /// Key of person IDs. It survives a change of the file, because the audit log is older.
    #[must_use]
    pub(crate) fn person_key(&self) -> &Key {
        self.person_key.expose_secret()
    }
}

/// File of the key; `None` if the key is kept in the store.
fn key_path(config: &Config) -> Option<PathBuf> {
    if let Some(path) = &config.key_file {
        return Some(path.clone());
    }
    let database = database_file(&config.database_url)?;
    let database = std::fs::canonicalize(&database).unwrap_or(database);
    let mut path = database.into_os_string();
    path.push(".key");
    Some(path.into())
}

async fn stored_key(store: &Store, entropy: &dyn Entropy) -> anyhow::Result<Key> {
    let mut key = Key::default();
    entropy.fill(&mut key);
    let kept = store
        .get_or_insert_setting(STORED, &hex::encode(key))
        .await?;
    decoded(&kept)
}

/// Person key of this installation: derived from the file, or the one that an older release kept in
/// the store. The store keeps it masked with a key of the file.
async fn moved_person_key(store: &Store, key: &Key) -> anyhow::Result<Key> {
    let mask = derived(key, "person key mask")?;
    let former = match (
        store.get_setting(PERSON_KEY).await?,
        store.get_setting(STORED).await?,
    ) {
        (Some(kept), _) => decoded(&kept)?,
        (None, Some(stored)) => derived(&decoded(&stored)?, "person IDs")?,
        (None, None) => derived(key, "person IDs")?,
    };
    // The first one stays, even if an older release that still runs makes another
    let masked = hex::encode(xor(former, mask));
    let masked = store
        .get_or_insert_setting(MASKED_PERSON_KEY, &masked)
        .await?;
    for name in [PERSON_KEY, STORED] {
        store.erase_setting(name).await?;
    }
    Ok(xor(decoded(&masked)?, mask))
}

fn decoded(text: &str) -> anyhow::Result<Key> {
    let mut key = Key::default();
    hex::decode_to_slice(text, &mut key).context("a key in the store is damaged")?;
    Ok(key)
}

fn xor(a: Key, b: Key) -> Key {
    std::array::from_fn(|n| a[n] ^ b[n])
}

fn derived(key: &Key, purpose: &str) -> anyhow::Result<Key> {
    keyed(key, &[purpose.as_bytes()]).context("no key can be derived")
}

fn keyed(key: &Key, parts: &[&[u8]]) -> Option<Key> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    Some(mac.finalize().into_bytes().into())
}

#[cfg(test)]
mod tests;
