//! Filter and order of a case list: the same for the page and for its CSV file.

use dewy_domain::tool_output::CaseListItem;

use super::{Queue, case_rank};
use crate::pages::prelude::*;

/// Filters in a URL.
#[derive(Clone, Debug)]
pub struct CaseFilter {
    pub queue: Queue,
    status: String,
    room: Option<String>,
    priority: Option<String>,
    assignee: Option<String>,
    me: String,
}

impl CaseFilter {
    /// Names of the URL parameters.
    pub const NAMES: [&str; 5] = ["queue", "status", "room", "priority", "assignee"];

    /// Reads the URL parameters.
    pub fn of<'a>(asked: impl Fn(&str) -> Option<&'a str>, user: &SignedIn) -> Self {
        let given = |name: &str| asked(name).map(str::to_owned);
        Self {
            queue: Queue::selected(asked("queue"), user),
            status: given("status").unwrap_or_else(|| "Open".to_owned()),
            room: given("room"),
            priority: given("priority"),
            assignee: given("assignee"),
            me: user.caller.email.to_string(),
        }
    }

    /// Input of the tool; queue and assignee are applied to its result.
    pub fn input(&self) -> Value {
        json!({ "status_filter": self.status, "room_number": self.room, "priority_filter": self.priority })
    }

    /// Matching cases of a tool's result, urgent and old ones first.
    pub fn narrow(&self, cases: Vec<CaseListItem>) -> Vec<CaseListItem> {
        let mut some: Vec<CaseListItem> =
            cases.into_iter().filter(|case| self.fits(case)).collect();
        some.sort_by_key(case_rank);
        some
    }

    fn fits(&self, case: &CaseListItem) -> bool {
        let has = match self.assignee.as_deref() {
            None => true,
            Some("me") => case.assignee.as_ref() == Some(&self.me),
            Some("nobody") => case.assignee.is_none(),
            Some(email) => case.assignee.as_deref() == Some(email),
        };
        has && self.queue.has(case)
    }
}
