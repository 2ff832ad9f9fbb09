//! Entries of conversations.

use dewy_domain::concierge::{Entry, NumberedEntry};
use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{
    fetch::fetch,
    row_conversion::{micros, to_json, to_timestamp},
    small_writes::write_rows,
    store::Store,
    transaction_steps::{affected, commit_if, in_transaction},
};

/// Maximum number of attempts to get a position while others take them.
pub(super) const MAX_ATTEMPTS: usize = 20;
/// Appends to its conversation; no effect if that is gone or the token was used there.
pub(super) const ADD: &str = "insert into entry (conversation, seq, at, token, body)
    select $1, coalesce((select max(seq) from entry where conversation = $1), 0) + 1, $2, cast($3 as text), $4
    from conversation where id = $1
    on conflict do nothing";
/// Maximum number of a conversation's messages that are read for an alarm: a person may write any
/// number about danger, and every clerk's page shows them.
const MAX_ALARMING_MESSAGES: i64 = 50;
const CHANGED: &str = "update conversation set changed_at = $2 where id = $1";
/// In a conversation with staff, and in an emergency, a guest waits from their first unanswered message
/// on. What a colleague asks the concierge after an emergency changes nothing for those who answer it.
const UPDATE_AFTER_GUEST: &str = "update conversation set changed_at = $2,
    waiting_since = case when responder = 'staff' or (emergency = 1 and owner like 'guest:%') then coalesce(waiting_since, $2)
    when emergency = 1 then waiting_since else null end where id = $1";
/// A staff message ends the guest's wait.
const UPDATE_AFTER_STAFF: &str =
    "update conversation set changed_at = $2, waiting_since = null where id = $1";

impl Store {
    /// Appends an entry. False, without effect, if the token was used in this conversation before,
    /// or the conversation is gone.
    ///
    /// # Errors
    /// When the store fails; without a token it may have been added anyway.
    pub async fn add_entry(
        &self,
        conversation: &str,
        at: Timestamp,
        token: Option<&str>,
        entry: &Entry,
    ) -> Result<bool, StoreError> {
        let (body, at) = (to_json(entry)?, micros(at));
        let changed = match entry {
            Entry::Said { .. } => UPDATE_AFTER_GUEST,
            Entry::StaffSaid { .. } => UPDATE_AFTER_STAFF,
            _ => CHANGED,
        };
        for _ in 0..MAX_ATTEMPTS {
            // Every writer locks the conversation's row first, which prevents deadlocks.
            let added = in_transaction!(self, |transaction| {
                let there = affected!(transaction, changed, conversation, at) == 1;
                let added =
                    there && affected!(transaction, ADD, conversation, at, token, &body) == 1;
                commit_if!(added, transaction);
                Ok(added)
            })?;
            if added {
                return Ok(true);
            }
            // Added before, or gone; otherwise someone else took the position at the same time
            if self.conversation(conversation).await?.is_none()
                || self.has_entry(conversation, token).await?
            {
                return Ok(false);
            }
        }
        Err(StoreError::Busy(
            "too many concurrent writers in one conversation".to_owned(),
        ))
    }

    /// Whether an entry was added with that token.
    pub async fn has_entry(
        &self,
        conversation: &str,
        token: Option<&str>,
    ) -> Result<bool, StoreError> {
        let sql = "select seq from entry where conversation = $1 and token = $2";
        match token {
            Some(token) => Ok(!fetch!(self, (i64,), sql, conversation, token)?.is_empty()),
            None => Ok(false),
        }
    }

    /// The entries of a conversation, in order.
    ///
    /// # Errors
    /// When the store fails, or holds an entry this program cannot read.
    pub async fn entries(&self, conversation: &str) -> Result<Vec<NumberedEntry>, StoreError> {
        let sql = "select seq, at, body from entry where conversation = $1 order by seq";
        let rows = fetch!(self, (i64, i64, String), sql, conversation)?;
        rows.into_iter().map(numbered).collect()
    }

    /// The person's newest messages that report danger, or may because an older release stored them,
    /// and their last message; in order.
    ///
    /// # Errors
    /// When the store fails, or holds an entry this program cannot read.
    pub async fn alarming_messages(
        &self,
        conversation: &str,
    ) -> Result<Vec<NumberedEntry>, StoreError> {
        let sql = "select seq, at, body from entry where conversation = $1 and body like '{\"kind\":\"said\",%'
            and (body not like '{\"kind\":\"said\",\"danger\":\"none\",%' or seq = (select max(seq) from entry
                where conversation = $1 and body like '{\"kind\":\"said\",%'))
            order by seq desc limit $2";
        let rows = fetch!(
            self,
            (i64, i64, String),
            sql,
            conversation,
            MAX_ALARMING_MESSAGES
        )?;
        rows.into_iter().rev().map(numbered).collect()
    }

    /// Notes what an older release did not: the danger that a message reports.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn note_danger(
        &self,
        conversation: &str,
        message: &NumberedEntry,
    ) -> Result<(), StoreError> {
        let body = to_json(&message.entry)?;
        let sql = "update entry set body = $3 where conversation = $1 and seq = $2";
        write_rows!(self, sql, conversation, message.seq, &body).map(drop)
    }

    /// Position of the last entry; 0 when there is none.
    pub async fn last_entry(&self, conversation: &str) -> Result<i64, StoreError> {
        let sql = "select coalesce(max(seq), 0) from entry where conversation = $1";
        Ok(fetch!(self, (i64,), sql, conversation)?
            .pop()
            .map_or(0, |(seq,)| seq))
    }
}

fn numbered((seq, at, body): (i64, i64, String)) -> Result<NumberedEntry, StoreError> {
    let entry =
        serde_json::from_str(&body).map_err(|error| StoreError::Failed(error.to_string()))?;
    Ok(NumberedEntry {
        seq,
        at: to_timestamp(at)?,
        entry,
    })
}
