//! Executes the model's tool calls: reads run at once and in parallel, writes become proposals.

use std::sync::Arc;

use dewy_domain::{
    caller::{Caller, Persona},
    canonical_input::canonical_input,
    concierge::{CallState, Entry, HAND_OVER, RequestedCall},
    error_code::ErrorCode,
    tool::{Tool, ToolCall},
    tool_answer::{Problem, ToolAnswer, ToolError, without_nulls},
    tool_catalog,
    vocabulary::BookingStatus,
};
use futures::future::join_all;
use serde_json::{Value, json};

use crate::{
    concierge_service::Inner, failure::Failure, stay_cache::StayFacts,
    stay_reference::StayReference,
};

/// Maximum number of calls in one round; more are refused, and the model may ask again.
const MAX_CALLS: usize = 8;

impl Inner {
    /// Executes the calls; each gets exactly one entry.
    ///
    /// Proposes nothing in a turn that was stopped, or once a person was called.
    pub async fn run_tool_calls(
        self: &Arc<Self>,
        caller: &Caller,
        id: &str,
        turn: &str,
        calls: Vec<RequestedCall>,
    ) -> Result<(), Failure> {
        let mut reads = Vec::new();
        let mut changes = Vec::new();
        for (at, mut call) in calls.into_iter().enumerate() {
            // Proposals are written and compared from this before the dispatcher reads it.
            if let Some(tool) = tool_catalog::find(caller, &call.tool) {
                call.arguments = canonical_input(tool, caller.persona, &call.arguments);
            }
            if at >= MAX_CALLS {
                let error = ToolError::new(ErrorCode::Overloaded);
                self.came_back(caller, id, &call, &error.into()).await?;
                continue;
            }
            if call.tool == HAND_OVER && caller.persona == Persona::Guest {
                changes.push((None, call));
                continue;
            }
            match checked(caller, &call) {
                Err(error) => {
                    let answer = self
                        .parts
                        .dispatcher
                        .refused(caller, &call.tool, error)
                        .await;
                    self.came_back(caller, id, &call, &answer).await?;
                }
                Ok(tool) if tool.writes => changes.push((Some(tool), call)),
                Ok(_) => reads.push(call),
            }
        }
        let read = |call: RequestedCall| async move {
            let asked = ToolCall {
                tool: call.tool.clone(),
                input: call.arguments.clone(),
                idempotency_token: None,
                wait: None,
            };
            let answer = self.parts.dispatcher.dispatch(caller, asked).await;
            self.came_back(caller, id, &call, &answer).await
        };
        for done in join_all(reads.into_iter().map(read)).await {
            done?;
        }
        for (tool, call) in changes {
            if !self.store().has_turn(id, turn).await? {
                return Ok(());
            }
            let Some(tool) = tool else {
                let reason = call.arguments["reason"]
                    .as_str()
                    .unwrap_or("The guest asked for a person.")
                    .to_owned();
                self.hand_over(caller, id, &reason, Some(&call.id)).await?;
                continue;
            };
            match self
                .propose(caller, id, &call.id, tool, &call.arguments)
                .await
            {
                Ok(proposal) => {
                    let (call_id, proposal) = (call.id, proposal.id);
                    self.add(id, Entry::Proposed { call_id, proposal }).await?
                }
                Err(answer) => self.came_back(caller, id, &call, &answer).await?,
            }
        }
        Ok(())
    }

    async fn came_back(
        &self,
        caller: &Caller,
        id: &str,
        call: &RequestedCall,
        answer: &ToolAnswer,
    ) -> Result<(), Failure> {
        let state = match answer {
            ToolAnswer::Pending { .. } => CallState::Running,
            ToolAnswer::Settled { .. } => match answer.error() {
                None => CallState::Done,
                Some(code) if code.status() >= 500 => CallState::Failed,
                Some(_) => CallState::Refused,
            },
        };
        let execution_id = answer.execution_id().map(str::to_owned);
        let entry = Entry::Returned {
            call_id: call.id.clone(),
            tool: call.tool.clone(),
            state,
            answer: self.answer_for_caller(caller, call, answer).await,
            execution_id,
        };
        self.add(id, entry).await
    }

    /// The answer as the caller reads it. A guest without a folio is told of their reservation, or
    /// that only their own stays are found.
    async fn answer_for_caller(
        &self,
        caller: &Caller,
        call: &RequestedCall,
        answer: &ToolAnswer,
    ) -> Value {
        let mut body = answer.body(caller.persona);
        if answer.error() == Some(ErrorCode::BookingNotFound) && caller.persona == Persona::Guest {
            let StayFacts(stay, _) = self.stay(caller).await;
            let named = StayReference::of(&call.arguments);
            let means =
                |named: Option<&str>, is: Option<&str>| named.is_none_or(|named| Some(named) == is);
            let reserved = stay.filter(|stay| {
                stay.booking_status == BookingStatus::Reserved
                    && means(named.booking_number.as_deref(), Some(&stay.booking_number))
                    && means(named.room_number.as_deref(), stay.room_number.as_deref())
            });
            let reservations = without_nulls(&json!(Vec::from_iter(reserved)));
            body["details"] = json!({ "searched": "own stays", "reservations": reservations });
        }
        body
    }
}

/// The tool, if the caller has it and the arguments contain no field the model must not set. The
/// dispatcher validates the rest, as for any caller.
fn checked(caller: &Caller, call: &RequestedCall) -> Result<&'static Tool, ToolError> {
    let Some(tool) = tool_catalog::find(caller, &call.tool) else {
        return Err(ToolError::with(
            ErrorCode::UnknownTool,
            serde_json::json!({ "tool": call.tool }),
        ));
    };
    let Value::Object(arguments) = &call.arguments else {
        return Err(ToolError::problem("", "the arguments are no JSON object"));
    };
    let schema = tool.chat_schema(caller.persona);
    let known = |name: &str| schema["properties"].get(name).is_some();
    let problems: Vec<Problem> = arguments
        .keys()
        .filter(|name| !known(name))
        .map(|name| Problem {
            field: name.clone(),
            message: format!("{name} is not yours to say; leave it out."),
        })
        .collect();
    if problems.is_empty() {
        Ok(tool)
    } else {
        Err(ToolError::problems(&problems))
    }
}

#[cfg(test)]
mod tests {
    use dewy_domain::caller::Interface;

    use super::*;

    #[test]
    fn inputs_reserved_for_the_server_are_refused() {
        let guest = Caller::guest("beth.gibbs@email.com", Interface::Chat);
        let call = |tool: &str, arguments: Value| RequestedCall {
            id: "c".to_owned(),
            tool: tool.to_owned(),
            arguments,
        };
        let code = |call: &RequestedCall| {
            checked(&guest, call)
                .map(|tool| tool.name)
                .map_err(|error| error.code)
        };
        assert_eq!(code(&call("get_folio", json!({}))), Ok("get_folio"));
        for field in [
            "amount",
            "payment_method_id",
            "guest_email",
            "idempotency_token",
            "role",
        ] {
            let asked = call("process_guest_checkout", json!({ field: "x" }));
            assert_eq!(code(&asked), Err(ErrorCode::ValidationFailed), "{field}");
        }
        assert_eq!(
            code(&call("get_folio", json!("{\"bo"))),
            Err(ErrorCode::ValidationFailed)
        );
        assert_eq!(
            code(&call("compensate_checkout_failure", json!({}))),
            Err(ErrorCode::UnknownTool)
        );
    }
}
