//! Conversations with the concierge: owner, entries and turns.

mod deletion;
mod emergencies;
mod entries;
mod owed_cases;
mod proposals;
mod start_turn;
mod usage;

pub use emergencies::HandleResult;
pub use owed_cases::OwedCase;
pub use start_turn::{Question, StartTurnResult};

use std::time::Duration;

use dewy_domain::concierge::{Conversation, Responder};
use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{
    columns::columns,
    fetch::fetch,
    row_conversion::{micros, to_timestamp},
    small_writes::write_rows,
    store::Store,
};

/// Maximum number of a person's conversations in a list.
const MAX_CONVERSATIONS: i64 = 200;

columns! {
    struct Columns {
        id: String,
        owner: String,
        title: String,
        responder: String,
        case_number: Option<String>,
        created_at: i64,
        changed_at: i64,
        turn: Option<String>,
        turn_until: Option<i64>,
        waiting_since: Option<i64>,
        is_emergency: i64,
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select id, owner, title, responder, case_number, created_at, changed_at, turn, turn_until, waiting_since,
            cast(emergency as bigint) as is_emergency from conversation ",
            $rest
        )
    };
}

impl Columns {
    fn conversation(self) -> Result<Conversation, StoreError> {
        let turn = match self.turn.zip(self.turn_until) {
            Some((turn, until)) => Some((turn, to_timestamp(until)?)),
            None => None,
        };
        let responder = Responder::from_name(&self.responder).ok_or_else(|| {
            let status = self.responder;
            StoreError::Failed(format!("a conversation has the unknown status {status:?}"))
        })?;
        Ok(Conversation {
            id: self.id,
            owner: self.owner,
            title: self.title,
            responder,
            case_number: self.case_number,
            created_at: to_timestamp(self.created_at)?,
            changed_at: to_timestamp(self.changed_at)?,
            turn,
            waiting_since: self.waiting_since.map(to_timestamp).transpose()?,
            emergency: self.is_emergency != 0,
        })
    }
}

impl Store {
    /// Creates a conversation. Idempotent.
    pub async fn begin_conversation(&self, new: &Conversation) -> Result<(), StoreError> {
        let sql = "insert into conversation (id, owner, title, responder, case_number, created_at, changed_at)
                   values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing";
        let (created, changed) = (micros(new.created_at), micros(new.changed_at));
        let responder = new.responder.name();
        write_rows!(
            self,
            sql,
            &new.id,
            &new.owner,
            &new.title,
            responder,
            &new.case_number,
            created,
            changed
        )
        .map(drop)
    }

    pub async fn conversation(&self, id: &str) -> Result<Option<Conversation>, StoreError> {
        fetch!(self, Columns, select!("where id = $1"), id)?
            .pop()
            .map(Columns::conversation)
            .transpose()
    }

    /// A person's conversations, latest first.
    pub async fn conversations_of(&self, owner: &str) -> Result<Vec<Conversation>, StoreError> {
        let sql = select!("where owner = $1 order by changed_at desc, id desc limit $2");
        fetch!(self, Columns, sql, owner, MAX_CONVERSATIONS)?
            .into_iter()
            .map(Columns::conversation)
            .collect()
    }

    /// Conversations with staff, and emergencies that colleagues reported: emergencies first, then
    /// guests by waiting time, then the longest inactive.
    pub async fn conversations_with_staff(&self) -> Result<Vec<Conversation>, StoreError> {
        let sql = select!(
            "where responder = 'staff' or emergency = 1
             order by (case when emergency = 1 then 0 when waiting_since is null then 2 else 1 end), waiting_since, changed_at, id
             limit $1"
        );
        fetch!(self, Columns, sql, MAX_CONVERSATIONS)?
            .into_iter()
            .map(Columns::conversation)
            .collect()
    }

    /// Renames a person's own conversation; false when it does not exist.
    pub async fn rename_conversation(
        &self,
        id: &str,
        owner: &str,
        title: &str,
    ) -> Result<bool, StoreError> {
        Ok(write_rows!(
            self,
            "update conversation set title = $3 where id = $1 and owner = $2",
            id,
            owner,
            title
        )? == 1)
    }

    /// Hands it over if its responder is `from`; of several concurrent attempts, one succeeds. An
    /// emergency stays with staff.
    pub async fn hand_over_conversation(
        &self,
        id: &str,
        from: Responder,
        to: Responder,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let sql = match to {
            Responder::Staff => {
                "update conversation set responder = $3, turn = null, waiting_since = coalesce(waiting_since, $4)
                 where id = $1 and responder = $2"
            }
            Responder::Model => {
                "update conversation set responder = $3, turn = null, waiting_since = null, changed_at = $4
                 where id = $1 and responder = $2 and emergency = 0"
            }
        };
        Ok(write_rows!(self, sql, id, from.name(), to.name(), micros(now))? == 1)
    }

    pub async fn set_conversation_case(
        &self,
        id: &str,
        case_number: &str,
    ) -> Result<(), StoreError> {
        write_rows!(
            self,
            "update conversation set case_number = $2 where id = $1",
            id,
            case_number
        )
        .map(drop)
    }

    /// Starts the model's turn for a limited time; false while another turn is running, or staff
    /// answer.
    pub async fn take_turn(
        &self,
        id: &str,
        turn: &str,
        now: Timestamp,
        lasts: Duration,
    ) -> Result<bool, StoreError> {
        let sql = "update conversation set turn = $2, turn_until = $4
                   where id = $1 and responder = 'model' and (turn is null or turn = $2 or turn_until <= $3)";
        let until = now.checked_add(lasts).unwrap_or(Timestamp::MAX);
        Ok(write_rows!(self, sql, id, turn, micros(now), micros(until))? == 1)
    }

    /// Extends one's own turn; false once it was stopped, expired and taken by another, or the
    /// conversation was handed over.
    pub async fn renew_turn(
        &self,
        id: &str,
        turn: &str,
        now: Timestamp,
        lasts: Duration,
    ) -> Result<bool, StoreError> {
        let sql = "update conversation set turn_until = $3 where id = $1 and turn = $2 and responder = 'model'";
        let until = now.checked_add(lasts).unwrap_or(Timestamp::MAX);
        Ok(write_rows!(self, sql, id, turn, micros(until))? == 1)
    }

    /// Ends every turn in the hotel, when the concierge is switched off.
    pub async fn end_all_turns(&self) -> Result<u64, StoreError> {
        write_rows!(
            self,
            "update conversation set turn = null, turn_until = null where turn is not null"
        )
    }

    /// Whether that turn is still running: false once it was stopped, or the conversation handed
    /// over.
    pub async fn has_turn(&self, id: &str, turn: &str) -> Result<bool, StoreError> {
        let found = fetch!(
            self,
            (String,),
            "select id from conversation where id = $1 and turn = $2",
            id,
            turn
        )?;
        Ok(!found.is_empty())
    }

    /// Ends the given turn, or any turn if none is given.
    ///
    /// # Errors
    /// When the store fails; then it expires by itself.
    pub async fn end_turn(&self, id: &str, turn: Option<&str>) -> Result<bool, StoreError> {
        let sql = "update conversation set turn = null, turn_until = null
                   where id = $1 and turn is not null and (cast($2 as text) is null or turn = $2)";
        Ok(write_rows!(self, sql, id, turn)? == 1)
    }
}
