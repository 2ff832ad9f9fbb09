//! What was said and done in conversations.

use dewy_domain::concierge::{Entry, Placed};
use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{
    codec::{micros, moment, to_json},
    error::{read_error, write_error},
    postgres,
    read::fetch,
    sqlite,
    store::{Backend, Store},
};

/// How often a place in the row is looked for while others take it.
pub(super) const TRIES: usize = 20;
/// At the end of its conversation; nothing where that is gone or the token was used there.
pub(super) const ADD: &str = "insert into entry (conversation, seq, at, token, body)
    select $1, coalesce((select max(seq) from entry where conversation = $1), 0) + 1, $2, cast($3 as text), $4
    from conversation where id = $1
    on conflict do nothing";
const CHANGED: &str = "update conversation set changed_at = $2 where id = $1";
/// A guest's word waits for staff where they answer, from the first one on that has no answer;
const SAID: &str = "update conversation set changed_at = $2,
    waiting_since = case when standing = 'staff' then coalesce(waiting_since, $2) else null end where id = $1";
/// theirs is the answer.
const STAFF_SAID: &str =
    "update conversation set changed_at = $2, waiting_since = null where id = $1";

/// The same steps on both databases: that the conversation was changed, then the entry. Whoever
/// writes in a conversation locks its row first, so that nobody waits for somebody who waits for
/// them.
macro_rules! add {
    ($transaction:expr, $changed:expr, $conversation:expr, $at:expr, $token:expr, $body:expr) => {{
        let mut transaction = $transaction;
        let changed = sqlx::query($changed).bind($conversation).bind($at);
        let there = changed
            .execute(&mut *transaction)
            .await
            .map_err(|e| read_error(&e))?
            .rows_affected()
            == 1;
        let mut added = false;
        if there {
            let entry = sqlx::query(ADD)
                .bind($conversation)
                .bind($at)
                .bind($token)
                .bind($body);
            added = entry
                .execute(&mut *transaction)
                .await
                .map_err(|e| read_error(&e))?
                .rows_affected()
                == 1;
        }
        if added {
            transaction.commit().await.map_err(|e| write_error(&e))?;
        } else {
            transaction.rollback().await.map_err(|e| read_error(&e))?;
        }
        added
    }};
}

impl Store {
    /// Adds an entry at the end. With a token that was used in this conversation before, nothing is
    /// added and the answer is false; so it is when the conversation is gone.
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
        let (body, at) = (to_json(entry)?, micros(at));
        let changed = match entry {
            Entry::Said { .. } => SAID,
            Entry::StaffSaid { .. } => STAFF_SAID,
            _ => CHANGED,
        };
        for _ in 0..TRIES {
            let added = match &self.backend {
                Backend::Sqlite(s) => sqlite::transaction!(s, |begun| Ok(add!(
                    begun,
                    changed,
                    conversation,
                    at,
                    token,
                    &body
                )))?,
                Backend::Postgres(p) => postgres::transaction!(p, |begun| Ok(add!(
                    begun,
                    changed,
                    conversation,
                    at,
                    token,
                    &body
                )))?,
            };
            if added {
                return Ok(true);
            }
            // Said before, or gone; otherwise somebody else took the place at the same moment
            if self.conversation(conversation).await?.is_none()
                || self.said(conversation, token).await?
            {
                return Ok(false);
            }
        }
        Err(StoreError::Busy(
            "many write in one conversation".to_owned(),
        ))
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
                let entry = serde_json::from_str(&body)
                    .map_err(|error| StoreError::Failed(error.to_string()))?;
                Ok(Placed {
                    seq,
                    at: moment(at)?,
                    entry,
                })
            })
            .collect()
    }

    /// Place of the last entry; 0 when there is none.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn last_entry(&self, conversation: &str) -> Result<i64, StoreError> {
        let sql = "select coalesce(max(seq), 0) from entry where conversation = $1";
        Ok(fetch!(self, (i64,), sql, conversation)?
            .pop()
            .map_or(0, |(seq,)| seq))
    }
}
