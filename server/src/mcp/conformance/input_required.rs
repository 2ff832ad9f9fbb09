//! `input_required`: asks in rounds until every answer of every round is present.

use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, InputRequest, InputRequests,
        InputRequiredResult, InputResponses, PromptMessage, Role,
    },
    service::RequestContext,
};
use serde_json::json;

use super::{Confirm, fixtures::Rounds};

/// Complete, or the next requests.
enum Turn {
    Done(String),
    Ask(InputRequiredResult),
}

pub async fn call(
    confirm: &Confirm,
    rounds: &Rounds,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let turn = turn(
        confirm,
        rounds,
        request.request_state,
        request.input_responses,
        context,
    )
    .await?;
    Ok(match turn {
        Turn::Done(said) => CallToolResult::success(vec![ContentBlock::text(said)]).into(),
        Turn::Ask(ask) => ask.into(),
    })
}

pub async fn prompt(
    confirm: &Confirm,
    rounds: &Rounds,
    request: GetPromptRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<GetPromptResponse, ErrorData> {
    let turn = turn(
        confirm,
        rounds,
        request.request_state,
        request.input_responses,
        context,
    )
    .await?;
    Ok(match turn {
        Turn::Done(said) => {
            GetPromptResult::new(vec![PromptMessage::new_text(Role::User, said)]).into()
        }
        Turn::Ask(ask) => ask.into(),
    })
}

async fn turn(
    confirm: &Confirm,
    rounds: &Rounds,
    state: Option<String>,
    answers: Option<InputResponses>,
    context: &RequestContext<RoleServer>,
) -> Result<Turn, ErrorData> {
    let codec = confirm
        .codec()
        .await
        .map_err(|_| ErrorData::internal_error("the seal is out of order", None))?;
    let at: usize = match state {
        Some(state) if rounds.sealed => codec
            .open_json(&state)
            .map_err(|_| ErrorData::invalid_params("the requestState is not one of ours", None))?,
        _ => 0,
    };
    let Some(asked) = rounds.asks.get(at) else {
        return Err(ErrorData::invalid_params(
            "the requestState has no such round",
            None,
        ));
    };
    let asked = declared(asked, context);
    let answers = answers.unwrap_or_default();
    let complete = asked
        .keys()
        .all(|key| answers.get(key).is_some_and(serde_json::Value::is_object));
    let (at, ask) = match (complete, rounds.asks.get(at + 1)) {
        (false, _) => (at, asked),
        (true, Some(next)) => (at + 1, declared(next, context)),
        (true, None) => return Ok(Turn::Done(format!("Thank you: {}", json!(answers)))),
    };
    let state = if rounds.sealed {
        Some(
            codec
                .seal_json(&at)
                .map_err(|error| ErrorData::internal_error(error.to_string(), None))?,
        )
    } else {
        None
    };
    Ok(Turn::Ask(InputRequiredResult::new(Some(ask), state)))
}

/// Checks that the client declared support for these requests.
fn declared(asks: &InputRequests, context: &RequestContext<RoleServer>) -> InputRequests {
    let can = context.client_capabilities().unwrap_or_default();
    let asks = asks.iter().filter(|(_, ask)| match ask {
        InputRequest::CreateMessage(_) => can.sampling.is_some(),
        InputRequest::Elicitation(_) => can.elicitation.is_some(),
        InputRequest::ListRoots(_) => can.roots.is_some(),
        _ => false,
    });
    asks.map(|(key, ask)| (key.clone(), ask.clone())).collect()
}
