//! MCP description of a tool in the catalog. A model pays for every byte of the list in every
//! conversation, so the list holds only what a model needs to choose a tool. The full contract is
//! checked on each call and documented in OpenAPI.

use dewy_domain::{caller::Persona, tool::Tool};
use rmcp::model::{self, JsonObject, ToolAnnotations};
use serde_json::{Value, json};

/// Entry in `tools/list`.
pub fn describe_tool(tool: &Tool, persona: Persona) -> model::Tool {
    let annotations = ToolAnnotations::new()
        .read_only(!tool.writes)
        .destructive(tool.destructive())
        // A read has no effect, and the token of a write makes it idempotent.
        .idempotent(true)
        .open_world(false);
    let input = compact_schema(tool.input_schema(persona));
    let mut described = model::Tool::new(tool.name, tool.full_description(), object(input));
    described.title = Some(tool.title.to_owned());
    described.output_schema = Some(object(answer()).into());
    described.annotations = Some(annotations);
    described
}

/// Input schema without limits that no realistic value reaches: lengths of emails, dates or
/// numbers.
fn compact_schema(mut schema: Value) -> Value {
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

/// Fields common to every answer; the instructions describe the rest once for all tools.
fn answer() -> Value {
    json!({ "type": "object", "properties": { "success": { "type": "boolean" } }, "required": ["success"] })
}

fn object(schema: Value) -> JsonObject {
    match schema {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}
