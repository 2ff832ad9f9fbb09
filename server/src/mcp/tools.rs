//! A tool of the catalogue as MCP describes it.

use dewy_domain::{
    caller::Persona,
    tool::{Reversibility, Tool},
};
use rmcp::model::{self, JsonObject, ToolAnnotations};
use serde_json::Value;

/// Its entry in `tools/list`.
pub fn described(tool: &Tool, persona: Persona) -> model::Tool {
    let annotations = ToolAnnotations::with_title(tool.title)
        .read_only(!tool.writes)
        .destructive(tool.writes && (tool.moves_money || tool.reversibility == Reversibility::Irreversible))
        // A read has no effect, and a write's token makes sending it again harmless.
        .idempotent(true)
        .open_world(false);
    let mut described = model::Tool::new(tool.name, tool.description, object(tool.input_schema(persona)));
    described.title = Some(tool.title.to_owned());
    described.output_schema = Some(object(tool.output_schema()).into());
    described.annotations = Some(annotations);
    described
}

fn object(schema: Value) -> JsonObject {
    match schema {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}
