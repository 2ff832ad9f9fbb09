//! Tools that log, report progress, or elicit input before they answer.

use std::time::Duration;

use rmcp::{
    ErrorData, Peer, RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock,
        CreateMessageRequestParams, ElicitRequestParams, LoggingLevel,
        LoggingMessageNotificationParam, ProgressNotificationParam, SamplingMessage,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

use super::{Fixture, fixtures::Fixtures};

/// Pause between two messages, as the suite requires.
const PAUSE: Duration = Duration::from_millis(50);

pub async fn call(
    fixture: &Fixture,
    data: &Fixtures,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let given = |name: &str| {
        request
            .arguments
            .as_ref()
            .and_then(|a| a.get(name))
            .and_then(Value::as_str)
    };
    let peer = &context.peer;
    let said = match request.name.as_ref() {
        "test_tool_with_logging" => {
            for words in [
                "Tool execution started",
                "Tool processing data",
                "Tool execution completed",
            ] {
                log(peer, LoggingLevel::Info, words).await?;
                tokio::time::sleep(PAUSE).await;
            }
            "It has logged.".to_owned()
        }
        "test_logging_tool" => {
            if let Some(level) = context.meta.log_level() {
                log(peer, level, "Logs were asked for").await?;
            }
            "It has logged what was asked for.".to_owned()
        }
        "test_tool_with_progress" => {
            let token = context.meta.get_progress_token();
            for done in [0.0, 50.0, 100.0] {
                if let Some(token) = token.clone() {
                    let news = ProgressNotificationParam::new(token, done).with_total(100.0);
                    peer.notify_progress(news)
                        .await
                        .map_err(|error| gone(&error))?;
                }
                tokio::time::sleep(PAUSE).await;
            }
            "It has come to its end.".to_owned()
        }
        "greet" => format!("Hello, {}!", given("name").unwrap_or("friend")),
        "test_reconnection" => {
            tokio::time::sleep(PAUSE * 2).await;
            "It took a moment.".to_owned()
        }
        "test_custom_header" => match given("value") {
            Some(value) => value.to_owned(),
            None => return Err(ErrorData::invalid_params("value must be text", None)),
        },
        "test_missing_capability" => {
            if context
                .client_capabilities()
                .unwrap_or_default()
                .sampling
                .is_none()
            {
                let needed = ClientCapabilities::builder().enable_sampling().build();
                return Err(ErrorData::missing_required_client_capability(needed));
            }
            "The client can do it.".to_owned()
        }
        "test_trigger_tool_change" | "test_trigger_prompt_change" => {
            let listeners: Vec<_> = fixture.listeners().values().cloned().collect();
            for listener in listeners {
                // A client that doesn't listen gets no notifications.
                drop(match request.name.as_ref() {
                    "test_trigger_tool_change" => listener.notify_tool_list_changed().await,
                    _ => listener.notify_prompt_list_changed().await,
                });
            }
            "Who listens was told.".to_owned()
        }
        "test_sampling" => {
            let messages = vec![SamplingMessage::user_text(
                given("prompt").unwrap_or("Hello"),
            )];
            let answer = peer
                .create_message(CreateMessageRequestParams::new(messages, 100))
                .await;
            match answer {
                Ok(answer) => format!("LLM response: {}", json!(answer.message.content)),
                Err(error) => return Ok(failed(&error)),
            }
        }
        name => match data.forms.get(name) {
            Some(form) => match peer
                .create_elicitation(worded(form.clone(), given("message")))
                .await
            {
                Ok(answer) => format!(
                    "Elicitation completed: action={}, content={}",
                    json!(answer.action).as_str().unwrap_or_default(),
                    json!(answer.content)
                ),
                Err(error) => return Ok(failed(&error)),
            },
            None => {
                return Err(ErrorData::invalid_params(
                    format!("unknown tool: {name}"),
                    None,
                ));
            }
        },
    };
    Ok(CallToolResult::success(vec![ContentBlock::text(said)]).into())
}

/// Form with the caller's text as its message, if there is any.
fn worded(form: ElicitRequestParams, words: Option<&str>) -> ElicitRequestParams {
    match (form, words) {
        (
            ElicitRequestParams::FormElicitationParams {
                meta,
                requested_schema,
                ..
            },
            Some(words),
        ) => ElicitRequestParams::FormElicitationParams {
            meta,
            message: words.to_owned(),
            requested_schema,
        },
        (form, _) => form,
    }
}

async fn log(peer: &Peer<RoleServer>, level: LoggingLevel, words: &str) -> Result<(), ErrorData> {
    let message =
        LoggingMessageNotificationParam::new(level, json!(words)).with_logger("conformance");
    peer.notify_logging_message(message)
        .await
        .map_err(|error| gone(&error))
}

fn gone(error: &rmcp::ServiceError) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn failed(error: &rmcp::ServiceError) -> CallToolResponse {
    CallToolResult::error(vec![ContentBlock::text(format!(
        "The client did not answer: {error}"
    ))])
    .into()
}
