//! A tool's answer: done, pending or failed, in one shape for every interface.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{caller::Persona, error_code::ErrorCode, payment_card_number::without_card_numbers};

/// One validation error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Field name as the caller wrote it, such as `amount`; empty for the whole input.
    pub field: String,
    /// What is wrong and how to fix it.
    pub message: String,
}

/// Maximum number of problems in an answer.
pub const MAX_PROBLEMS: usize = 20;
/// Maximum number of characters of a field name in a problem.
const MAX_FIELD: usize = 60;
/// Maximum number of characters of a problem's message: room for a tool's whole list of fields.
const MAX_MESSAGE: usize = 800;

impl Problem {
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
        }
    }

    /// The problem without the bulk of what the caller sent, and without its card numbers.
    fn cut(&self) -> Self {
        Self {
            field: cut(&without_card_numbers(&self.field), MAX_FIELD),
            message: cut(&without_card_numbers(&self.message), MAX_MESSAGE),
        }
    }
}

/// At most this many characters of a text.
fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Why a tool call failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}: {details}", code.code())]
pub struct ToolError {
    pub code: ErrorCode,
    /// Supporting facts: problems, the conflicting execution, the decline code.
    pub details: Value,
}

impl ToolError {
    /// Creates an error without details.
    #[must_use]
    pub const fn new(code: ErrorCode) -> Self {
        Self {
            code,
            details: Value::Null,
        }
    }

    /// Creates an error with details (a JSON object).
    #[must_use]
    pub const fn with(code: ErrorCode, details: Value) -> Self {
        Self { code, details }
    }

    /// Creates a `VALIDATION_FAILED` error about one field, or with an empty name about the whole.
    #[must_use]
    pub fn problem(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::problems(&[Problem::new(field, message)])
    }

    /// Creates a `VALIDATION_FAILED` error that lists the problems: the first of them, cut, so that
    /// an answer is never much larger than its question.
    #[must_use]
    pub fn problems(problems: &[Problem]) -> Self {
        let listed: Vec<_> = problems
            .iter()
            .take(MAX_PROBLEMS)
            .map(Problem::cut)
            .collect();
        let mut details = json!({ "problems": listed });
        if problems.len() > MAX_PROBLEMS {
            details["more_problems"] = json!(true);
        }
        Self::with(ErrorCode::ValidationFailed, details)
    }
}

