//! Emergencies: a message that reports danger is stored together with everything that alerts staff,
//! whatever the conversation's previous state.

use dewy_domain::concierge::Entry;
use dewy_saga::StoreError;
use jiff::Timestamp;

use super::entries::{ADD, MAX_ATTEMPTS};
use crate::{
    backend::Backend,
    error::{read_error, write_error},
    postgres,
    row_conversion::{micros, to_json},
    sqlite,
    store::Store,
};

/// Ends any turn, hands a guest's conversation to staff, names it after the emergency, and marks the
/// writer as waiting. A colleague keeps the concierge.
const RAISE: &str =
    "update conversation set responder = case when owner like 'guest:%' then 'staff' else responder end,
    turn = null, emergency = 1, changed_at = $2, title = $3, waiting_since = coalesce(waiting_since, $2)
    where id = $1";

/// Supersedes open proposals, which can no longer be decided.
const SUPERSEDE_PROPOSALS: &str = "update proposal set state = 'superseded', nonce = '' where conversation = $1 and state = 'proposed'";

/// Adds a pending case for the emergency, unless it has one.
const OWE_CASE: &str = "insert into owed_case (conversation, token) select $1, $2
    where not exists (select 1 from owed_case where conversation = $1 and handled_by is null
        and token not like 'hand-over %')";

/// Locks the conversation of an emergency, so that concurrent writers wait.
const LOCK_EMERGENCY: &str =
    "update conversation set emergency = 1 where id = $1 and emergency = 1";
/// Ends the emergency, unless its person has written after that entry.
const END: &str = "update conversation set emergency = 0, waiting_since = null where id = $1
    and not exists (select 1 from entry where conversation = $1 and seq > $2 and body like '{\"kind\":\"said\",%')";
/// Marks its case as to be closed.
const CLOSE_CASE: &str =
    "update owed_case set handled_by = $2 where conversation = $1 and handled_by is null
    and token not like 'hand-over %'";

/// Result of marking an emergency as handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandleResult {
    /// It is handled.
    Handled,
    /// Its person has written since: it stays open.
    Newer,
    /// There is none.
    Nothing,
}

/// The same steps on both databases. `None`: someone else took the position at the same time.
macro_rules! raise {
    ($transaction:expr, $id:expr, $at:expr, $title:expr, $token:expr, $said:expr, $answer:expr) => {{
        let mut transaction = $transaction;
        let raised = sqlx::query(RAISE).bind($id).bind($at).bind($title);
        raised
            .execute(&mut *transaction)
            .await
            .map_err(|e| read_error(&e))?;
        let said = sqlx::query(ADD)
            .bind($id)
            .bind($at)
            .bind(Some($token))
            .bind($said);
        let new = said
            .execute(&mut *transaction)
            .await
            .map_err(|e| read_error(&e))?
            .rows_affected()
            == 1;
        if new {
            let answer = sqlx::query(ADD)
                .bind($id)
                .bind($at)
                .bind(None::<&str>)
                .bind($answer);
            answer
                .execute(&mut *transaction)
                .await
                .map_err(|e| read_error(&e))?;
            sqlx::query(SUPERSEDE_PROPOSALS)
                .bind($id)
                .execute(&mut *transaction)
                .await
                .map_err(|e| read_error(&e))?;
            sqlx::query(OWE_CASE)
                .bind($id)
                .bind($token)
                .execute(&mut *transaction)
                .await
                .map_err(|e| read_error(&e))?;
            transaction.commit().await.map_err(|e| write_error(&e))?;
        } else {
            transaction.rollback().await.map_err(|e| read_error(&e))?;
        }
        new
    }};
}

/// The same steps on both databases.
macro_rules! end {
    ($transaction:expr, $id:expr, $seen:expr, $by:expr) => {{
        let mut transaction = $transaction;
        let there = sqlx::query(LOCK_EMERGENCY)
            .bind($id)
            .execute(&mut *transaction)
            .await
            .map_err(|e| read_error(&e))?
            .rows_affected()
            == 1;
        let ended = there
            && sqlx::query(END)
                .bind($id)
                .bind($seen)
                .execute(&mut *transaction)
                .await
                .map_err(|e| read_error(&e))?
                .rows_affected()
                == 1;
        if ended {
            sqlx::query(CLOSE_CASE)
                .bind($id)
                .bind($by)
                .execute(&mut *transaction)
                .await
                .map_err(|e| read_error(&e))?;
            transaction.commit().await.map_err(|e| write_error(&e))?;
        } else {
            transaction.rollback().await.map_err(|e| read_error(&e))?;
        }
        match (there, ended) {
            (_, true) => HandleResult::Handled,
            (true, false) => HandleResult::Newer,
            (false, false) => HandleResult::Nothing,
        }
    }};
}

impl Store {
    /// Stores an emergency message and its answer, and makes the conversation a waiting emergency that
    /// owes a case, a guest's with staff: all or nothing. False when the message was already stored with that
    /// token.
    ///
    /// # Errors
    /// When the store fails; repeating the call tells whether it was stored.
    pub async fn raise_emergency(
        &self,
        conversation: &str,
        at: Timestamp,
        title: &str,
        token: &str,
        said: &Entry,
        answer: &Entry,
    ) -> Result<bool, StoreError> {
        let (at, said, answer) = (micros(at), to_json(said)?, to_json(answer)?);
        for _ in 0..MAX_ATTEMPTS {
            if self.has_entry(conversation, Some(token)).await? {
                return Ok(false);
            }
            let new = match &self.backend {
                Backend::Sqlite(s) => sqlite::transaction!(s, |begun| Ok(raise!(
                    begun,
                    conversation,
                    at,
                    title,
                    token,
                    &said,
                    &answer
                )))?,
                Backend::Postgres(p) => postgres::transaction!(p, |begun| Ok(raise!(
                    begun,
                    conversation,
                    at,
                    title,
                    token,
                    &said,
                    &answer
                )))?,
            };
            if new {
                return Ok(true);
            }
            if self.conversation(conversation).await?.is_none() {
                return Err(StoreError::Failed("the conversation is gone".to_owned()));
            }
        }
        Err(StoreError::Busy(
            "too many concurrent writers in one conversation".to_owned(),
        ))
    }

    /// Marks a conversation's emergency as handled by this caller, who has read it up to that entry.
    pub async fn end_emergency(
        &self,
        conversation: &str,
        seen: i64,
        by: &str,
    ) -> Result<HandleResult, StoreError> {
        match &self.backend {
            Backend::Sqlite(s) => {
                sqlite::transaction!(s, |begun| Ok(end!(begun, conversation, seen, by)))
            }
            Backend::Postgres(p) => {
                postgres::transaction!(p, |begun| Ok(end!(begun, conversation, seen, by)))
            }
        }
    }
}
