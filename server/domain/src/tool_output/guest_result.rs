//! Result of `create_contact_if_not_found`.

use crate::email_address::EmailAddress;
use serde::{Deserialize, Serialize};

/// Guest as found or created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestResult {
    /// Email address; only one that was found may have none.
    pub email: Option<EmailAddress>,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// Phone number.
    pub phone: Option<String>,
    /// Whether this call created the guest.
    pub created: bool,
}
