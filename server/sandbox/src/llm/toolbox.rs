//! Tools offered by a request. No other tool is ever called, and no field outside its schema is
//! sent.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::model_answer::Call;

/// Offered tools, by name.
#[derive(Clone, Debug, Default)]
pub struct Toolbox(BTreeMap<String, Value>);

impl Toolbox {
    /// Parses `tools`.
    pub fn read(tools: &Value) -> Option<Self> {
        let functions = tools.as_array()?.iter().map(|tool| &tool["function"]);
        let entry = |function: &Value| {
            let name = function["name"].as_str()?.to_owned();
            Some((name, function["parameters"].clone()))
        };
        functions.map(entry).collect::<Option<_>>().map(Self)
    }

    /// Whether a tool is offered.
    pub fn offers(&self, tool: &str) -> bool {
        self.0.contains_key(tool)
    }

    /// Fields of a tool with their schemas.
    pub fn fields(&self, tool: &str) -> Option<&Map<String, Value>> {
        self.0.get(tool)?["properties"].as_object()
    }

    fn required(&self, tool: &str) -> impl Iterator<Item = &str> {
        let names = self.0.get(tool).map(|tool| &tool["required"]);
        let names = names.and_then(Value::as_array).into_iter().flatten();
        names.filter_map(Value::as_str)
    }

    /// Whether a tool requires a field.
    pub fn requires(&self, tool: &str, field: &str) -> bool {
        self.required(tool).any(|name| name == field)
    }

    /// First required field that a call lacks.
    pub fn lacks(&self, call: &Call) -> Option<String> {
        let mut names = self.required(&call.tool);
        let lacking = names.find(|name| !call.arguments.contains_key(*name));
        lacking.map(str::to_owned)
    }

    /// Whether a call uses an offered tool and has all required arguments.
    pub fn is_complete(&self, call: &Call) -> bool {
        let fitting = self.fit(call);
        fitting.is_some_and(|call| self.lacks(&call).is_none())
    }

    /// Call restricted to the arguments in the schema; `None` for a tool that is not offered.
    pub fn fit(&self, call: &Call) -> Option<Call> {
        let fields = &self.0.get(&call.tool)?["properties"];
        let mut call = call.clone();
        call.arguments.retain(|name, value| {
            let field = &fields[name.as_str()];
            let known = field["enum"].as_array();
            !field.is_null() && known.is_none_or(|values| values.contains(value))
        });
        Some(call)
    }
}
