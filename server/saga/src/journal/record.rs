//! An execution, as stored.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Damage;
use crate::{
    chain::AuditRow,
    event::Row,
    id::ExecutionId,
    progress::Progress,
    signal::Signal,
    state::{Illegal, State},
};

/// An execution as stored, journal included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its name.
    pub id: ExecutionId,
    /// Name of the definition.
    pub saga: String,
    /// Its version.
    pub version: u32,
    /// Who asked.
    pub caller: String,
    /// Through which door.
    pub interface: String,
    /// The token, unless it was freed.
    pub token: Option<String>,
    /// The input.
    pub input: Value,
    /// Where it stands.
    pub state: State,
    /// The tool's answer, once there is one.
    pub answer: Option<Value>,
    /// When somebody should look at it.
    pub wake_at: Option<Timestamp>,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When its last row was appended.
    pub updated_at: Timestamp,
    /// The present fence.
    pub fence: i64,
    /// Who holds the lease, if anybody does.
    pub worker: Option<String>,
    /// Number of workers in a row that were lost over it without a new row, as far as
    /// [`Journal::take`](super::Journal::take) says.
    #[serde(default)]
    pub lapses: u32,
    /// Labels.
    pub labels: Vec<(String, String)>,
    /// The journal, by seq.
    pub rows: Vec<Row>,
    /// The audit trail, by seq.
    pub audit: Vec<AuditRow>,
    /// What was said to it and is not answered yet, in order of arrival.
    #[serde(default)]
    pub signals: Vec<Signal>,
    /// What of it cannot be read. `rows` and `audit` lack that; nothing may be concluded from them
    /// but by people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<Damage>,
}

impl Record {
    /// The journal, replayed.
    ///
    /// # Errors
    /// Names the row that cannot be read, or that may not stand where it does.
    pub fn progress(&self) -> Result<Progress, Box<Damage>> {
        match &self.damage {
            Some(damage) => Err(Box::new(damage.clone())),
            None => Progress::replay(self.id, &self.rows, &self.audit)
                .map_err(|illegal| Box::new(self.illegal(&illegal))),
        }
    }

    /// The damage of a journal that can be read and not be replayed.
    fn illegal(&self, illegal: &Illegal) -> Damage {
        let last = self.rows.last();
        Damage {
            row: "the journal".to_owned(),
            why: format!("cannot be replayed: {illegal}"),
            seq: last.map_or(0, |row| row.seq),
            digest: last.map(|row| row.digest.clone()).unwrap_or_default(),
            audit_head: self
                .audit
                .last()
                .map(|row| row.hash.clone())
                .unwrap_or_default(),
            ..Damage::default()
        }
    }
}
