//! Staff notes about stays.

use dewy_domain::ports::StayNote;
use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{
    fetch::fetch,
    row_conversion::{micros, to_timestamp},
    small_writes::write_rows,
    store::Store,
};

/// Maximum number of notes in a list.
const MAX_NOTES: i64 = 200;

impl Store {
    /// The notes about a stay, newest first.
    pub async fn stay_notes(&self, booking: &str) -> Result<Vec<StayNote>, StoreError> {
        let sql = "select at, author, body from stay_note where booking = $1 order by at desc, author, token limit $2";
        let rows = fetch!(self, (i64, String, String), sql, booking, MAX_NOTES)?;
        rows.into_iter()
            .map(|(at, by, body)| {
                Ok(StayNote {
                    at: to_timestamp(at)?,
                    by,
                    body,
                })
            })
            .collect()
    }

    /// Adds a note; false when the same author has already used the token for this stay, and that
    /// note stays as it is.
    ///
    /// # Errors
    /// When the store fails; a retry does no harm.
    pub async fn add_stay_note(
        &self,
        booking: &str,
        author: &str,
        token: &str,
        at: Timestamp,
        body: &str,
    ) -> Result<bool, StoreError> {
        let sql =
            "insert into stay_note (booking, author, token, at, body) values ($1, $2, $3, $4, $5)
                   on conflict (booking, author, token) do nothing";
        Ok(write_rows!(self, sql, booking, author, token, micros(at), body)? == 1)
    }

    /// Deletes the notes about a stay, for a guest's erasure request; returns their number.
    ///
    /// # Errors
    /// When the store fails; a retry does no harm.
    pub async fn erase_stay_notes(&self, booking: &str) -> Result<u64, StoreError> {
        write_rows!(self, "delete from stay_note where booking = $1", booking)
    }
}
