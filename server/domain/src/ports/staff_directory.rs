//! Who works at the hotel.

use async_trait::async_trait;

use crate::email_address::EmailAddress;

#[async_trait]
pub trait StaffDirectory: Send + Sync + std::fmt::Debug {
    /// Whether somebody with this email can sign in; `None` if that can't be read.
    async fn is_staff(&self, email: &EmailAddress) -> Option<bool>;
}
