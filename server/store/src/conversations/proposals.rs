//! Proposals. A state changes in one statement that names the allowed previous states: of two
//! concurrent clicks, one is first.

use dewy_domain::{
    concierge::{Choice, Proposal, ProposalEvent, ProposalState},
    sentence::Sentence,
};
use dewy_saga::StoreError;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    columns::columns,
    fetch::fetch,
    row_conversion::{micros, to_json, to_timestamp},
    small_writes::write_rows,
    store::Store,
};

/// Fields of a proposal that never change and are not searched.
#[derive(Serialize, Deserialize)]
struct Body {
    input: Value,
    question: Sentence,
    yes: Sentence,
    facts: Vec<Sentence>,
    choices: Vec<Choice>,
    chooses: Option<String>,
    /// Proposals from before payment pages take none.
    #[serde(default)]
    takes_new_card: bool,
}

columns! {
    struct Columns {
        id: String,
        conversation: String,
        owner: String,
        call_id: String,
        tool: String,
        body: String,
        nonce: String,
        state: String,
        created_at: i64,
        expires_at: i64,
        execution: Option<String>,
        chosen: Option<String>,
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select id, conversation, owner, call_id, tool, body, nonce, state, created_at, expires_at, execution, chosen from proposal ",
            $rest
        )
    };
}

impl Columns {
    fn proposal(self) -> Result<Proposal, StoreError> {
        let body: Body = serde_json::from_str(&self.body)
            .map_err(|error| StoreError::Failed(error.to_string()))?;
        let state = ProposalState::from_name(&self.state).ok_or_else(|| {
            StoreError::Failed(format!("a proposal has the unknown state {:?}", self.state))
        })?;
        Ok(Proposal {
            id: self.id,
            conversation: self.conversation,
            owner: self.owner,
            call_id: self.call_id,
            tool: self.tool,
            input: body.input,
            question: body.question,
            yes: body.yes,
            facts: body.facts,
            choices: body.choices,
            chooses: body.chooses,
            takes_new_card: body.takes_new_card,
            nonce: self.nonce,
            state,
            created_at: to_timestamp(self.created_at)?,
            expires_at: to_timestamp(self.expires_at)?,
            execution_id: self.execution,
            chosen: self.chosen,
        })
    }
}

impl Store {
    pub async fn add_proposal(&self, new: &Proposal) -> Result<(), StoreError> {
        let body = Body {
            input: new.input.clone(),
            question: new.question.clone(),
            yes: new.yes.clone(),
            facts: new.facts.clone(),
            choices: new.choices.clone(),
            chooses: new.chooses.clone(),
            takes_new_card: new.takes_new_card,
        };
        let sql =
            "insert into proposal (id, conversation, owner, call_id, tool, body, nonce, state, created_at, expires_at)
                   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        let (body, state) = (to_json(&body)?, new.state.name());
        let (created, expires) = (micros(new.created_at), micros(new.expires_at));
        write_rows!(
            self,
            sql,
            &new.id,
            &new.conversation,
            &new.owner,
            &new.call_id,
            &new.tool,
            &body,
            &new.nonce,
            state,
            created,
            expires
        )
        .map(drop)
    }

    pub async fn proposal(&self, id: &str) -> Result<Option<Proposal>, StoreError> {
        fetch!(self, Columns, select!("where id = $1"), id)?
            .pop()
            .map(Columns::proposal)
            .transpose()
    }

    /// The proposals of a conversation, oldest first.
    pub async fn proposals(&self, conversation: &str) -> Result<Vec<Proposal>, StoreError> {
        let sql = select!("where conversation = $1 order by created_at, id");
        fetch!(self, Columns, sql, conversation)?
            .into_iter()
            .map(Columns::proposal)
            .collect()
    }

    /// Approved proposals that have not ended, oldest first.
    pub async fn running_proposals(&self) -> Result<Vec<Proposal>, StoreError> {
        let sql =
            select!("where state in ('confirmed', 'running') order by created_at, id limit 200");
        fetch!(self, Columns, sql)?
            .into_iter()
            .map(Columns::proposal)
            .collect()
    }

    /// Approves a proposal and spends its nonce. False when it belongs to another person, is not
    /// open any more, or the nonce differs.
    pub async fn confirm_proposal(
        &self,
        id: &str,
        owner: &str,
        nonce: &str,
        chosen: Option<&str>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let sql = "update proposal set state = 'confirmed', nonce = '', chosen = $4
                   where id = $1 and owner = $2 and nonce = $3 and nonce <> '' and state = 'proposed' and expires_at > $5";
        Ok(write_rows!(self, sql, id, owner, nonce, chosen, micros(now))? == 1)
    }

    /// Applies an event to a proposal and stores the execution, if given; false when the event is
    /// not possible.
    pub async fn transition_proposal(
        &self,
        id: &str,
        event: ProposalEvent,
        execution: Option<&str>,
    ) -> Result<bool, StoreError> {
        let sql = "update proposal set state = $3, nonce = '', execution = coalesce($4, execution) where id = $1 and state = $2";
        for from in ProposalState::before(event) {
            let Some(to) = from.next(event) else { continue };
            if write_rows!(self, sql, id, from.name(), to.name(), execution)? == 1 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Supersedes all open proposals of a conversation; returns their number.
    pub async fn supersede_proposals(&self, conversation: &str) -> Result<u64, StoreError> {
        let sql = "update proposal set state = 'superseded', nonce = '' where conversation = $1 and state = 'proposed'";
        write_rows!(self, sql, conversation)
    }

    /// Supersedes every open proposal in the hotel, when the concierge is switched off.
    pub async fn supersede_all_proposals(&self) -> Result<u64, StoreError> {
        write_rows!(
            self,
            "update proposal set state = 'superseded', nonce = '' where state = 'proposed'"
        )
    }
}
