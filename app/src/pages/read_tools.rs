//! Calls of reading tools.

use dewy_domain::{
    caller::{Caller, Persona},
    error_code::ErrorCode,
    ports::{Dispatcher, SignedIn},
    tool::ToolCall,
    tool_answer::{FinalAnswer, ToolAnswer},
    tool_output::{ListResult, ListRow},
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    page_context::PageContext,
    render_page::{ErrorPage, PageError},
};

/// Tool error: the code and its details.
pub type ReadFailure = (ErrorCode, Value);

/// Result of a tool.
pub async fn read(
    ctx: &PageContext,
    user: &SignedIn,
    tool: &str,
    input: Value,
) -> Result<Value, ReadFailure> {
    call(ctx.dispatcher.as_ref(), &user.caller, tool, input).await
}

/// Result of a tool, outside of a page.
pub async fn call(
    dispatcher: &dyn Dispatcher,
    caller: &Caller,
    tool: &str,
    input: Value,
) -> Result<Value, ReadFailure> {
    let call = ToolCall {
        tool: tool.to_owned(),
        input,
        idempotency_token: None,
        wait: None,
    };
    match dispatcher.dispatch(caller, call).await {
        ToolAnswer::Settled {
            settled: FinalAnswer::Done { data, .. },
            ..
        } => Ok(data),
        ToolAnswer::Settled {
            settled: FinalAnswer::Failed { code, details },
            ..
        } => Err((code, details)),
        ToolAnswer::Pending { .. } | ToolAnswer::Settled { .. } => {
            Err((ErrorCode::UpstreamUnavailable, Value::Null))
        }
    }
}

/// Rows of a list.
pub async fn rows<T: ListRow + DeserializeOwned>(
    ctx: &PageContext,
    user: &SignedIn,
    tool: &str,
    input: Value,
) -> Result<Vec<T>, ReadFailure> {
    let data = read(ctx, user, tool, input).await?;
    let list: ListResult<T> =
        serde_json::from_value(data).map_err(|_| (ErrorCode::Internal, Value::Null))?;
    Ok(list.rows)
}

/// List with that name in a tool's result; unreadable entries are left out.
pub async fn list<T: DeserializeOwned>(
    ctx: &PageContext,
    user: &SignedIn,
    tool: &str,
    input: Value,
    of: &str,
) -> Result<Vec<T>, ReadFailure> {
    let data = read(ctx, user, tool, input).await?;
    let items = data
        .get(of)
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    Ok(items
        .into_iter()
        .filter_map(|one| serde_json::from_value(one).ok())
        .collect())
}

/// Page shown instead, when it needs the result.
pub fn stop((code, _): ReadFailure, here: &str) -> PageError {
    ErrorPage::of(code, Persona::Guest, here).into()
}
