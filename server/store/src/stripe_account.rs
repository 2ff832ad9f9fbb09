//! Which Stripe account the payments of this store are on.

use dewy_saga::StoreError;

use crate::{store::Store, write::write};

/// The setting that holds it.
const ACCOUNT: &str = "stripe_account";

impl Store {
    /// The account, `found` from now on where none was known. Of several processes that find
    /// different ones, one wins.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn stripe_account(&self, found: &str) -> Result<String, StoreError> {
        match self.known_stripe_account().await? {
            Some(known) => Ok(known),
            None => self.settle_setting(ACCOUNT, found).await,
        }
    }

    /// The account, if one is known already.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn known_stripe_account(&self) -> Result<Option<String>, StoreError> {
        self.get_setting(ACCOUNT).await
    }

    /// From now on payments are on this account.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn move_to_stripe_account(&self, account: &str) -> Result<(), StoreError> {
        self.put_setting(ACCOUNT, account).await
    }

    /// From now on payments are on whatever account the next key opens.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn forget_stripe_account(&self) -> Result<(), StoreError> {
        write!(self, "delete from setting where name = $1", ACCOUNT).map(drop)
    }
}
