//! Lists that say when they are truncated, and how to narrow the query.

use dewy_domain::{
    tool_answer::ToolAnswer,
    upstream_request::{Reply, UpstreamError},
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::tool_answer;

/// Builds a list answer. The query read one row more than requested, which shows whether it is
/// truncated.
pub(crate) fn list(name: &str, mut items: Vec<Value>, limit: u32, narrow: &str) -> Value {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let cut = items.len() > most;
    items.truncate(most);
    truncated_list(name, &items, cut, narrow)
}

/// Builds a list answer from items that are already truncated if `cut` is set.
pub(crate) fn truncated_list(name: &str, items: &impl Serialize, cut: bool, narrow: &str) -> Value {
    json!({ name: items, "cut": cut, "how_to_narrow": if cut { narrow } else { "" } })
}

/// Answer of a search.
pub(crate) fn answer<T>(read: Reply<T>, to_value: impl FnOnce(T) -> Value) -> ToolAnswer {
    match read.answered() {
        Ok(found) => ToolAnswer::data(to_value(found)),
        Err(error) => unavailable(&error),
    }
}

/// The booking system did not answer, or not as requested.
pub(crate) fn unavailable(error: &UpstreamError) -> ToolAnswer {
    tracing::warn!(error = %error, "a search failed");
    tool_answer::upstream_failure(error).into()
}
