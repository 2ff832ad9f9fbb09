//! Calls of reading tools.

use dewy_domain::{
    caller::Caller,
    ports::Dispatcher,
    tool_answer::{FinalAnswer, ToolAnswer},
    tool_input::ToolInput,
    tool_output::{ListResult, ListRow},
};
use serde::de::DeserializeOwned;

use crate::pages::prelude::*;

/// Tool error: the code and its details.
pub type ReadFailure = (ErrorCode, Value);

pub async fn read<T: ToolInput>(
    ctx: &PageContext,
    user: &SignedIn,
    input: Value,
) -> Result<T::Output, ReadFailure> {
    call::<T>(ctx.dispatcher.as_ref(), &user.caller, input).await
}

/// Result of a tool, outside of a page.
pub async fn call<T: ToolInput>(
    dispatcher: &dyn Dispatcher,
    caller: &Caller,
    input: Value,
) -> Result<T::Output, ReadFailure> {
    let data = raw::<T>(dispatcher, caller, input).await?;
    serde_json::from_value(data).map_err(|_| (ErrorCode::Internal, Value::Null))
}

async fn raw<T: ToolInput>(
    dispatcher: &dyn Dispatcher,
    caller: &Caller,
    input: Value,
) -> Result<Value, ReadFailure> {
    match dispatcher.dispatch(caller, T::call_with(input)).await {
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

/// Rows of a list; unreadable ones are left out.
pub async fn readable_rows<T: ToolInput<Output = ListResult<R>>, R: ListRow + DeserializeOwned>(
    ctx: &PageContext,
    user: &SignedIn,
    input: Value,
) -> Result<Vec<R>, ReadFailure> {
    let mut data = raw::<T>(ctx.dispatcher.as_ref(), &user.caller, input).await?;
    let rows = data.get_mut(R::LIST).and_then(Value::as_array_mut);
    let rows = rows.map(std::mem::take).unwrap_or_default();
    Ok(rows
        .into_iter()
        .filter_map(|row| serde_json::from_value(row).ok())
        .collect())
}

/// Page shown instead, when it needs the result.
pub fn stop((code, _): ReadFailure, here: &str) -> PageError {
    ErrorPage::of(code, Persona::Guest, here).into()
}
