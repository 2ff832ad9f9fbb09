//! An execution, as stored.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::NewExecution;
use crate::{
    damaged_execution::Damage,
    event::{Event, Row},
    execution_id::ExecutionId,
    hash_chain::AuditRow,
    progress::Progress,
    signal::Signal,
    state_machine::{IllegalTransition, State},
};

/// An execution as stored, journal included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExecutionRecord {
    /// Execution id.
    pub id: ExecutionId,
    /// Name of the definition.
    pub saga: String,
    /// Version of the definition that it was accepted with; see [`Self::running_version`].
    pub version: u32,
    /// Caller.
    pub caller: String,
    /// Interface.
    pub interface: String,
    /// Idempotency token, unless freed.
    pub token: Option<String>,
    /// Input.
    pub input: Value,
    /// State.
    pub state: State,
    /// The tool's answer, once there is one.
    pub answer: Option<Value>,
    /// When it is due.
    pub wake_at: Option<Timestamp>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last append.
    pub updated_at: Timestamp,
    /// Current fencing token.
    pub fence: i64,
    /// Holder of the lease, if any.
    pub worker: Option<String>,
    /// Number of workers in a row lost on it without a new row, as reported by
    /// [`Journal::take`](super::Journal::take).
    #[serde(default)]
    pub lapses: u32,
    /// Labels.
    pub labels: Vec<(String, String)>,
    /// Journal, by sequence number.
    pub rows: Vec<Row>,
    /// Audit trail, by sequence number.
    pub audit: Vec<AuditRow>,
    /// Unanswered signals, in order of arrival.
    #[serde(default)]
    pub signals: Vec<Signal>,
    /// Unreadable part, missing from `rows` and `audit`. Only people may draw conclusions from such
    /// a record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<Damage>,
}

impl From<NewExecution> for ExecutionRecord {
    fn from(new: NewExecution) -> Self {
        Self {
            id: new.id,
            saga: new.saga,
            version: new.version,
            caller: new.caller,
            interface: new.interface,
            token: new.token,
            input: new.input,
            state: new.audit.to,
            answer: None,
            wake_at: None,
            created_at: new.at,
            updated_at: new.at,
            fence: 1,
            worker: Some(new.worker),
            lapses: 0,
            labels: new.labels,
            rows: vec![new.first],
            audit: vec![new.audit],
            signals: Vec::new(),
            damage: None,
        }
    }
}

impl ExecutionRecord {
    /// Replays the journal.
    ///
    /// # Errors
    /// Names the row that cannot be read, or that may not follow the previous one.
    pub fn progress(&self) -> Result<Progress, Box<Damage>> {
        match &self.damage {
            Some(damage) => Err(Box::new(damage.clone())),
            None => Progress::replay(self.id, &self.rows, &self.audit)
                .map_err(|illegal| Box::new(self.illegal(&illegal))),
        }
    }

    /// Version of the definition that it runs: the one it was accepted with, or the one that its
    /// prerequisites chose. A record without its journal knows only the former.
    #[must_use]
    pub fn running_version(&self) -> u32 {
        let chosen = self.rows.iter().find_map(|row| match row.event {
            Event::VersionChosen { version } => Some(version),
            _ => None,
        });
        chosen.unwrap_or(self.version)
    }

    /// The value of its first label with that name.
    #[must_use]
    pub fn label(&self, name: &str) -> Option<&str> {
        let label = self.labels.iter().find(|(label, _)| label == name);
        label.map(|(_, value)| value.as_str())
    }

    /// Damage of a journal that can be read but not replayed.
    fn illegal(&self, illegal: &IllegalTransition) -> Damage {
        let last = self.rows.last();
        Damage {
            row: "the journal".to_owned(),
            why: format!("can't be replayed: {illegal}"),
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
