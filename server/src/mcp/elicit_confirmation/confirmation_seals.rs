//! State of confirmations shared by all instances: the key, and the used seals.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::ports::{Clock, Entropy};
use dewy_saga::StoreError;
use dewy_store::Store;

use crate::config::installation_key::InstallationKey;

/// Key and single use of seals.
#[async_trait]
pub trait Seals: Send + Sync + std::fmt::Debug {
    /// Secret key of at least 32 bytes, the same for all instances.
    ///
    /// # Errors
    /// When it can't be read at present.
    async fn key(&self) -> Result<Vec<u8>, StoreError>;

    /// Marks a seal as used, for the given duration. True only the first time.
    ///
    /// # Errors
    /// When it can't be recorded at present; the seal then counts as unused.
    async fn spend(&self, id: &str, remembered: Duration) -> Result<bool, StoreError>;
}

#[derive(Clone, Debug)]
pub struct StoredSeals {
    pub store: Store,
    pub installation_key: InstallationKey,
    pub clock: Arc<dyn Clock>,
    /// Source of randomness.
    pub entropy: Arc<dyn Entropy>,
}

#[async_trait]
impl Seals for StoredSeals {
    async fn key(&self) -> Result<Vec<u8>, StoreError> {
        Ok(self.installation_key.key_for("MCP confirmations").to_vec())
    }

    async fn spend(&self, id: &str, remembered: Duration) -> Result<bool, StoreError> {
        // A lease that nobody can acquire a second time: each attempt has its own holder name.
        let whoever = format!("{:016x}", self.entropy.next_u64());
        self.store
            .acquire_named_lease(
                &format!("mcp_confirmed:{id}"),
                &whoever,
                remembered,
                self.clock.now(),
            )
            .await
    }
}
