//! Cases that conversations owe. Of an emergency: rows that stay until the case is opened and, once
//! somebody has handled the emergency, closed. Of a hand-over: rows from the opening of its case until it
//! is closed, after the hand-back by staff.

use dewy_domain::concierge::Entry;
use dewy_saga::StoreError;

use crate::{fetch::fetch, small_writes::write_rows, store::Store};

/// Maximum number of rows read at once.
const MAX_ROWS: i64 = 100;

/// A case that has to be opened or closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwedCase {
    pub conversation: String,
    /// Token of the message that reported the emergency; of a hand-over, `hand-over` and the case number.
    pub token: String,
    /// Case number, once it is open.
    pub case_number: Option<String>,
    /// Caller key of whoever handled the emergency, or handed the conversation back: the case is to be
    /// closed.
    pub handled_by: Option<String>,
}

type Columns = (String, String, Option<String>, Option<String>);

impl Store {
    /// Cases to be opened or closed: all of them, or those of one conversation.
    pub async fn owed_cases(
        &self,
        conversation: Option<&str>,
    ) -> Result<Vec<OwedCase>, StoreError> {
        let sql = "select conversation, token, case_number, handled_by from owed_case
                   where (case_number is null or handled_by is not null)
                   and (cast($1 as text) is null or conversation = $1) order by conversation, token limit $2";
        let rows = fetch!(self, Columns, sql, conversation, MAX_ROWS)?;
        let case = |(conversation, token, case_number, handled_by)| OwedCase {
            conversation,
            token,
            case_number,
            handled_by,
        };
        Ok(rows.into_iter().map(case).collect())
    }

    pub async fn owed_case_opened(&self, case: &OwedCase, number: &str) -> Result<(), StoreError> {
        self.set_conversation_case(&case.conversation, number)
            .await?;
        write_rows!(
            self,
            "update owed_case set case_number = $3 where conversation = $1 and token = $2",
            &case.conversation,
            &case.token,
            number
        )
        .map(drop)
    }

    pub async fn hand_over_case_opened(
        &self,
        conversation: &str,
        number: &str,
    ) -> Result<(), StoreError> {
        self.set_conversation_case(conversation, number).await?;
        write_rows!(
            self,
            "insert into owed_case (conversation, token, case_number)
             values ($1, 'hand-over ' || $2, $2) on conflict do nothing",
            conversation,
            number
        )
        .map(drop)
    }

    /// Marks the cases of a conversation's hand-overs as to be closed.
    pub async fn close_hand_over_cases(
        &self,
        conversation: &str,
        by: &str,
    ) -> Result<(), StoreError> {
        write_rows!(
            self,
            "update owed_case set handled_by = $2
             where conversation = $1 and handled_by is null and token like 'hand-over %'",
            conversation,
            by
        )
        .map(drop)
    }

    /// Deletes a row: nothing is left to be done for this case.
    pub async fn forget_owed_case(&self, case: &OwedCase) -> Result<(), StoreError> {
        write_rows!(
            self,
            "delete from owed_case where conversation = $1 and token = $2",
            &case.conversation,
            &case.token
        )
        .map(drop)
    }

    /// The entry that was written with this token.
    ///
    /// # Errors
    /// When the store fails, or holds an entry this program cannot read.
    pub async fn entry_of(
        &self,
        conversation: &str,
        token: &str,
    ) -> Result<Option<Entry>, StoreError> {
        let sql = "select body from entry where conversation = $1 and token = $2";
        let found = fetch!(self, (String,), sql, conversation, token)?.pop();
        let entry = found.map(|(body,)| serde_json::from_str(&body)).transpose();
        entry.map_err(|error| StoreError::Failed(error.to_string()))
    }
}
