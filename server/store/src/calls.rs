//! The record of calls: who called which tool, through which door, and what came of it. Reads are recorded as well.

use dewy_saga::{ExecutionId, StoreError};
use jiff::Timestamp;
use sqlx::FromRow;

use crate::{
    codec::{id, micros, moment, to_json},
    read::fetch,
    store::{Backend, Store},
    write::write,
};

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallAudit {
    /// When it was answered.
    pub at: Timestamp,
    /// Who called.
    pub caller: String,
    /// Through which door: `page`, `chat`, `mcp`, `rest`, `cli`.
    pub interface: String,
    /// Which tool.
    pub tool: String,
    /// `OK` or the code of the error.
    pub outcome: String,
    /// The execution it made or joined.
    pub execution: Option<ExecutionId>,
    /// For which guest, when somebody else called.
    pub on_behalf_of: Option<String>,
}

/// Which calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallFilter {
    /// Only this caller's.
    pub caller: Option<String>,
    /// Only of this tool.
    pub tool: Option<String>,
    /// Only with this outcome.
    pub outcome: Option<String>,
    /// Only at or after.
    pub from: Option<Timestamp>,
    /// Only before.
    pub to: Option<Timestamp>,
    /// At most so many, newest first.
    pub limit: usize,
}

#[derive(FromRow)]
struct Columns {
    at: i64,
    caller: String,
    interface: String,
    tool: String,
    outcome: String,
    execution: Option<String>,
    on_behalf_of: Option<String>,
}

impl Store {
    /// Records calls, all or none, in one statement.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn log_calls(&self, calls: Vec<CallAudit>) -> Result<(), StoreError> {
        if calls.is_empty() {
            return Ok(());
        }
        let sql = match &self.backend {
            Backend::Sqlite(_) => {
                "insert into call (at, caller, interface, tool, outcome, execution, on_behalf_of)
                 select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 from json_each($1)"
            }
            Backend::Postgres(_) => {
                "insert into call (at, caller, interface, tool, outcome, execution, on_behalf_of)
                 select (value ->> 0)::bigint, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
                 from json_array_elements($1::json)"
            }
        };
        let rows: Vec<_> = calls
            .iter()
            .map(|c| (micros(c.at), &c.caller, &c.interface, &c.tool, &c.outcome, c.execution, &c.on_behalf_of))
            .collect();
        write!(self, sql, &to_json(&rows)?).map(drop)
    }

    /// Recorded calls, newest first.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn calls(&self, filter: &CallFilter) -> Result<Vec<CallAudit>, StoreError> {
        let sql = "select at, caller, interface, tool, outcome, execution, on_behalf_of from call
                   where (cast($1 as text) is null or caller = $1) and (cast($2 as text) is null or tool = $2)
                     and (cast($3 as text) is null or outcome = $3)
                     and (cast($4 as bigint) is null or at >= $4) and (cast($5 as bigint) is null or at < $5)
                   order by at desc, id desc limit $6";
        let (from, to) = (filter.from.map(micros), filter.to.map(micros));
        let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
        let mut calls = Vec::new();
        for c in fetch!(self, Columns, sql, &filter.caller, &filter.tool, &filter.outcome, from, to, limit)? {
            calls.push(CallAudit {
                at: moment(c.at)?,
                caller: c.caller,
                interface: c.interface,
                tool: c.tool,
                outcome: c.outcome,
                execution: c.execution.as_deref().map(id).transpose()?,
                on_behalf_of: c.on_behalf_of,
            });
        }
        Ok(calls)
    }
}
