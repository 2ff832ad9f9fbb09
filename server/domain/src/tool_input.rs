//! Typed inputs of tools. One declaration gives a tool's input its type and its schema.

use std::any::TypeId;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use crate::{
    caller::Persona,
    output_schema::OutputSchema,
    tool::{Field, Reversibility, Tool, ToolCall},
    tool_answer::{Problem, ToolError, without_nulls},
    whole_number::with_whole_numbers,
};

/// The input of a tool, and with it the tool's name, result, and calls.
pub trait ToolInput: DeserializeOwned + Serialize + Send {
    /// Name of the tool.
    const NAME: &'static str;

    /// Result of the tool.
    type Output: OutputSchema + DeserializeOwned + 'static;

    /// Its fields, in the order of the schema.
    fn fields() -> Vec<Field>;

    /// Values of the fields that may be left out and have a default.
    fn defaults() -> &'static Map<String, Value>;

    /// Reads an input that matches the schema.
    ///
    /// # Errors
    /// `VALIDATION_FAILED`, if it does not match.
    fn read(input: &Value) -> Result<Self, ToolError> {
        let mut input = with_whole_numbers(input.clone());
        if let Some(given) = input.as_object_mut() {
            for (name, value) in Self::defaults() {
                given.entry(name).or_insert_with(|| value.clone());
            }
        }
        serde_json::from_value(input).map_err(|error| {
            ToolError::problems(&[Problem {
                field: String::new(),
                message: error.to_string(),
            }])
        })
    }

    /// A call with this input.
    #[must_use]
    fn call(&self) -> ToolCall {
        Self::call_with(without_nulls(&json!(self)))
    }

    /// A call with an input as somebody wrote it.
    #[must_use]
    fn call_with(input: Value) -> ToolCall {
        ToolCall {
            tool: Self::NAME.to_owned(),
            input,
            idempotency_token: None,
            wait: None,
        }
    }

    /// Catalog entry of a tool of staff that only reads; the entry itself says what differs.
    fn read_entry(example: Value) -> Tool {
        Tool {
            name: Self::NAME,
            title: "",
            description: "",
            personas: &[Persona::Staff],
            roles: &[],
            input: Self::fields(),
            check: Self::check,
            rules: Vec::new(),
            example,
            output: Self::Output::schema(),
            errors: &[],
            reversibility: Reversibility::Read,
            approvals: Vec::new(),
            finality: "said-fact-no-undo",
            guest_form: None,
            result: TypeId::of::<Self::Output>(),
            moves_money: false,
            writes: false,
        }
    }

    /// Catalog entry of a tool of staff that writes.
    fn write_entry(reversibility: Reversibility, example: Value) -> Tool {
        Tool {
            reversibility,
            writes: true,
            ..Self::read_entry(example)
        }
    }

    /// Whether the input can be read.
    ///
    /// # Errors
    /// As [`Self::read`].
    fn check(input: &Value) -> Result<(), ToolError> {
        Self::read(input).map(drop)
    }
}

/// Declares a tool's input: each field's name, type and schema. A field may have one schema for each
/// persona, and a name that is a word of the language.
macro_rules! tool_input {
    ($(#[$about:meta])* $input:ident = $tool:expr => $output:ty {
        $($field:ident $(as $name:literal)?: $kind:ty = $($schema:expr),+;)+
    }) => {
        /// Input of the tool.
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        pub struct $input {
            $(
                $(#[serde(rename = $name)])?
                pub $field: $kind,
            )+
        }

        impl $input {
            /// Name of the tool.
            pub const NAME: &'static str = $tool;

            /// A call with an input as somebody wrote it.
            #[must_use]
            pub fn call_with(input: serde_json::Value) -> $crate::tool::ToolCall {
                <Self as $crate::tool_input::ToolInput>::call_with(input)
            }

            /// A call that is only previewed: the token, which writes require, stands for nothing.
            #[must_use]
            pub fn preview(input: serde_json::Value) -> $crate::tool::ToolCall {
                let idempotency_token = Some("preview".to_owned());
                $crate::tool::ToolCall { idempotency_token, ..Self::call_with(input) }
            }
        }

        impl $crate::tool_input::ToolInput for $input {
            const NAME: &'static str = $tool;

            type Output = $output;

            fn fields() -> Vec<$crate::tool::Field> {
                let mut fields = Vec::new();
                $(
                    let name = [$($name,)? stringify!($field)][0];
                    $(fields.push($crate::tool::Field { name, ..$schema });)+
                )+
                fields
            }

            fn defaults() -> &'static serde_json::Map<String, serde_json::Value> {
                static DEFAULTS: std::sync::LazyLock<serde_json::Map<String, serde_json::Value>> =
                    std::sync::LazyLock::new(|| $crate::tool_input::defaults(&$input::fields()));
                &DEFAULTS
            }
        }
    };
}
pub(crate) use tool_input;

/// Defaults in the fields' schemas.
pub(crate) fn defaults(fields: &[Field]) -> Map<String, Value> {
    let default =
        |field: &Field| Some((field.name.to_owned(), field.schema.get("default")?.clone()));
    fields.iter().filter_map(default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        money::Cents,
        tool_catalog::{self, ManageBookings, PostCharge, SetRoomStatus, SubmitMaintenanceRequest},
        vocabulary::{BookingAction, CasePriority, CaseType},
    };

    #[test]
    fn every_tool_parses_its_example_and_its_minimal_input() {
        for tool in tool_catalog::all() {
            (tool.check)(&tool.example).unwrap();
            for persona in tool.personas {
                let schema = tool.input_schema(*persona);
                let required = schema["required"].as_array().unwrap();
                let mut shortest = tool.example.clone();
                shortest.as_object_mut().unwrap().retain(|name, _| {
                    // The dispatcher adds a guest's own email.
                    let own = name == "guest_email" && *persona == Persona::Guest;
                    own || required.contains(&json!(name))
                });
                (tool.check)(&shortest).unwrap_or_else(|error| panic!("{}: {error}", tool.name));
            }
        }
    }

    #[test]
    fn a_typed_call_has_the_input_that_it_is_read_from() {
        let input = json!({ "room_number": "302", "status": "Vacant" });
        let call = SetRoomStatus::read(&input).unwrap().call();
        assert_eq!((call.tool.as_str(), call.input), ("set_room_status", input));
    }

    #[test]
    fn omitted_fields_have_the_schema_default() {
        let read = SubmitMaintenanceRequest::read(&json!({ "description": "Leak" })).unwrap();
        assert_eq!(
            (read.kind, read.priority, read.take_out_of_service),
            (CaseType::Maintenance, CasePriority::Medium, false)
        );
        let read = ManageBookings::read(&json!({ "booking_number": "BK-0042" })).unwrap();
        assert_eq!(
            (read.action, read.number_of_guests),
            (BookingAction::Update, None)
        );
    }

    #[test]
    fn whole_numbers_are_read_in_any_notation_and_other_types_are_refused() {
        let input = serde_json::from_str(r#"{"amount":5e3,"_by":{"key":"staff:x"}}"#).unwrap();
        assert_eq!(PostCharge::read(&input).unwrap().amount, Some(Cents(5000)));
        let error = PostCharge::read(&json!({ "amount": "5000" })).unwrap_err();
        assert_eq!(error.code, crate::error_code::ErrorCode::ValidationFailed);
    }
}
