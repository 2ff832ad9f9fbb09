//! What confirmations need to be remembered by every instance: one key, and which of them were
//! used.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::ports::{Clock, Entropy};
use dewy_saga::StoreError;
use dewy_store::Store;

use crate::install_keys::install_key;

/// The setting that holds the key.
const KEY: &str = "mcp_confirmation_key";

/// The key, and single use.
#[async_trait]
pub trait Seals: Send + Sync + std::fmt::Debug {
    /// At least 32 bytes that no client knows, the same for all instances.
    ///
    /// # Errors
    /// When it cannot be read at present.
    async fn key(&self) -> Result<Vec<u8>, StoreError>;

    /// True the first time only; remembered for so long.
    ///
    /// # Errors
    /// When that cannot be noted at present; then it was not used.
    async fn spend(&self, id: &str, remembered: Duration) -> Result<bool, StoreError>;
}

/// In the store.
#[derive(Clone, Debug)]
pub struct StoredSeals {
    /// Where.
    pub store: Store,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
}

#[async_trait]
impl Seals for StoredSeals {
    async fn key(&self) -> Result<Vec<u8>, StoreError> {
        Ok(install_key(&self.store, &*self.entropy, KEY)
            .await?
            .to_vec())
    }

    async fn spend(&self, id: &str, remembered: Duration) -> Result<bool, StoreError> {
        // A lease that nobody can hold a second time: each try has a name of its own.
        let whoever = format!("{:016x}", self.entropy.next_u64());
        self.store
            .try_hold(
                &format!("mcp_confirmed:{id}"),
                &whoever,
                remembered,
                self.clock.now(),
            )
            .await
    }
}
