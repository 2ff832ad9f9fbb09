//! Questions to the model: stores the message and starts the turn in one transaction.

use std::time::Duration;

use dewy_domain::concierge::Entry;
use dewy_saga::StoreError;
use jiff::Timestamp;

use super::entries::{ADD, MAX_ATTEMPTS};
use crate::{
    row_conversion::{micros, to_json},
    store::Store,
    transaction_steps::{affected, commit_if, in_transaction},
};

const TURN: &str = "update conversation set turn = $2, turn_until = $4, changed_at = $3
    where id = $1 and responder = 'model' and (turn is null or turn_until <= $3)";

/// A question, with the turn that answers it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub conversation: &'a str,
    /// Token of the form: a repeated token is not a second question.
    pub token: &'a str,
    pub entry: &'a Entry,
    /// Id of the turn that answers it.
    pub turn: &'a str,
    /// Duration of the turn unless it is renewed.
    pub duration: Duration,
    /// Current time.
    pub at: Timestamp,
}

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

impl Store {
    /// Stores a question and starts its turn: both or neither.
    ///
    /// # Errors
    /// When the store fails; repeating the same question tells whether it was stored.
    pub async fn start_turn(&self, question: &Question<'_>) -> Result<StartTurnResult, StoreError> {
        let (id, body) = (question.conversation, to_json(question.entry)?);
        let until = question.at.checked_add(question.duration);
        let (now, until) = (micros(question.at), micros(until.unwrap_or(Timestamp::MAX)));
        for _ in 0..MAX_ATTEMPTS {
            // `None`: someone else took the position at the same time.
            let put = in_transaction!(self, |transaction| {
                let free = affected!(transaction, TURN, id, question.turn, now, until) == 1;
                let new = free && affected!(transaction, ADD, id, now, question.token, &body) == 1;
                commit_if!(new, transaction);
                Ok(match (free, new) {
                    (_, true) => Some(StartTurnResult::Taken),
                    (true, false) => None,
                    (false, false) => Some(StartTurnResult::Busy),
                })
            })?;
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
