//! Manager queries over the audit log of calls.

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Role},
    ports::{AuditLogError, AuditReader, CallList, CallQuery, CallView},
    stay_overview::STAY_OVERVIEW,
    tool_answer::Problem,
    tool_catalog::{self, PostCharge},
};
use dewy_store::{CallFilter, FoundCall, LoggedPerson, Store};
use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};

use super::Pseudonyms;

/// Audit log in the store.
#[derive(Clone, Debug)]
pub struct AuditReaderService {
    pub store: Store,
    /// Maps addresses to ids.
    pub people: Pseudonyms,
    /// Decides where a day begins.
    pub time_zone: TimeZone,
}

#[async_trait]
impl AuditReader for AuditReaderService {
    async fn calls(
        &self,
        caller: &Caller,
        query: &CallQuery,
        limit: usize,
    ) -> Result<CallList, AuditLogError> {
        if caller.role != Some(Role::Manager) {
            return Err(AuditLogError::NotAllowed);
        }
        // One more than requested shows whether the list is truncated.
        let filter = self
            .filter(query, limit.saturating_add(1))
            .map_err(AuditLogError::Problems)?;
        let mut found = self.store.calls(&filter).await.map_err(|error| {
            tracing::error!(%error, "calls could not be listed");
            AuditLogError::Unavailable
        })?;
        let cut = found.len() > limit;
        found.truncate(limit);
        Ok(CallList {
            calls: found.into_iter().map(view).collect(),
            cut,
        })
    }
}

impl AuditReaderService {
    fn filter(&self, query: &CallQuery, limit: usize) -> Result<CallFilter, Vec<Problem>> {
        let mut problems = Vec::new();
        let from = self.day("from", query.from.as_deref(), 0, &mut problems);
        let to = self.day("to", query.to.as_deref(), 1, &mut problems);
        if let (Some(from), Some(to)) = (from, to)
            && from >= to
        {
            problems.push(Problem::new("to", "to is before from."));
        }
        let execution = given(&query.execution).map(str::parse);
        if matches!(execution, Some(Err(_))) {
            let message = "execution is not an execution ID; it begins with exe_.".to_owned();
            problems.push(Problem::new("execution", message));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let user = given(&query.user).map(str::to_lowercase);
        let outcome = given(&query.outcome);
        let (tool, execution_given) = (given(&query.tool), execution.is_some());
        let (only, without) = match given(&query.show) {
            _ if tool.is_some() || execution_given => (Vec::new(), Vec::new()),
            Some(MONEY) => (money(), Vec::new()),
            Some(ALL) => (Vec::new(), Vec::new()),
            _ => (Vec::new(), reads()),
        };
        Ok(CallFilter {
            user: user.map(|text| match text.strip_prefix("per_") {
                Some(_) => LoggedPerson {
                    email: String::new(),
                    person: text,
                },
                None => LoggedPerson {
                    person: self.people.id(&text),
                    email: text,
                },
            }),
            tool: tool.map(str::to_owned),
            only,
            without,
            interface: given(&query.interface).map(str::to_owned),
            outcome: outcome.filter(|word| *word != "REFUSED").map(str::to_owned),
            refused: outcome == Some("REFUSED"),
            execution: execution.and_then(Result::ok),
            from,
            to,
            limit,
        })
    }

    fn day(
        &self,
        name: &str,
        text: Option<&str>,
        later: i32,
        problems: &mut Vec<Problem>,
    ) -> Option<Timestamp> {
        let text = text.map(str::trim).filter(|text| !text.is_empty())?;
        let day = text
            .parse::<Date>()
            .and_then(|day| day.checked_add(later.days()));
        match day.and_then(|day| day.to_zoned(self.time_zone.clone())) {
            Ok(at) => Some(at.timestamp()),
            Err(_) => {
                let message =
                    format!("{name} is not a day of the calendar; write it as 2026-03-10.");
                problems.push(Problem::new(name, message));
                None
            }
        }
    }
}

/// [`CallQuery::show`]: calls that move money or change a bill.
const MONEY: &str = "money";
/// [`CallQuery::show`]: calls that only read, too.
const ALL: &str = "all";

fn money() -> Vec<&'static str> {
    let tools = tool_catalog::all().iter();
    let money = tools.filter(|tool| tool.moves_money || tool.name == PostCharge::NAME);
    money.map(|tool| tool.name).collect()
}

fn reads() -> Vec<&'static str> {
    let tools = tool_catalog::all().iter().filter(|tool| !tool.writes);
    tools.map(|tool| tool.name).chain([STAY_OVERVIEW]).collect()
}

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

fn view(found: FoundCall) -> CallView {
    let FoundCall {
        call,
        caller_email,
        guest_email,
    } = found;
    CallView {
        at: call.at,
        caller: caller_email.map_or(call.caller, |email| format!("guest:{email}")),
        interface: call.interface,
        credential: call.credential,
        request_id: call.request,
        on_behalf_of: guest_email.or(call.on_behalf_of),
        tool: call.tool,
        status: call.status,
        outcome: call.outcome,
        execution_id: call.execution.map(|id| id.to_string()),
    }
}
