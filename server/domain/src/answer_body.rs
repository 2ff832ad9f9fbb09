//! An answer's body, read back: journals, conversations and pages keep it as JSON.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    caller::Persona, error_code::ErrorCode, error_details::ErrorDetails, sentence::Sentence,
};

/// Body written by [`crate::tool_answer::ToolAnswer::body`]. Fields that an older release did not
/// write are empty.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct AnswerBody {
    /// Whether it succeeded; nothing if there is no answer.
    pub success: Option<bool>,
    /// Result of the tool.
    pub data: Value,
    /// Set while the execution runs or waits.
    pub pending: Option<PendingBody>,
    pub error_code: String,
    pub error_message: String,
    /// Next step after the error.
    pub next: String,
    /// Supporting facts of the error.
    #[serde(deserialize_with = "details")]
    pub details: ErrorDetails,
}

/// What an answer waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PendingBody {
    /// Where a person has to act.
    pub next_action_url: Option<String>,
    /// Short status text.
    pub note: String,
}

/// Details of any shape, so that they never hide the rest of the body.
fn details<'de, D: Deserializer<'de>>(given: D) -> Result<ErrorDetails, D::Error> {
    Value::deserialize(given).map(|details| ErrorDetails::of(&details))
}

impl AnswerBody {
    /// Parses a body; empty if the value is not one.
    #[must_use]
    pub fn of(body: &Value) -> Self {
        Self::deserialize(body).unwrap_or_default()
    }

    /// The error's code, if this release knows it.
    #[must_use]
    pub fn code(&self) -> Option<ErrorCode> {
        ErrorCode::from_code(&self.error_code)
    }

    /// Message of the error, if there is one.
    #[must_use]
    pub fn failure(&self) -> Option<Sentence> {
        let code = self.code();
        let guests = code.filter(|code| self.error_message == code.for_guest());
        let told = match guests {
            Some(code) => Sentence::of_error(code, Persona::Guest),
            None => self.error_message.as_str().into(),
        };
        (!self.error_message.is_empty()).then_some(told)
    }

    /// Result of the tool, if it has this shape.
    #[must_use]
    pub fn result<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(&self.data).ok()
    }

    /// What else the result says the caller should know; empty if nothing.
    #[must_use]
    pub fn note(&self) -> String {
        #[derive(Deserialize)]
        struct Noted {
            note: String,
        }
        self.result::<Noted>()
            .map_or_else(String::new, |it| it.note)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        caller::Persona,
        tool_answer::{ToolAnswer, ToolError},
    };

    #[test]
    fn answer_bodies_round_trip() {
        let failed = ToolAnswer::from(ToolError::new(ErrorCode::RoomNotFound));
        let body = AnswerBody::of(&failed.body(Persona::Guest));
        assert_eq!(
            (body.success, body.code()),
            (Some(false), Some(ErrorCode::RoomNotFound))
        );
        let done = ToolAnswer::data(json!({ "note": "Done." })).body(Persona::Guest);
        assert_eq!(AnswerBody::of(&done).note(), "Done.");
        assert_eq!(AnswerBody::of(&Value::Null), AnswerBody::default());
    }
}
