//! The Stripe account that holds this store's payments.

use dewy_saga::StoreError;

use crate::{small_writes::write_rows, store::Store};

/// Name of the setting.
const ACCOUNT: &str = "stripe_account";

impl Store {
    /// The stored account; stores `found` if there is none. Of several processes that find
    /// different ones, one wins.
    pub async fn stripe_account(&self, found: &str) -> Result<String, StoreError> {
        match self.known_stripe_account().await? {
            Some(known) => Ok(known),
            None => self.get_or_insert_setting(ACCOUNT, found).await,
        }
    }

    /// The account, if already known.
    pub async fn known_stripe_account(&self) -> Result<Option<String>, StoreError> {
        self.get_setting(ACCOUNT).await
    }

    pub async fn set_stripe_account(&self, account: &str) -> Result<(), StoreError> {
        self.put_setting(ACCOUNT, account).await
    }

    /// Forgets the account, so that the next key's account is stored.
    pub async fn delete_stripe_account(&self) -> Result<(), StoreError> {
        write_rows!(self, "delete from setting where name = $1", ACCOUNT).map(drop)
    }
}
