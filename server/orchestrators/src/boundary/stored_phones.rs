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
/// `VALIDATION_FAILED`, if a text is no phone number, or one that can't be right.
pub(crate) fn with_stored_phones(crm: &dyn Crm, mut input: Value) -> Result<Value, ToolError> {
    let mut problems = Vec::new();
    for field in PHONE_FIELDS {
        let Some(written) = input[field].as_str() else {
            continue;
        };
        let message = match crm.phone_number(written) {
            Some(number) if number.exists => {
                input[field] = json!(number.stored);
                continue;
            }
            Some(number) => format!(
                "{field} was read as {}, and its country has no such number. Check its digits and the country code, or leave it out.",
                number.stored
            ),
            None => format!(
                "{field} is not a phone number. Send all its digits, best with the country code: +1 212 555 0101."
            ),
        };
        problems.push(Problem::new(field, message));
    }
    if problems.is_empty() {
        Ok(input)
    } else {
        Err(ToolError::problems(&problems))
    }
}
