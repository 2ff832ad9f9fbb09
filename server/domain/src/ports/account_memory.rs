//! Which account of the payment system the store's payments are on.

use async_trait::async_trait;

/// Remembers one account. What another account does not know of a payment says nothing about the
/// payment, so a key of another one is used for nothing.
#[async_trait]
pub trait AccountMemory: Send + Sync + std::fmt::Debug {
    /// The account that is remembered; `found` from now on where there was none. Of several
    /// processes that find different ones at the same moment, one wins.
    ///
    /// # Errors
    /// In words, when it cannot be read.
    async fn remember(&self, found: &str) -> Result<String, String>;
}
