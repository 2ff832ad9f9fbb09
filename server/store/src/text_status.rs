//! Status of text messages, as their carrier reports it: in any order, and more than once.

use dewy_domain::text_status::TextStatus;
use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{
    fetch::fetch,
    row_conversion::{micros, to_timestamp},
    small_writes::write_rows,
    store::Store,
};

/// One report. The recipient is a keyed hash of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextReport<'a> {
    /// Message: `SM…`; `None` for one that was refused at once.
    pub sid: Option<&'a str>,
    pub recipient: &'a [u8; 32],
    pub status: TextStatus,
    /// Why it never arrived.
    pub error_code: Option<u32>,
    /// Time of the report.
    pub at: Timestamp,
}

/// Status of a message, and why it never arrived.
pub type TextOutcome = (TextStatus, Option<u32>);

impl Store {
    /// Records a report; false when it is known already, or an earlier stage than what is known.
    ///
    /// # Errors
    /// When the store fails; a retry does no harm.
    pub async fn record_text_status(&self, report: &TextReport<'_>) -> Result<bool, StoreError> {
        let sql = "insert into text_status (sid, recipient, status, stage, error_code, changed_at)
                   values ($1, $2, $3, $4, $5, $6)
                   on conflict (sid) do update set status = excluded.status, stage = excluded.stage,
                       error_code = excluded.error_code, changed_at = excluded.changed_at
                   where text_status.stage < excluded.stage";
        let (recipient, at) = (hex::encode(report.recipient), micros(report.at));
        let sid = match report.sid {
            Some(sid) => sid.to_owned(),
            None => format!("refused {recipient} {at}"),
        };
        let changed = write_rows!(
            self,
            sql,
            &sid,
            &recipient,
            report.status.name(),
            stage(report.status),
            report.error_code.map(i64::from),
            at
        )?;
        Ok(changed == 1)
    }

    /// What is known about a message.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn text_status(&self, sid: &str) -> Result<Option<TextOutcome>, StoreError> {
        let sql = "select status, error_code from text_status where sid = $1";
        let rows = fetch!(self, (String, Option<i64>), sql, sid)?;
        Ok(rows.into_iter().next().and_then(outcome))
    }

    /// How a message ended, and when that was reported; `None` if it is still on its way.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn text_end(
        &self,
        sid: &str,
    ) -> Result<Option<(TextOutcome, Timestamp)>, StoreError> {
        let sql =
            "select status, error_code, changed_at from text_status where sid = $1 and stage = $2";
        let over = stage(TextStatus::Failed);
        let rows = fetch!(self, (String, Option<i64>, i64), sql, sid, over)?;
        let Some((status, code, at)) = rows.into_iter().next() else {
            return Ok(None);
        };
        let at = to_timestamp(at)?;
        Ok(outcome((status, code)).map(|outcome| (outcome, at)))
    }

    /// What is known about the last message to a number.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn last_text(&self, recipient: &[u8; 32]) -> Result<Option<TextOutcome>, StoreError> {
        let sql = "select status, error_code from text_status where recipient = $1
                   order by changed_at desc limit 1";
        let recipient = hex::encode(recipient);
        let rows = fetch!(self, (String, Option<i64>), sql, &recipient)?;
        Ok(rows.into_iter().next().and_then(outcome))
    }
}

const fn stage(status: TextStatus) -> i64 {
    status.stage() as i64
}

fn outcome((status, code): (String, Option<i64>)) -> Option<TextOutcome> {
    let code = code.and_then(|code| u32::try_from(code).ok());
    Some((TextStatus::named(&status)?, code))
}
