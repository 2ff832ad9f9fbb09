//! Throwing away what no longer says anything.

use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{codec::micros, store::Store, write::write};

/// No reading lasts so long that a claim given back before then could matter to it.
const DAY: i64 = 86_400_000_000;

impl Store {
    /// Deletes expired sessions, codes, rate limits and holds, and claims given back more than a
    /// day ago; answers how many rows. May run at any time, on any instance.
    ///
    /// # Errors
    /// When the store failed; some of it may be done.
    pub async fn sweep(&self, at: Timestamp) -> Result<u64, StoreError> {
        let now = micros(at);
        let mut gone = write!(self, "delete from session where expires_at <= $1", now)?;
        gone += write!(self, "delete from rate_limit where expires_at <= $1", now)?;
        // A day late, for the databases' clocks decide who holds what.
        gone += write!(self, "delete from hold where until <= $1", now - DAY)?;
        // The count of sendings is needed for an hour.
        gone += write!(
            self,
            "delete from sign_in_code where expires_at <= $1 and window_start <= $1 - 3600000000",
            now
        )?;
        // The floor first: a mark below it is stale from then on, whether or not the rows are gone
        // yet.
        let floor = "update tally set value = (select coalesce(max(changed), 0) from claim where execution is null and changed_at <= $1)
                     where name = 'claim_floor'
                       and value < (select coalesce(max(changed), 0) from claim where execution is null and changed_at <= $1)";
        write!(self, floor, now - DAY)?;
        let old = "delete from claim where execution is null and changed_at <= $1
                   and changed <= (select value from tally where name = 'claim_floor')";
        gone += write!(self, old, now - DAY)?;
        Ok(gone)
    }
}
