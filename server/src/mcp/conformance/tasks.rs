//! Tools that run as tasks (extension `io.modelcontextprotocol/tasks`) if the client supports them.

use std::time::Duration;

use futures::future::try_join_all;
use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock,
        CreateTaskResult,
    },
    service::RequestContext,
    task_manager::{TaskExit, TaskOptions},
};
use serde_json::{Value, json};

use super::{
    Fixture,
    fixtures::{Fixtures, TaskFixture},
    input_required,
};

pub async fn call(
    fixture: &Fixture,
    data: &'static Fixtures,
    job: &'static TaskFixture,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let knows = context
        .client_capabilities()
        .is_some_and(|can| can.supports_tasks());
    if job.required && !knows {
        let needed = ClientCapabilities::builder().enable_tasks().build();
        return Err(ErrorData::missing_required_client_capability(needed));
    }
    let lasts = lasts(job, &request);
    let mut said = Value::Null;
    if let Some(first) = data.rounds.get(request.name.as_ref()) {
        // The call itself asks the questions; then it becomes a task, which keeps the answers.
        match input_required::call(&fixture.confirm, first, request, context).await? {
            CallToolResponse::Complete(answered) => said = json!(answered.content),
            not_yet => return Ok(not_yet),
        }
    }
    if !knows {
        tokio::time::sleep(lasts).await;
        return end(job, &said).map(Into::into);
    }
    let task = fixture.tasks.spawn(TaskOptions::default(), move |task| {
        Box::pin(async move {
            let asks = job.asks.iter().map(|(key, ask)| task.request_input(key.clone(), ask.clone()));
            let answers = try_join_all(asks).await?;
            tokio::select! {
                () = task.cancelled() => Err(TaskExit::Cancelled),
                () = tokio::time::sleep(lasts) => end(job, &json!([said, answers])).map_err(TaskExit::Error),
            }
        })
    });
    Ok(CreateTaskResult::new(task).into())
}

/// Duration set by the caller in whole milliseconds, or else by the job.
fn lasts(job: &TaskFixture, request: &CallToolRequestParams) -> Duration {
    let seconds = request
        .arguments
        .as_ref()
        .and_then(|a| a.get("seconds"))
        .and_then(Value::as_f64);
    let given = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    given
        .unwrap_or(Duration::from_millis(job.lasts_ms))
        .min(Duration::from_secs(60))
}

fn end(job: &TaskFixture, answers: &Value) -> Result<CallToolResult, ErrorData> {
    match (&job.error, &job.result) {
        (Some(error), _) => Err(ErrorData::internal_error(error.clone(), None)),
        (None, Some(result)) => Ok(result.clone()),
        (None, None) => Ok(CallToolResult::success(vec![ContentBlock::text(format!(
            "Done: {answers}"
        ))])),
    }
}
