//! Revocation of all access.

use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{row_conversion::micros, small_writes::write_rows, store::Store};

impl Store {
    /// Ends every session, revokes every token and invalidates every sign-in code. Accounts stay.
    ///
    /// # Errors
    /// When the store fails; a retry completes the rest.
    pub async fn revoke_all_access(&self, now: Timestamp) -> Result<(), StoreError> {
        write_rows!(self, "delete from session")?;
        write_rows!(self, "delete from sign_in_code")?;
        let sql = "update api_token set revoked_at = $1 where revoked_at is null";
        write_rows!(self, sql, micros(now)).map(drop)
    }
}