/// The part of an answer that never changes, however often it is requested. The journal stores it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "arm", rename_all = "snake_case")]
pub enum FinalAnswer {
    /// The tool succeeded.
    Done {
        /// The tool's own result.
        data: Value,
        /// True when a record was created (201).
        #[serde(default)]
        created: bool,
    },
    /// The tool failed or was compensated.
    Failed {
        code: ErrorCode,
        /// Supporting facts.
        #[serde(default)]
        details: Value,
    },
    /// Nothing was done yet: a person must act at this page first, such as choosing a card.
    ActionNeeded {
        next_action_url: String,
        /// Explanation for the person.
        note: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum ToolAnswer {
    /// The call has ended.
    Settled {
        settled: FinalAnswer,
        /// Execution that did the work; reads have none.
        execution_id: Option<String>,
        /// True when an earlier call with the same token produced this answer.
        replayed: bool,
        /// Whether the identical request would be processed again. False where the caller's token
        /// now stands for this answer, and where a request without a token may have been accepted.
        repeatable: bool,
    },
    /// The work continues without the caller; nothing is lost.
    Pending {
        execution_id: String,
        /// Where a person has to act, if anywhere.
        next_action_url: Option<String>,
        /// How long to wait before polling again, in milliseconds.
        poll_after_ms: u64,
        /// Short status text: `refunded, finishing`.
        note: String,
        /// True when an earlier call with the same token started it.
        replayed: bool,
    },
}

impl ToolAnswer {
    /// Creates the answer of a read.
    #[must_use]
    pub fn data(result: impl Serialize) -> Self {
        Self::Settled {
            settled: FinalAnswer::Done {
                // Results always serialize
                data: serde_json::to_value(result).unwrap_or_default(),
                created: false,
            },
            execution_id: None,
            replayed: false,
            repeatable: true,
        }
    }

    /// The tool's own result, if it succeeded and the result has this shape.
    #[must_use]
    pub fn result<T: DeserializeOwned>(&self) -> Option<T> {
        match self.settled()? {
            FinalAnswer::Done { data, .. } => T::deserialize(data).ok(),
            _ => None,
        }
    }

    /// What never changes of it, once the call has ended.
    #[must_use]
    pub const fn settled(&self) -> Option<&FinalAnswer> {
        match self {
            Self::Settled { settled, .. } => Some(settled),
            Self::Pending { .. } => None,
        }
    }

    /// Whether there is more to come: an execution that runs, or a person who must act first.
    #[must_use]
    pub const fn is_pending(&self) -> bool {
        matches!(
            self.settled(),
            None | Some(FinalAnswer::ActionNeeded { .. })
        )
    }

    /// Execution that does the work; reads have none.
    #[must_use]
    pub fn execution_id(&self) -> Option<&str> {
        match self {
            Self::Settled { execution_id, .. } => execution_id.as_deref(),
            Self::Pending { execution_id, .. } => Some(execution_id),
        }
    }

    /// Sets whether the identical request may be processed again.
    #[must_use]
    pub fn repeatable(mut self, yes: bool) -> Self {
        if let Self::Settled { repeatable, .. } = &mut self {
            *repeatable = yes;
        }
        self
    }

    /// Whether the identical request may be sent again and will then be processed.
    #[must_use]
    pub fn retry_safe(&self) -> bool {
        matches!(self, Self::Settled { settled: FinalAnswer::Failed { code, .. }, repeatable: true, .. } if code.retry_safe())
    }

    /// What to do next after a failure.
    #[must_use]
    pub const fn next(&self) -> &'static str {
        match (self.error(), self) {
            (
                Some(code),
                Self::Settled {
                    repeatable: false, ..
                },
            ) if code.retry_safe() => {
                "Look up what became of it with get_execution or search_executions; send it again with a new idempotency_token."
            }
            (Some(code), _) => code.next(),
            (None, _) => "",
        }
    }

    #[must_use]
    pub const fn status(&self) -> u16 {
        match self.settled() {
            Some(FinalAnswer::Done { created: true, .. }) => 201,
            Some(FinalAnswer::Done { .. }) => 200,
            Some(FinalAnswer::Failed { code, .. }) => code.status(),
            Some(FinalAnswer::ActionNeeded { .. }) | None => 202,
        }
    }

    #[must_use]
    pub const fn error(&self) -> Option<ErrorCode> {
        match self.settled() {
            Some(FinalAnswer::Failed { code, .. }) => Some(*code),
            _ => None,
        }
    }

    /// The body every interface sends, worded for this persona.
    #[must_use]
    pub fn body(&self, persona: Persona) -> Value {
        match self {
            Self::Settled {
                settled,
                execution_id,
                replayed,
                ..
            } => {
                let mut body = match settled {
                    FinalAnswer::Done { data, .. } => {
                        json!({ "success": true, "data": without_nulls(data) })
                    }
                    FinalAnswer::Failed { code, details } => json!({
                        "success": false,
                        "error_code": code.code(),
                        "error_message": message_for(*code, persona),
                        "next": self.next(),
                        "retry_safe": self.retry_safe(),
                        "details": if details.is_null() { json!({}) } else { details.clone() },
                    }),
                    FinalAnswer::ActionNeeded {
                        next_action_url,
                        note,
                    } => json!({
                        "success": true,
                        "pending": { "next_action_url": next_action_url, "note": note },
                    }),
                };
                if let Some(id) = execution_id {
                    body["execution_id"] = json!(id);
                    body["replayed"] = json!(replayed);
                }
                body
            }
            Self::Pending {
                execution_id,
                next_action_url,
                poll_after_ms,
                note,
                replayed,
            } => {
                let mut pending = json!({ "execution_id": execution_id, "poll_after_ms": poll_after_ms, "note": note });
                if let Some(url) = next_action_url {
                    pending["next_action_url"] = json!(url);
                }
                json!({ "success": true, "pending": pending, "execution_id": execution_id, "replayed": replayed })
            }
        }
    }
}

/// Removes nulls: clients check results against schemas in which every field has one type.
#[must_use]
pub fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let there = fields.iter().filter(|(_, value)| !value.is_null());
            Value::Object(
                there
                    .map(|(name, value)| (name.clone(), without_nulls(value)))
                    .collect(),
            )
        }
        Value::Array(items) => Value::Array(items.iter().map(without_nulls).collect()),
        other => other.clone(),
    }
}

#[must_use]
pub const fn message_for(code: ErrorCode, persona: Persona) -> &'static str {
    match persona {
        Persona::Guest => code.for_guest(),
        Persona::Staff => code.for_staff(),
    }
}

impl From<ToolError> for ToolAnswer {
    fn from(error: ToolError) -> Self {
        Self::Settled {
            settled: FinalAnswer::Failed {
                code: error.code,
                details: error.details,
            },
            execution_id: None,
            replayed: false,
            repeatable: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_stored_under_a_token_is_not_retry_safe() {
        let failed = ToolAnswer::from(ToolError::new(ErrorCode::UpstreamUnavailable));
        assert_eq!(failed.body(Persona::Guest)["retry_safe"], true);
        let stored = failed.repeatable(false).body(Persona::Guest);
        assert_eq!(stored["retry_safe"], false);
        assert!(
            stored["next"]
                .as_str()
                .is_some_and(|next| next.contains("new idempotency_token"))
        );
    }
}
