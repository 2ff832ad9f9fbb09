//! Conversations that are thrown away: because they are old, or because their person wants to be
//! forgotten.

use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{codec::micros, store::Store, write::write};

impl Store {
    /// Forgets one's own conversation with everything in it; false when there is none such.
    ///
    /// # Errors
    /// When the store failed; what is left then goes with the next tidying up.
    pub async fn forget_conversation(&self, id: &str, owner: &str) -> Result<bool, StoreError> {
        // The conversation first: from then on nothing can be added to it
        if write!(
            self,
            "delete from conversation where id = $1 and owner = $2",
            id, owner
        )? == 0
        {
            return Ok(false);
        }
        write!(self, "delete from entry where conversation = $1", id)?;
        write!(self, "delete from card where conversation = $1", id)?;
        Ok(true)
    }

    /// Forgets everything that was last touched before then, and what was left of conversations
    /// that are gone; answers how many.
    ///
    /// # Errors
    /// When the store failed; doing it again does the rest.
    pub async fn forget_conversations_before(&self, then: Timestamp) -> Result<u64, StoreError> {
        let gone = write!(
            self,
            "delete from conversation where changed_at < $1",
            micros(then)
        )?;
        if gone > 0 {
            write!(
                self,
                "delete from entry where conversation not in (select id from conversation)"
            )?;
            write!(
                self,
                "delete from card where conversation not in (select id from conversation)"
            )?;
        }
        Ok(gone)
    }

    /// Forgets everything a person ever said to the concierge, and what was counted for them;
    /// answers how many conversations there were.
    ///
    /// # Errors
    /// When the store failed; doing it again does the rest.
    pub async fn forget_conversations_of(&self, owner: &str) -> Result<u64, StoreError> {
        // Conversations first: from then on nothing can be added to them
        let gone = write!(self, "delete from conversation where owner = $1", owner)?;
        write!(self, "delete from card where owner = $1", owner)?;
        write!(
            self,
            "delete from entry where conversation not in (select id from conversation)"
        )?;
        write!(self, "delete from model_use where person = $1", owner)?;
        Ok(gone)
    }
}
