//! Emergencies: a message that reports danger is stored together with everything that alerts staff,
//! whatever the conversation's previous state.

use dewy_domain::concierge::Entry;
use dewy_saga::StoreError;
use jiff::Timestamp;

use super::entries::{ADD, MAX_ATTEMPTS};
use crate::{
    row_conversion::{micros, to_json},
    store::Store,
    transaction_steps::{affected, commit_if, in_transaction},
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
    Handled,
    /// The guest has written again, so the case stays open.
    Newer,
    /// There is none.
    Nothing,
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
            let new = in_transaction!(self, |transaction| {
                affected!(transaction, RAISE, conversation, at, title);
                let new = affected!(transaction, ADD, conversation, at, Some(token), &said) == 1;
                if new {
                    affected!(transaction, ADD, conversation, at, None::<&str>, &answer);
                    affected!(transaction, SUPERSEDE_PROPOSALS, conversation);
                    affected!(transaction, OWE_CASE, conversation, token);
                }
                commit_if!(new, transaction);
                Ok(new)
            })?;
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
        in_transaction!(self, |transaction| {
            let there = affected!(transaction, LOCK_EMERGENCY, conversation) == 1;
            let ended = there && affected!(transaction, END, conversation, seen) == 1;
            if ended {
                affected!(transaction, CLOSE_CASE, conversation, by);
            }
            commit_if!(ended, transaction);
            Ok(match (there, ended) {
                (_, true) => HandleResult::Handled,
                (true, false) => HandleResult::Newer,
                (false, false) => HandleResult::Nothing,
            })
        })
    }
}
