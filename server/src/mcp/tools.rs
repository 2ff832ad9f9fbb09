//! A tool of the catalog as MCP describes it. A model pays for every byte of the list in every
//! conversation, so that it holds what a model decides by; the whole contract is checked at each
//! call, and stands in the OpenAPI document.

use dewy_domain::{caller::Persona, tool::Tool};
use rmcp::model::{self, JsonObject, ToolAnnotations};
use serde_json::{Value, json};

/// Its entry in `tools/list`.
pub fn described(tool: &Tool, persona: Persona) -> model::Tool {
    let annotations = ToolAnnotations::new()
        .read_only(!tool.writes)
        .destructive(tool.destructive())
        // A read has no effect, and a write's token makes sending it again harmless.
        .idempotent(true)
        .open_world(false);
    let input = lean(tool.input_schema(persona));
    let mut described = model::Tool::new(tool.name, tool.full_description(), object(input));
    described.title = Some(tool.title.to_owned());
    described.output_schema = Some(object(answer()).into());
    described.annotations = Some(annotations);
    described
}

/// The input schema without bounds that no honest value meets: how long an email, a day or a number
/// may be.
fn lean(mut schema: Value) -> Value {
    let fields = schema["properties"].as_object_mut();
    for field in fields
        .into_iter()
        .flat_map(|fields| fields.values_mut())
        .filter_map(Value::as_object_mut)
    {
        let has_shape = ["format", "pattern", "enum"]
            .iter()
            .any(|name| field.contains_key(*name));
        field.remove("minLength");
        if has_shape && field.get("pattern").is_none_or(|pattern| pattern != "\\S") {
            field.remove("maxLength");
        }
        if field.get("pattern").is_some_and(|pattern| pattern == "\\S") {
            field.remove("pattern");
        }
    }
    schema
}

/// What every answer has; the instructions say the rest once for all tools.
fn answer() -> Value {
    json!({ "type": "object", "properties": { "success": { "type": "boolean" } }, "required": ["success"] })
}

fn object(schema: Value) -> JsonObject {
    match schema {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}
