//! Result of `create_contact_if_not_found`.

use crate::{email_address::EmailAddress, output_schema::tool_output};

tool_output! {
    /// Guest as found or created.
    GuestResult {
        /// Email address; only one that was found may have none.
        email: Option<EmailAddress>,
        first_name: String,
        last_name: String,
        phone: Option<String>,
        /// Whether this call created the guest.
        created: bool,
    }
}
