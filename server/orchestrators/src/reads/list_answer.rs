//! Lists that say when they are truncated, and how to narrow the query.

use dewy_domain::{
    tool_answer::ToolAnswer,
    tool_output::ListResult,
    upstream_request::{Fault, Outcome},
};
use serde::Serialize;

use crate::saga_parts::tool_answer;

/// Builds a list. The query read one row more than requested, which shows whether it is truncated.
pub(crate) fn list<T>(mut rows: Vec<T>, limit: u32, narrow: &str) -> ListResult<T> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let cut = rows.len() > most;
    rows.truncate(most);
    ListResult::new(rows, cut, narrow)
}

pub(crate) fn answer<T, R: Serialize>(read: Outcome<T>, result: impl FnOnce(T) -> R) -> ToolAnswer {
    match read.answered() {
        Ok(found) => ToolAnswer::data(result(found)),
        Err(error) => unavailable(&error),
    }
}

/// The booking system did not answer, or not as requested.
pub(crate) fn unavailable(error: &Fault) -> ToolAnswer {
    tracing::warn!(error = %error, "a search failed");
    tool_answer::upstream_failure(error).into()
}
