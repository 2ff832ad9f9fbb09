//! Conversions between table columns and the engine's types.

use std::time::Duration;

use dewy_saga::{
    ExecutionId, Row, Signal, State, StoreError,
    hash_chain::{self, AuditRow},
    journal::{Damage, ExecutionRecord},
};
use jiff::Timestamp;
use serde_json::Value;

use crate::{columns::columns, error::broken, lossy_text::LossyText};

/// Microseconds since 1970, as stored in the tables.
pub(crate) fn micros(at: Timestamp) -> i64 {
    at.as_microsecond()
}

/// A duration in microseconds.
pub(crate) fn to_micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX / 4)
}

/// The time from microseconds since 1970.
pub(crate) fn to_timestamp(micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(micros).map_err(broken)
}

pub(crate) fn id(text: &str) -> Result<ExecutionId, StoreError> {
    text.parse().map_err(|_| broken(text))
}

pub(crate) fn json(text: &str) -> Result<Value, StoreError> {
    serde_json::from_str(text).map_err(broken)
}

pub(crate) fn to_json<T: serde::Serialize + ?Sized>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|e| StoreError::Failed(e.to_string()))
}

/// Why a row cannot be read, and whether a newer release may have written it: intact text of an
/// unknown kind.
pub(crate) type Unreadable = (String, bool);

fn unreadable(error: impl std::fmt::Display) -> Unreadable {
    (format!("cannot be read: {error}"), false)
}

pub(crate) fn unknown(what: &str, name: &str) -> Unreadable {
    (
        format!("has the {what} {name:?}, which this release does not know"),
        true,
    )
}

columns! {
    /// The columns of `execution` and its `execution_input`, as selected by every query.
    #[derive(Debug)]
    pub(crate) struct HeadRow {
        pub id: LossyText,
        pub saga: LossyText,
        pub version: i64,
        pub caller: LossyText,
        pub interface: LossyText,
        pub token: Option<LossyText>,
        pub state: LossyText,
        pub wake_at: Option<i64>,
        pub created_at: i64,
        pub updated_at: i64,
        pub fence: i64,
        pub worker: Option<LossyText>,
        pub seq: i64,
        pub signaled_at: Option<i64>,
        pub input: Option<LossyText>,
        pub answer: Option<LossyText>,
    }
}

impl HeadRow {
    /// The record, without labels and journal. Unreadable parts become its damage.
    ///
    /// # Errors
    /// When even its id is unreadable.
    pub(crate) fn record(self) -> Result<ExecutionRecord, StoreError> {
        let mut damage = None;
        let mut note = |row: &str, (why, newer): Unreadable| {
            damage.get_or_insert_with(|| Damage {
                row: row.to_owned(),
                why,
                newer,
                seq: self.seq,
                ..Damage::default()
            });
        };
        // Lists show it to people; nothing else may judge it.
        let state = State::from_name(&self.state).unwrap_or_else(|| {
            note("the execution", unknown("state", &self.state));
            State::NeedsAttention
        });
        let mut time = |at: i64| {
            Timestamp::from_microsecond(at).unwrap_or_else(|error| {
                note("the execution", unreadable(error));
                Timestamp::UNIX_EPOCH
            })
        };
        let (created_at, updated_at) = (time(self.created_at), time(self.updated_at));
        let wake_at = self.wake_at.map(&mut time);
        let version = u32::try_from(self.version).unwrap_or_else(|error| {
            note("the execution", unreadable(error));
            0
        });
        let mut value = |row: &str, text: &LossyText| {
            serde_json::from_str(text).unwrap_or_else(|error| {
                note(row, unreadable(error));
                Value::Null
            })
        };
        // Erased inputs are null: the journal continues without them.
        let input = self
            .input
            .as_ref()
            .map_or(Value::Null, |text| value("the input", text));
        let answer = self.answer.as_ref().map(|text| value("the answer", text));
        Ok(ExecutionRecord {
            id: id(&self.id)?,
            saga: self.saga.into(),
            version,
            caller: self.caller.into(),
            interface: self.interface.into(),
            token: self.token.map(String::from),
            input,
            state,
            answer,
            wake_at,
            created_at,
            updated_at,
            fence: self.fence,
            worker: self.worker.map(String::from),
            lapses: 0,
            labels: Vec::new(),
            rows: Vec::new(),
            audit: Vec::new(),
            signals: Vec::new(),
            damage,
        })
    }
}

columns! {
    /// A journal row with its execution id.
    #[derive(Debug)]
    pub(crate) struct JournalRow {
        pub execution: LossyText,
        pub seq: i64,
        pub at: i64,
        pub written_by: LossyText,
        pub fence: i64,
        pub event: LossyText,
        pub digest: LossyText,
    }
}

impl JournalRow {
    /// The row, following a row with that digest (empty for the first). Recomputes its digest over
    /// the text as stored.
    pub(crate) fn row(self, of: ExecutionId, before: &str) -> Result<Row, Unreadable> {
        let at = Timestamp::from_microsecond(self.at).map_err(unreadable)?;
        let whole = hash_chain::digest_of_text(of, before, self.seq, at, self.event.as_bytes())
            == *self.digest;
        match serde_json::from_str(&self.event) {
            Ok(_) if !whole => Err(("was changed".to_owned(), false)),
            Ok(event) => Ok(Row {
                seq: self.seq,
                at,
                by: self.written_by.into(),
                fence: self.fence,
                event,
                digest: self.digest.into(),
            }),
            Err(error) => Err((format!("cannot be read: {error}"), whole)),
        }
    }
}

columns! {
    /// An audit row with its execution id.
    #[derive(Debug)]
    pub(crate) struct TrailRow {
        pub execution: LossyText,
        pub seq: i64,
        pub at: i64,
        pub actor: LossyText,
        pub from_state: Option<LossyText>,
        pub to_state: LossyText,
        pub journal: LossyText,
        pub hash: LossyText,
    }
}

impl TrailRow {
    pub(crate) fn row(self) -> Result<AuditRow, Unreadable> {
        let state = |name: &LossyText| State::from_name(name).ok_or_else(|| unknown("state", name));
        Ok(AuditRow {
            seq: self.seq,
            at: Timestamp::from_microsecond(self.at).map_err(unreadable)?,
            from: self.from_state.as_ref().map(state).transpose()?,
            to: state(&self.to_state)?,
            actor: self.actor.into(),
            journal: self.journal.into(),
            hash: self.hash.into(),
        })
    }
}

columns! {
    /// A label with its execution id.
    #[derive(Debug)]
    pub(crate) struct LabelRow {
        pub execution: LossyText,
        pub name: LossyText,
        pub value: LossyText,
    }
}

columns! {
    /// A signal with its execution id.
    #[derive(Debug)]
    pub(crate) struct SignalRow {
        pub execution: LossyText,
        pub key: LossyText,
        pub action: LossyText,
        pub sender: LossyText,
        pub reason: LossyText,
    }
}

impl SignalRow {
    pub(crate) fn signal(self) -> Result<Signal, Unreadable> {
        let action = serde_json::from_value(Value::String(self.action.to_string()))
            .map_err(|_| unknown("action", &self.action))?;
        Ok(Signal {
            key: self.key.into(),
            action,
            by: self.sender.into(),
            why: self.reason.into(),
        })
    }
}

columns! {
    #[derive(Debug)]
    pub(crate) struct ProjectionColumns {
        pub key: LossyText,
        pub execution: LossyText,
        pub body: LossyText,
        pub updated_at: i64,
    }
}
