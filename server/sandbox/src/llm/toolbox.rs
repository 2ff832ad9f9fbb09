//! Tools offered by a request. No other tool is ever called, and no field outside its schema is
//! sent.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::refusal::Refusal;
use super::said::Call;

/// Offered tools, by name.
#[derive(Clone, Debug, Default)]
pub struct Toolbox(BTreeMap<String, Value>);

impl Toolbox {
    /// Parses `tools`.
    ///
    /// # Errors
    /// When an entry is not a function with a valid name.
    pub fn read(tools: &Value) -> Result<Self, Refusal> {
        let mut offered = BTreeMap::new();
        for (place, tool) in tools.as_array().into_iter().flatten().enumerate() {
            let function = &tool["function"];
            let Some(name) = function["name"]
                .as_str()
                .filter(|name| usable(name) && tool["type"] == "function")
            else {
                let param = format!("tools[{place}].function.name");
                return Err(Refusal::invalid(format!(
                    "Invalid '{param}': expected a function with a name."
                ))
                .param(param)
                .code("invalid_value"));
            };
            offered.insert(name.to_owned(), function["parameters"].clone());
        }
        Ok(Self(offered))
    }

    /// Whether a tool is offered.
    pub fn offers(&self, tool: &str) -> bool {
        self.0.contains_key(tool)
    }

    /// Fields of a tool with their schemas.
    pub fn fields(&self, tool: &str) -> Option<&Map<String, Value>> {
        self.0.get(tool)?["properties"].as_object()
    }

    /// Required fields that a call lacks.
    pub fn lacks(&self, call: &Call) -> Vec<String> {
        let schema = self.0.get(&call.tool);
        let required = schema.and_then(|schema| schema["required"].as_array());
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        let lacking = names.filter(|name| !call.arguments.contains_key(*name));
        lacking.map(str::to_owned).collect()
    }

    /// Whether a call uses an offered tool and has all required arguments.
    pub fn is_complete(&self, call: &Call) -> bool {
        let call = self.fit(call);
        call.is_some_and(|call| self.lacks(&call).is_empty())
    }

    /// Call restricted to the arguments in the schema; `None` for a tool that is not offered.
    pub fn fit(&self, call: &Call) -> Option<Call> {
        let fields = &self.0.get(&call.tool)?["properties"];
        let fits = |name: &String, value: &mut Value| {
            let known = fields[name.as_str()]["enum"].as_array();
            !fields[name.as_str()].is_null() && known.is_none_or(|values| values.contains(value))
        };
        let mut call = call.clone();
        call.arguments.retain(fits);
        Some(call)
    }
}

fn usable(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
