//! Between the tables' columns and the engine's types.

use dewy_saga::{ExecutionId, Row, Signal, State, StoreError, chain::AuditRow, journal::Record};
use jiff::Timestamp;
use serde_json::Value;

use crate::columns::columns;
use crate::error::broken;

/// Microseconds since 1970, as the tables have them.
pub(crate) fn micros(at: Timestamp) -> i64 {
    at.as_microsecond()
}

/// The moment of so many microseconds since 1970.
pub(crate) fn moment(micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(micros).map_err(broken)
}

pub(crate) fn id(text: &str) -> Result<ExecutionId, StoreError> {
    text.parse().map_err(|_| broken(text))
}

pub(crate) fn state(name: &str) -> Result<State, StoreError> {
    State::from_name(name).ok_or_else(|| broken(name))
}

pub(crate) fn json(text: &str) -> Result<Value, StoreError> {
    serde_json::from_str(text).map_err(broken)
}

pub(crate) fn to_json<T: serde::Serialize + ?Sized>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|e| StoreError::Failed(e.to_string()))
}

columns! {
    /// `execution` and its `content`, as every reading statement selects them.
    #[derive(Debug)]
    pub(crate) struct HeadRow {
        pub id: String,
        pub saga: String,
        pub version: i64,
        pub caller: String,
        pub interface: String,
        pub token: Option<String>,
        pub state: String,
        pub wake_at: Option<i64>,
        pub created_at: i64,
        pub updated_at: i64,
        pub fence: i64,
        pub worker: Option<String>,
        pub seq: i64,
        pub signalled_at: Option<i64>,
        pub input: Option<String>,
        pub answer: Option<String>,
    }
}

impl HeadRow {
    /// The record, yet without labels and journal.
    pub(crate) fn record(self) -> Result<Record, StoreError> {
        Ok(Record {
            id: id(&self.id)?,
            saga: self.saga,
            version: u32::try_from(self.version).map_err(broken)?,
            caller: self.caller,
            interface: self.interface,
            token: self.token,
            // Erased inputs are null: the journal goes on without them.
            input: self.input.as_deref().map_or(Ok(Value::Null), json)?,
            state: state(&self.state)?,
            answer: self.answer.as_deref().map(json).transpose()?,
            wake_at: self.wake_at.map(moment).transpose()?,
            created_at: moment(self.created_at)?,
            updated_at: moment(self.updated_at)?,
            fence: self.fence,
            worker: self.worker,
            labels: Vec::new(),
            rows: Vec::new(),
            audit: Vec::new(),
            signals: Vec::new(),
        })
    }
}

columns! {
    /// A journal row with its execution.
    #[derive(Debug)]
    pub(crate) struct JournalRow {
        pub execution: String,
        pub seq: i64,
        pub at: i64,
        pub written_by: String,
        pub fence: i64,
        pub event: String,
        pub digest: String,
    }
}

impl JournalRow {
    pub(crate) fn row(self) -> Result<Row, StoreError> {
        let event = serde_json::from_str(&self.event).map_err(broken)?;
        Ok(Row {
            seq: self.seq,
            at: moment(self.at)?,
            by: self.written_by,
            fence: self.fence,
            event,
            digest: self.digest,
        })
    }
}

columns! {
    /// An audit row with its execution.
    #[derive(Debug)]
    pub(crate) struct TrailRow {
        pub execution: String,
        pub seq: i64,
        pub at: i64,
        pub actor: String,
        pub from_state: Option<String>,
        pub to_state: String,
        pub journal: String,
        pub hash: String,
    }
}

impl TrailRow {
    pub(crate) fn row(self) -> Result<AuditRow, StoreError> {
        Ok(AuditRow {
            seq: self.seq,
            at: moment(self.at)?,
            actor: self.actor,
            from: self.from_state.as_deref().map(state).transpose()?,
            to: state(&self.to_state)?,
            journal: self.journal,
            hash: self.hash,
        })
    }
}

columns! {
    /// A label with its execution.
    #[derive(Debug)]
    pub(crate) struct LabelRow {
        pub execution: String,
        pub name: String,
        pub value: String,
    }
}

columns! {
    /// A signal with its execution.
    #[derive(Debug)]
    pub(crate) struct SignalRow {
        pub execution: String,
        pub key: String,
        pub ask: String,
        pub asked_by: String,
        pub why: String,
    }
}

impl SignalRow {
    pub(crate) fn signal(self) -> Result<Signal, StoreError> {
        let ask = serde_json::from_value(Value::String(self.ask)).map_err(broken)?;
        Ok(Signal { key: self.key, ask, by: self.asked_by, why: self.why })
    }
}

columns! {
    /// A row beside the journal.
    #[derive(Debug)]
    pub(crate) struct BesideColumns {
        pub key: String,
        pub execution: String,
        pub body: String,
        pub updated_at: i64,
    }
}
