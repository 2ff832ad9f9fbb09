//! Accounts of staff, for the orchestrators.

use async_trait::async_trait;
use dewy_domain::{email_address::EmailAddress, ports::StaffDirectory};
use dewy_store::Store;

#[derive(Clone, Debug)]
pub struct StaffAccounts(pub Store);

#[async_trait]
impl StaffDirectory for StaffAccounts {
    async fn is_staff(&self, email: &EmailAddress) -> Option<bool> {
        match self.0.staff_by_email(email).await {
            Ok(account) => Some(account.is_some_and(|account| !account.disabled)),
            Err(error) => {
                tracing::warn!(%error, "the accounts of staff could not be read");
                None
            }
        }
    }
}
