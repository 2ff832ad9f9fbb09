//! The `get_execution` tool. Guests see only their own executions.

use dewy_domain::{
    caller::Caller,
    error_code::ErrorCode,
    tool_answer::{Problem, ToolAnswer, ToolError},
    tool_catalog::GetExecution,
};

use crate::{
    hotel::hotel_service::Hotel,
    views::{execution_feed, execution_view},
};

/// Finds one execution by its id or by the caller's token.
pub(crate) async fn run(hotel: &Hotel, caller: &Caller, input: GetExecution) -> ToolAnswer {
    let journal = hotel.engine.journal();
    let found = match (
        input.execution_id.as_deref(),
        input.idempotency_token.as_deref(),
    ) {
        (Some(id), None) => match id.parse() {
            Ok(id) => journal.load(id).await,
            Err(_) => Ok(None),
        },
        (None, Some(token)) => {
            let token = hotel.token_key().stored(token);
            journal.find_token(&caller.key(), &token).await
        }
        _ => {
            let problem = |field: &str| {
                Problem::new(
                    field,
                    "Give exactly one of execution_id and idempotency_token.",
                )
            };
            return ToolError::problems(&[problem("execution_id"), problem("idempotency_token")])
                .into();
        }
    };
    match found {
        Ok(Some(record)) if execution_feed::may_see(caller, &record) => {
            let view = execution_view::of(&hotel.engine, &hotel.settings, caller, &record);
            ToolAnswer::data(view)
        }
        Ok(_) => ToolError::new(ErrorCode::ExecutionNotFound).into(),
        Err(error) => {
            tracing::error!(%error, "an execution could not be read");
            ToolError::new(ErrorCode::Internal).into()
        }
    }
}
