//! Which Stripe account this store's payments are on, as the connector asks it.

use async_trait::async_trait;
use dewy_domain::ports::AccountMemory;
use dewy_store::Store;

/// The store's memory; with `read_only` it keeps nothing.
#[derive(Clone, Debug)]
pub struct OwnAccount {
    /// Where it is kept.
    pub store: Store,
    /// A command that only looks.
    pub read_only: bool,
}

#[async_trait]
impl AccountMemory for OwnAccount {
    async fn remember(&self, found: &str) -> Result<String, String> {
        if self.read_only {
            let known = self
                .store
                .known_stripe_account()
                .await
                .map_err(|error| error.to_string())?;
            return Ok(known.unwrap_or_else(|| found.to_owned()));
        }
        self.store
            .stripe_account(found)
            .await
            .map_err(|error| error.to_string())
    }
}
