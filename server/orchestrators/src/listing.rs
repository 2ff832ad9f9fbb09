//! Lists that say when they were cut, and how to ask for less.

use dewy_domain::{
    answer::ToolAnswer,
    call::{Reply, Trouble},
    whole_number::whole_number,
};
use serde_json::{Value, json};

use crate::tool_answer;

/// How many are wanted.
pub(crate) fn limit(input: &Value, default: u32) -> u32 {
    whole_number(&input["limit"])
        .and_then(|n| u32::try_from(n).ok())
        .unwrap_or(default)
}

/// A list as an answer. It was read with one row more than wanted, which tells whether it is cut.
pub(crate) fn list(name: &str, mut items: Vec<Value>, limit: u32, narrow: &str) -> Value {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let cut = items.len() > most;
    items.truncate(most);
    json!({ name: items, "cut": cut, "how_to_narrow": if cut { narrow } else { "" } })
}

/// The answer of a search.
pub(crate) fn answer<T>(read: Reply<T>, told: impl FnOnce(T) -> Value) -> ToolAnswer {
    match read.answered() {
        Ok(found) => ToolAnswer::data(told(found)),
        Err(trouble) => silent(&trouble),
    }
}

/// The booking system did not answer, or not with what was asked for.
pub(crate) fn silent(trouble: &Trouble) -> ToolAnswer {
    tracing::warn!(error = %trouble, "a search failed");
    tool_answer::trouble(trouble).into()
}
