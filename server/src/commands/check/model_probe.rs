//! Probe of the model for `dewy check`: text, a tool call, and the round after its result. Servers
//! that answer the first often fail at the others.

use dewy_domain::ports::{Model, ModelAnswer, ModelError, ModelMessage, ModelRequest, ModelTool};
use serde_json::{Value, json};

/// Value that the tool returns, and that an answer can't guess.
const CODE: &str = "7493";

/// What works, or what doesn't and why.
pub(super) async fn probe(model: &dyn Model) -> Result<String, String> {
    let system =
        ModelMessage::System("You test a connection. Do exactly what you are told.".to_owned());
    let text = vec![
        system.clone(),
        ModelMessage::User("Answer with the one word: ready".to_owned()),
    ];
    ask(model, text)
        .await
        .map_err(|error| format!("text: {error}"))?;
    let mut messages = vec![
        system,
        ModelMessage::User(
            "Call the tool read_code now, then tell me the code it returns.".to_owned(),
        ),
    ];
    let called = ask(model, messages.clone()).await;
    let called = called.map_err(|error| format!("a tool call: {error}"))?;
    let Some(call) = called.calls.first().filter(|call| call.name == "read_code") else {
        return Err(format!(
            "{} answers, but calls no tool when it is told to",
            model.name()
        ));
    };
    if serde_json::from_str::<Value>(&call.arguments).is_ok_and(|arguments| !arguments.is_object())
    {
        return Err("a tool call: its arguments are no JSON object".to_owned());
    }
    let results = called.calls.iter().map(|call| ModelMessage::ToolResult {
        call_id: call.id.clone(),
        content: json!({ "code": CODE }).to_string(),
    });
    let results: Vec<_> = results.collect();
    messages.push(ModelMessage::Assistant {
        text: called.text,
        calls: called.calls,
        opaque: called.opaque,
    });
    messages.extend(results);
    let answer = ask(model, messages).await;
    let answer = answer.map_err(|error| format!("the round after a tool call: {error}"))?;
    if !answer.text.contains(CODE) {
        return Err(
            "the round after a tool call: the answer does not tell the tool's result".to_owned(),
        );
    }
    Ok(format!(
        "{} answers, calls tools, and reads their results",
        model.name()
    ))
}

async fn ask(model: &dyn Model, messages: Vec<ModelMessage>) -> Result<ModelAnswer, ModelError> {
    let tool = ModelTool {
        name: "read_code".to_owned(),
        description: "Returns the code.".to_owned(),
        schema: json!({ "type": "object", "additionalProperties": false, "properties": {} }),
    };
    let request = ModelRequest {
        messages,
        tools: vec![tool],
        person: "dewy-check".to_owned(),
    };
    model.answer(request, &|_| ()).await
}
