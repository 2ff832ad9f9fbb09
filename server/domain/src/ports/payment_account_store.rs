//! The payment system account that holds the store's payments.

use async_trait::async_trait;

/// Remembers one account. Another account knows nothing about this store's payments, so a key of
/// another account must not be used.
#[async_trait]
pub trait PaymentAccountStore: Send + Sync + std::fmt::Debug {
    /// Returns the remembered account, or remembers `found` if there is none. Of several processes
    /// that find different ones at once, one wins.
    ///
    /// # Errors
    /// Returns a message when the account cannot be read.
    async fn get_or_set(&self, found: &str) -> Result<String, String>;
}
