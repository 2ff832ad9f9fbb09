//! What was said and done in conversations.

use dewy_domain::concierge::{Entry, Placed};
use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{
    codec::{micros, moment, to_json},
    read::fetch,
    store::Store,
    write::write,
};

/// How often a place in the row is looked for while others take it.
const TRIES: usize = 20;

impl Store {
    /// Adds an entry at the end. With a token that was used in this conversation before, nothing is added and the answer is
    /// false; so it is when the conversation is gone.
    ///
    /// # Errors
    /// When the store failed; without a token it may have been added all the same.
    pub async fn add_entry(
        &self,
        conversation: &str,
        at: Timestamp,
        token: Option<&str>,
        entry: &Entry,
    ) -> Result<bool, StoreError> {
        let sql = "insert into entry (conversation, seq, at, token, body)
                   select $1, coalesce((select max(seq) from entry where conversation = $1), 0) + 1, $2, cast($3 as text), $4
                   from conversation where id = $1
                   on conflict do nothing";
        let body = to_json(entry)?;
        for _ in 0..TRIES {
            if write!(self, sql, conversation, micros(at), token, &body)? == 1 {
                write!(self, "update conversation set changed_at = $2 where id = $1", conversation, micros(at))?;
                return Ok(true);
            }
            // Said before, or gone; otherwise somebody else took the place at the same moment
            if self.conversation(conversation).await?.is_none() || self.said(conversation, token).await? {
                return Ok(false);
            }
        }
        Err(StoreError::Busy("many write in one conversation".to_owned()))
    }

    /// Whether something was said with that token.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn said(&self, conversation: &str, token: Option<&str>) -> Result<bool, StoreError> {
        let sql = "select seq from entry where conversation = $1 and token = $2";
        match token {
            Some(token) => Ok(!fetch!(self, (i64,), sql, conversation, token)?.is_empty()),
            None => Ok(false),
        }
    }

    /// The entries of a conversation, in order.
    ///
    /// # Errors
    /// When the store failed, or holds what this program cannot read.
    pub async fn entries(&self, conversation: &str) -> Result<Vec<Placed>, StoreError> {
        let sql = "select seq, at, body from entry where conversation = $1 order by seq";
        let rows = fetch!(self, (i64, i64, String), sql, conversation)?;
        rows.into_iter()
            .map(|(seq, at, body)| {
                let entry = serde_json::from_str(&body).map_err(|error| StoreError::Failed(error.to_string()))?;
                Ok(Placed { seq, at: moment(at)?, entry })
            })
            .collect()
    }

    /// Place of the last entry; 0 when there is none.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn last_entry(&self, conversation: &str) -> Result<i64, StoreError> {
        let sql = "select coalesce(max(seq), 0) from entry where conversation = $1";
        Ok(fetch!(self, (i64,), sql, conversation)?.pop().map_or(0, |(seq,)| seq))
    }
}
