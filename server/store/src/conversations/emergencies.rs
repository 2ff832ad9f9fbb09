//! Emergencies: a message that reports danger is stored together with everything that alerts staff,
//! whatever the conversation's previous state.

use dewy_domain::concierge::Entry;
use dewy_saga::StoreError;
use jiff::Timestamp;

use super::entries::{ADD, TRIES};
use crate::{
    backend::{Backend, Store},
    error::{read_error, write_error},
    postgres,
    row_conversion::{micros, to_json},
    sqlite,
    write::write,
};

/// Ends any turn, hands the conversation to staff, names it after the emergency, and marks the
/// guest as waiting.
const RAISE: &str =
    "update conversation set standing = 'staff', turn = null, emergency = 1, changed_at = $2, title = $3,
    waiting_since = coalesce(waiting_since, $2) where id = $1";

/// Supersedes open proposals: nobody decides about them now.
const CARDS: &str = "update card set state = 'superseded', nonce = '' where conversation = $1 and state = 'proposed'";

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
            sqlx::query(CARDS)
                .bind($id)
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

impl Store {
    /// Stores a guest's emergency message and its answer, and hands the conversation to staff as a
    /// waiting emergency: all or nothing. False when the message was already stored with that
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
        for _ in 0..TRIES {
            if self.said(conversation, Some(token)).await? {
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

    /// Marks a conversation's emergency as handled; false when it has none.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn end_emergency(&self, conversation: &str) -> Result<bool, StoreError> {
        let sql = "update conversation set emergency = 0, waiting_since = null where id = $1 and emergency = 1";
        Ok(write!(self, sql, conversation)? == 1)
    }
}
