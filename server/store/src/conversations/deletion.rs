//! Deletion of conversations: by age, or on a person's erasure request.

use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{row_conversion::micros, small_writes::write_rows, store::Store};

impl Store {
    /// Deletes a person's own conversation with everything in it; false when it does not exist or is
    /// an open emergency.
    ///
    /// # Errors
    /// When the store fails; the next purge deletes what is left.
    pub async fn forget_conversation(&self, id: &str, owner: &str) -> Result<bool, StoreError> {
        // The conversation first: from then on nothing can be added to it
        if write_rows!(
            self,
            "delete from conversation where id = $1 and owner = $2 and emergency = 0",
            id,
            owner
        )? == 0
        {
            return Ok(false);
        }
        write_rows!(self, "delete from entry where conversation = $1", id)?;
        write_rows!(self, "delete from proposal where conversation = $1", id)?;
        Ok(true)
    }

    /// Deletes all conversations last changed before then, except open emergencies, and leftovers
    /// of deleted ones; returns their number.
    ///
    /// # Errors
    /// When the store fails; a retry completes the rest.
    pub async fn forget_conversations_before(&self, then: Timestamp) -> Result<u64, StoreError> {
        let gone = write_rows!(
            self,
            "delete from conversation where changed_at < $1 and emergency = 0",
            micros(then)
        )?;
        if gone > 0 {
            write_rows!(
                self,
                "delete from entry where conversation not in (select id from conversation)"
            )?;
            write_rows!(
                self,
                "delete from proposal where conversation not in (select id from conversation)"
            )?;
        }
        Ok(gone)
    }

    /// Deletes all conversations and usage counts of a person, and of all who share the email with
    /// others; returns the number of conversations.
    ///
    /// # Errors
    /// When the store fails; a retry completes the rest.
    pub async fn forget_conversations_of(&self, owner: &str) -> Result<u64, StoreError> {
        // Conversations first: from then on nothing can be added to them
        let gone = write_rows!(
            self,
            "delete from conversation where owner = $1 or substr(owner, 1, length($1) + 1) = $1 || ';'",
            owner
        )?;
        write_rows!(
            self,
            "delete from proposal where owner = $1 or substr(owner, 1, length($1) + 1) = $1 || ';'",
            owner
        )?;
        write_rows!(
            self,
            "delete from entry where conversation not in (select id from conversation)"
        )?;
        write_rows!(
            self,
            "delete from model_usage where person = $1 or substr(person, 1, length($1) + 1) = $1 || ';'",
            owner
        )?;
        Ok(gone)
    }
}
