//! Phone numbers in a tool's input, in the form in which contacts store them.

use dewy_domain::{
    ports::Crm,
    tool_answer::{Problem, ToolError},
    tool_catalog::PHONE_FIELDS,
};
use serde_json::{Value, json};

/// The input with its phone numbers as they are stored, however they were written.
///
/// # Errors
/// `VALIDATION_FAILED`, if a text is no phone number.
pub(crate) fn with_stored_phones(crm: &dyn Crm, mut input: Value) -> Result<Value, ToolError> {
    let mut problems = Vec::new();
    for field in PHONE_FIELDS {
        let Some(written) = input[field].as_str() else {
            continue;
        };
        match crm.phone_number(written) {
            Some(stored) => input[field] = json!(stored),
            None => problems.push(Problem::new(field, format!(
                    "{field} is not a phone number. Send all its digits, best with the country code: +1 212 555 0101."
                ))),
        }
    }
    if problems.is_empty() {
        Ok(input)
    } else {
        Err(ToolError::problems(&problems))
    }
}
