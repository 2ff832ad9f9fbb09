//! Tools of a request; both interfaces describe them alike.

use dewy_domain::ports::ModelTool;
use serde_json::{Value, json};

/// Adds the tools to a body, each as its interface wraps the name, description, and schema.
pub(super) fn add_tools(body: &mut Value, tools: Vec<ModelTool>, wrap: fn(Value) -> Value) {
    // An empty list is refused by some
    if tools.is_empty() {
        return;
    }
    let described = |tool: ModelTool| json!({ "name": tool.name, "description": tool.description, "parameters": tool.schema });
    body["tools"] = tools.into_iter().map(described).map(wrap).collect();
    body["parallel_tool_calls"] = json!(true);
}
