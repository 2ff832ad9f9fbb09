//! Client of the language model: offered tools, requests, and reassembled streams.

use std::collections::BTreeMap;

use dewy_domain::{
    caller::{Caller, Interface, Persona, Role},
    tool_catalog,
};

use crate::prelude::*;

/// Fields that an interface fills in itself, so that the model isn't asked for them.
pub fn filled(persona: Persona, tool: &str, field: &str) -> bool {
    let own = [
        "guest_email",
        "guest_first_name",
        "guest_last_name",
        "guest_phone",
    ];
    (tool == "process_guest_checkout" && matches!(field, "amount" | "payment_method_id"))
        || (field == "idempotency_token" && tool != "get_execution")
        || (persona == Persona::Guest && own.contains(&field))
}

/// Tools of a guest, or of staff in a role, as a chat request offers them.
pub fn tools(role: Option<&str>) -> Value {
    let caller = match role {
        Some(role) => Caller::staff(
            "who@dewy.example",
            Role::from_name(role).unwrap(),
            Interface::Chat,
        ),
        None => Caller::guest("beth.gibbs@email.com", Interface::Chat),
    };
    let offered = tool_catalog::for_caller(&caller).into_iter().map(|tool| {
        let mut schema = tool.input_schema(caller.persona);
        let is_filled = |field: &str| filled(caller.persona, tool.name, field);
        schema["properties"]
            .as_object_mut()
            .unwrap()
            .retain(|field, _| !is_filled(field));
        schema["required"]
            .as_array_mut()
            .unwrap()
            .retain(|field| !is_filled(field.as_str().unwrap()));
        let function =
            json!({"name": tool.name, "description": tool.description, "parameters": schema});
        json!({"type": "function", "function": function})
    });
    Value::Array(offered.collect())
}

/// Tool that hands over a conversation.
pub fn hand_over() -> Value {
    let parameters = json!({"type": "object", "properties": {"reason": {"type": "string"}}, "required": ["reason"]});
    json!({"type": "function", "function": {"name": "hand_over_to_staff", "description": "Calls a person.", "parameters": parameters}})
}

/// System message with these facts.
pub fn system(facts: &Value) -> Value {
    let lines: Vec<String> = facts
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| {
            format!(
                "{name}: {}",
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned)
            )
        })
        .collect();
    json!({"role": "system", "content": format!("You are the concierge.\n<facts>\n{}\n</facts>\nBe brief.", lines.join("\n"))})
}

pub fn request(body: &Value) -> HttpRequest {
    HttpRequest {
        method: "POST".to_owned(),
        url: "https://model.test/v1/chat/completions".to_owned(),
        headers: vec![
            ("authorization".to_owned(), "Bearer anything".to_owned()),
            ("content-type".to_owned(), "application/json".to_owned()),
        ],
        body: body.to_string().into_bytes(),
    }
}

/// Body that requests a stream with usage.
pub fn body(messages: &[Value], tools: &Value) -> Value {
    json!({
        "model": "dewy-offline", "stream": true, "stream_options": {"include_usage": true}, "messages": messages,
        "tools": tools,
    })
}

/// Reassembled answer.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    pub text: String,
    /// Id, tool and arguments.
    pub calls: Vec<(String, String, Value)>,
    pub finish: String,
    pub usage: Value,
    pub done: bool,
}

/// Merges a stream's events, fragments by index.
pub fn merged(stream: &str) -> Reply {
    let mut reply = Reply::default();
    let mut calls: BTreeMap<u64, (String, String, String)> = BTreeMap::new();
    for event in stream
        .split("\n\n")
        .filter_map(|event| event.strip_prefix("data: "))
    {
        if event == "[DONE]" {
            reply.done = true;
            break;
        }
        let chunk: Value = serde_json::from_str(event).unwrap();
        if !chunk["usage"].is_null() {
            reply.usage = chunk["usage"].clone();
        }
        let choice = &chunk["choices"][0];
        reply
            .text
            .push_str(choice["delta"]["content"].as_str().unwrap_or_default());
        for part in choice["delta"]["tool_calls"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let call = calls.entry(part["index"].as_u64().unwrap()).or_default();
            call.0.push_str(part["id"].as_str().unwrap_or_default());
            call.1
                .push_str(part["function"]["name"].as_str().unwrap_or_default());
            call.2
                .push_str(part["function"]["arguments"].as_str().unwrap_or_default());
        }
        reply
            .finish
            .push_str(choice["finish_reason"].as_str().unwrap_or_default());
    }
    reply.calls = calls
        .into_values()
        .map(|(id, tool, text)| (id, tool, serde_json::from_str(&text).unwrap()))
        .collect();
    reply
}

/// Sends a request and reassembles the stream.
pub async fn ask(sandbox: &Sandbox, messages: &[Value], tools: &Value) -> Reply {
    let response = send(sandbox, request(&body(messages, tools)))
        .await
        .unwrap();
    let text = String::from_utf8(response.body).unwrap();
    assert_eq!(response.status, 200, "{text}");
    merged(&text)
}
