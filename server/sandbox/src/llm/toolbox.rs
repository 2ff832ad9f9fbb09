//! Tools offered by a request. No other tool is ever called, and no field outside its schema is
//! sent.

use serde_json::{Map, Value};

use super::model_answer::Call;

/// Field that names a guest.
const GUEST: &str = "guest_email";
/// Field that names a booking.
const BOOKING: &str = "booking_number";

/// Schemas of the offered tools, by name.
#[derive(Clone, Debug, Default)]
pub struct Toolbox(Map<String, Value>);

impl Toolbox {
    pub fn read(tools: &Value) -> Self {
        let tools = tools.as_array().into_iter().flatten();
        let functions = tools.map(|tool| &tool["function"]);
        let named = functions.filter_map(|function| Some((function["name"].as_str()?, function)));
        let schema =
            |(name, function): (&str, &Value)| (name.into(), function["parameters"].clone());
        Self(named.map(schema).collect())
    }

    pub fn offers(&self, tool: &str) -> bool {
        self.0.contains_key(tool)
    }

    /// Fields of a tool with their schemas.
    pub fn fields(&self, tool: &str) -> impl Iterator<Item = (&String, &Value)> {
        let fields = self.0.get(tool).map(|schema| &schema["properties"]);
        fields.and_then(Value::as_object).into_iter().flatten()
    }

    /// Call with only the arguments that fit its schema, or the first required field that it lacks;
    /// `None` for a tool that is not offered.
    pub fn check(&self, call: &Call) -> Option<Result<Call, String>> {
        let schema = self.0.get(&call.tool)?;
        let mut call = call.clone();
        call.arguments.retain(|name, value| {
            let field = &schema["properties"][name];
            let known = field["enum"].as_array();
            !field.is_null() && known.is_none_or(|values| values.contains(value))
        });
        let required = schema["required"].as_array().into_iter().flatten();
        let mut required = required.filter_map(Value::as_str);
        let given = |name: &str| call.arguments.contains_key(name);
        // The guest, or the booking alone: a schema cannot say that, its description does
        let guest = &schema["properties"][GUEST];
        let told = guest["description"].as_str().unwrap_or_default();
        let either = told.contains(BOOKING) && !given(GUEST) && !given(BOOKING);
        let missing = required.find(|name| !given(name));
        let missing = missing.or(either.then_some(GUEST));
        Some(missing.map_or(Ok(call.clone()), |name| Err(name.to_owned())))
    }

    /// Whether there are calls, and all can be made as they are.
    pub fn can_make(&self, calls: &[Call]) -> bool {
        let complete = |call: &Call| matches!(self.check(call), Some(Ok(_)));
        !calls.is_empty() && calls.iter().all(complete)
    }
}
