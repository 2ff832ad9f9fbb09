//! Queries of the audit log of calls.

use dewy_saga::{ExecutionId, StoreError};
use jiff::Timestamp;
use sqlx::FromRow;

use super::{CallAudit, Row};
use crate::{fetch::fetch, lossy_text::LossyText, row_conversion::micros, store::Store};

/// A person as the log may name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedPerson {
    /// Email, for staff.
    pub email: String,
    /// Person id, for guests.
    pub person: String,
}

/// Filters for calls; all given filters must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallFilter {
    /// Calls by this person, or on their behalf.
    pub user: Option<LoggedPerson>,
    pub tool: Option<String>,
    /// Only calls of these tools; any if empty.
    pub only: Vec<&'static str>,
    /// No calls of these tools.
    pub without: Vec<&'static str>,
    pub interface: Option<String>,
    pub outcome: Option<String>,
    /// Only calls answered with an error.
    pub refused: bool,
    pub execution: Option<ExecutionId>,
    /// Earliest time, inclusive.
    pub from: Option<Timestamp>,
    /// Latest time, exclusive.
    pub to: Option<Timestamp>,
    /// Maximum number of results, newest first.
    pub limit: usize,
}

/// A call, with the addresses of the people in it, if still known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundCall {
    pub call: CallAudit,
    /// Address of the guest who called.
    pub caller_email: Option<String>,
    /// Address of the guest concerned.
    pub guest_email: Option<String>,
}

/// A call with its caller and guest.
struct Columns {
    row: Row,
    caller_email: Option<LossyText>,
    guest_email: Option<LossyText>,
}

impl<'r, R: sqlx::Row> FromRow<'r, R> for Columns
where
    &'static str: sqlx::ColumnIndex<R>,
    Row: FromRow<'r, R>,
    Option<LossyText>: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
{
    fn from_row(row: &'r R) -> sqlx::Result<Self> {
        Ok(Self {
            row: Row::from_row(row)?,
            caller_email: row.try_get("caller_email")?,
            guest_email: row.try_get("guest_email")?,
        })
    }
}

impl Store {
    /// Calls, newest first.
    pub async fn calls(&self, filter: &CallFilter) -> Result<Vec<FoundCall>, StoreError> {
        let sql = "select c.writer, c.n, c.pos, c.at, c.caller, c.interface, c.credential, c.request, c.tool, c.status, c.outcome,
                       c.execution, c.on_behalf_of, c.digest, p.email as caller_email, g.email as guest_email
                   from tool_call c left join person p on p.id = substr(c.caller, 7) left join person g on g.id = c.on_behalf_of
                   where (cast($1 as bigint) is null or c.at >= $1) and (cast($2 as bigint) is null or c.at < $2)
                     and (cast($3 as text) is null or c.caller = $3 or c.caller = $4 or c.on_behalf_of = $5)
                     and (cast($6 as text) is null or c.tool = $6) and (cast($7 as text) is null or c.interface = $7)
                     and (cast($8 as text) is null or c.outcome = $8) and c.status >= $9
                     and (cast($10 as text) is null or c.execution = $10)
                     and (cast($11 as text) is null or replace($11, ' ' || c.tool || ' ', '') <> $11)
                     and (cast($12 as text) is null or replace($12, ' ' || c.tool || ' ', '') = $12)
                   order by c.at desc, c.writer desc, c.n desc, c.pos desc limit $13";
        let (from, to) = (filter.from.map(micros), filter.to.map(micros));
        let who = filter.user.as_ref();
        let (staff, guest) = (
            who.map(|w| format!("staff:{}", w.email)),
            who.map(|w| format!("guest:{}", w.person)),
        );
        let person = who.map(|w| w.person.as_str());
        let least: i64 = if filter.refused { 400 } else { 0 };
        let execution = filter.execution.map(|id| id.to_string());
        let listed = |tools: &[&str]| (!tools.is_empty()).then(|| format!(" {} ", tools.join(" ")));
        let (only, without) = (listed(&filter.only), listed(&filter.without));
        let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
        let found = fetch!(
            self,
            Columns,
            sql,
            from,
            to,
            &staff,
            &guest,
            person,
            &filter.tool,
            &filter.interface,
            &filter.outcome,
            least,
            &execution,
            &only,
            &without,
            limit
        )?;
        // Unreadable calls are left out: `dewy audit verify` names them.
        let read = found.into_iter().filter_map(|c| {
            let call = c
                .row
                .call()
                .inspect_err(|error| tracing::error!(%error, "an unreadable call was left out"))
                .ok()?;
            let (caller_email, guest_email) = (
                c.caller_email.map(String::from),
                c.guest_email.map(String::from),
            );
            Some(FoundCall {
                call,
                caller_email,
                guest_email,
            })
        });
        Ok(read.collect())
    }
}
