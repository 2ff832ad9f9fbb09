//! Deletion of expired rows.

use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{row_conversion::micros, small_writes::write_rows, store::Store};

/// Longer than any read, so claims released before then matter to none.
const DAY: i64 = 86_400_000_000;

/// Days for which it is known how a text ended.
const TEXT_DAYS: i64 = 30;

impl Store {
    /// Deletes expired sessions, codes, rate limits and named leases, statuses of texts after 30 days,
    /// and claims released more than a day ago; returns the number of rows. May run at any time, on any instance.
    ///
    /// # Errors
    /// When the store fails; part of it may be done.
    pub async fn purge(&self, at: Timestamp) -> Result<u64, StoreError> {
        let now = micros(at);
        let mut gone = write_rows!(self, "delete from session where expires_at <= $1", now)?;
        gone += write_rows!(self, "delete from rate_limit where expires_at <= $1", now)?;
        // A day late, because the databases' clocks decide who holds what.
        gone += write_rows!(self, "delete from named_lease where until <= $1", now - DAY)?;
        gone += write_rows!(self, "delete from sign_in_code where expires_at <= $1", now)?;
        let texts = now - TEXT_DAYS * DAY;
        gone += write_rows!(
            self,
            "delete from text_status where changed_at <= $1",
            texts
        )?;
        // The floor first: a mark below it is stale from then on, whether or not the rows are
        // deleted yet.
        let floor = "update counter set value = (select coalesce(max(changed), 0) from claim where execution is null and changed_at <= $1)
                     where name = 'claim_floor'
                       and value < (select coalesce(max(changed), 0) from claim where execution is null and changed_at <= $1)";
        write_rows!(self, floor, now - DAY)?;
        let old = "delete from claim where execution is null and changed_at <= $1
                   and changed <= (select value from counter where name = 'claim_floor')";
        gone += write_rows!(self, old, now - DAY)?;
        Ok(gone)
    }
}
