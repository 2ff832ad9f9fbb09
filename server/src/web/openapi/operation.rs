//! OpenAPI operation of one tool for one persona.

use dewy_domain::{
    caller::{Persona, Role},
    tool::Tool,
};
use serde_json::{Map, Value, json};

use super::errors;

pub fn operation(tool: &Tool, persona: Persona) -> Value {
    let mut operation = json!({
        "operationId": format!("{}_{}", persona.name(), tool.name),
        "tags": [persona.name()],
        "summary": tool.title,
        "description": description(tool, persona),
        "requestBody": {
            "required": has_required(tool, persona),
            "content": { "application/json": { "schema": input(tool, persona), "example": tool.example_for(persona) } },
        },
        "responses": responses(tool, persona),
    });
    if tool.writes {
        operation["parameters"] = json!([{ "$ref": "#/components/parameters/IdempotencyKey" }]);
    }
    operation
}

fn description(tool: &Tool, persona: Persona) -> String {
    match persona {
        Persona::Guest => tool.full_description(),
        Persona::Staff => {
            let roles: Vec<&str> = tool.roles.iter().copied().map(Role::name).collect();
            format!(
                "{}\n\nRoles: {}.",
                tool.full_description(),
                roles.join(", ")
            )
        }
    }
}

/// Input of the tool, with the rules for combined fields; the idempotency token is a header here.
fn input(tool: &Tool, persona: Persona) -> Value {
    let mut schema = tool.input_schema(persona);
    let rules: Vec<&Value> = tool.rules_for(persona).collect();
    if !rules.is_empty() {
        schema["allOf"] = json!(rules);
    }
    if tool.writes {
        if let Some(properties) = schema["properties"].as_object_mut() {
            properties.remove("idempotency_token");
        }
        if let Some(required) = schema["required"].as_array_mut() {
            required.retain(|name| name != "idempotency_token");
        }
    }
    schema
}

fn has_required(tool: &Tool, persona: Persona) -> bool {
    let required = input(tool, persona)["required"]
        .as_array()
        .is_some_and(|required| !required.is_empty());
    required || tool.rules_for(persona).next().is_some()
}

/// Responses for every possible status.
fn responses(tool: &Tool, persona: Persona) -> Value {
    let mut responses = Map::new();
    let schema = json!({ "$ref": format!("#/components/schemas/{}_answer", tool.name) });
    let mut done = |status: &str, words: &str, waits: bool| {
        let mut headers = json!({ "X-Request-Id": { "$ref": "#/components/headers/RequestId" } });
        if waits {
            headers["Retry-After"] = json!({ "$ref": "#/components/headers/RetryAfter" });
        }
        let content = json!({ "application/json": { "schema": schema.clone() } });
        responses.insert(
            status.to_owned(),
            json!({ "description": words, "headers": headers, "content": content }),
        );
    };
    done(
        "200",
        if tool.writes {
            "Done, now or by an earlier request with the same token."
        } else {
            "The result."
        },
        false,
    );
    if tool.writes {
        done(
            "201",
            "Done, and something was created, now or by an earlier request with the same token.",
            false,
        );
        done(
            "202",
            "Not finished: it continues automatically, or a person has to open `next_action_url`.",
            true,
        );
    }
    for (status, codes) in errors::codes(tool, persona) {
        responses.insert(
            status.to_string(),
            errors::response(status, &codes, persona),
        );
    }
    Value::Object(responses)
}
