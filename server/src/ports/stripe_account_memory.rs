//! Remembers the Stripe account that this store's payments are on.

use async_trait::async_trait;
use dewy_domain::ports::PaymentAccountStore;
use dewy_store::Store;

/// Account recorded in the store; `read_only` records nothing.
#[derive(Clone, Debug)]
pub struct StoredStripeAccount {
    pub store: Store,
    /// Whether the command only reads.
    pub read_only: bool,
}

#[async_trait]
impl PaymentAccountStore for StoredStripeAccount {
    async fn get_or_set(&self, found: &str) -> Result<String, String> {
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
