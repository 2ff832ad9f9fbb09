//! Questions to the model: stores the message and starts the turn in one transaction.

use std::time::Duration;

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

const TURN: &str = "update conversation set turn = $2, turn_until = $4, changed_at = $3
    where id = $1 and responder = 'model' and (turn is null or turn_until <= $3)";

/// A question, with the turn that answers it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Conversation id.
    pub conversation: &'a str,
    /// Token of the form: a repeated token is not a second question.
    pub token: &'a str,
    /// Entry with the message.
    pub entry: &'a Entry,
    /// Id of the turn that answers it.
    pub turn: &'a str,
    /// Duration of the turn unless it is renewed.
    pub duration: Duration,
    /// Current time.
    pub at: Timestamp,
}

/// Result of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartTurnResult {
    /// Stored, and its turn has started. Open proposals stay open: asking about one is not
    /// declining it.
    Taken,
    /// Asked before. Nothing was changed.
    Known,
    /// Another turn is running, staff answer, or the conversation is gone. Nothing was changed.
    Busy,
}

/// The same steps on both databases. `None`: someone else took the position at the same time.
macro_rules! put {
    ($transaction:expr, $q:expr, $body:expr) => {{
        let mut transaction = $transaction;
        let (now, until) = (
            micros($q.at),
            micros($q.at.checked_add($q.duration).unwrap_or(Timestamp::MAX)),
        );
        let turn = sqlx::query(TURN)
            .bind($q.conversation)
            .bind($q.turn)
            .bind(now)
            .bind(until);
        let free = turn
            .execute(&mut *transaction)
            .await
            .map_err(|e| read_error(&e))?
            .rows_affected()
            == 1;
        let mut put = Some(StartTurnResult::Busy);
        if free {
            let words = sqlx::query(ADD)
                .bind($q.conversation)
                .bind(now)
                .bind($q.token)
                .bind($body);
            let new = words
                .execute(&mut *transaction)
                .await
                .map_err(|e| read_error(&e))?
                .rows_affected()
                == 1;
            put = new.then_some(StartTurnResult::Taken);
        }
        if put == Some(StartTurnResult::Taken) {
            transaction.commit().await.map_err(|e| write_error(&e))?;
        } else {
            transaction.rollback().await.map_err(|e| read_error(&e))?;
        }
        put
    }};
}

impl Store {
    /// Stores a question and starts its turn: both or neither.
    ///
    /// # Errors
    /// When the store fails; repeating the same question tells whether it was stored.
    pub async fn start_turn(&self, question: &Question<'_>) -> Result<StartTurnResult, StoreError> {
        let body = to_json(question.entry)?;
        for _ in 0..MAX_ATTEMPTS {
            let put = match &self.backend {
                Backend::Sqlite(s) => {
                    sqlite::transaction!(s, |begun| Ok(put!(begun, question, &body)))?
                }
                Backend::Postgres(p) => {
                    postgres::transaction!(p, |begun| Ok(put!(begun, question, &body)))?
                }
            };
            if put == Some(StartTurnResult::Taken) {
                return Ok(StartTurnResult::Taken);
            }
            if self
                .has_entry(question.conversation, Some(question.token))
                .await?
            {
                return Ok(StartTurnResult::Known);
            }
            if let Some(put) = put {
                return Ok(put);
            }
        }
        Err(StoreError::Busy(
            "too many concurrent writers in one conversation".to_owned(),
        ))
    }
}
