//! What a tool answers: done, not yet, or not; one shape for every interface.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{caller::Persona, error_code::ErrorCode};

/// One fault of the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The field, as a caller wrote it: `amount`; empty for the whole input.
    pub field: String,
    /// What is wrong and the way out.
    pub message: String,
}

/// Why a tool did not do it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}: {details}", code.code())]
pub struct ToolError {
    /// The row of the table.
    pub code: ErrorCode,
    /// Facts beside it: problems, the other execution, the decline code.
    pub details: Value,
}

impl ToolError {
    /// Without details.
    #[must_use]
    pub const fn new(code: ErrorCode) -> Self {
        Self {
            code,
            details: Value::Null,
        }
    }

    /// With details (an object).
    #[must_use]
    pub const fn with(code: ErrorCode, details: Value) -> Self {
        Self { code, details }
    }

    /// The input's faults, all of them.
    #[must_use]
    pub fn problems(problems: &[Problem]) -> Self {
        Self::with(ErrorCode::ValidationFailed, json!({ "problems": problems }))
    }
}

/// The part that stays the same however often the answer is asked for; this is what the journal
/// keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "arm", rename_all = "snake_case")]
pub enum Settled {
    /// It was done.
    Done {
        /// The tool's own result.
        data: Value,
        /// True when something was made anew (201).
        #[serde(default)]
        created: bool,
    },
    /// It was not, or was undone.
    Failed {
        /// Why.
        code: ErrorCode,
        /// Facts.
        #[serde(default)]
        details: Value,
    },
    /// Nothing was done: a person has to do something at this page first, such as choosing a card.
    ActionNeeded {
        /// The page.
        next_action_url: String,
        /// In words.
        note: String,
    },
}

/// A tool's answer.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolAnswer {
    /// It is settled.
    Settled {
        /// How.
        settled: Settled,
        /// Which execution did it; reads have none.
        execution_id: Option<String>,
        /// True when it was settled by an earlier call with the same token.
        replayed: bool,
        /// Whether the very same request would be worked on anew. False where the caller's token
        /// stands for this answer from now on, and where a request without a token may have been
        /// accepted.
        repeatable: bool,
    },
    /// It goes on without the caller; nothing is lost.
    Pending {
        /// Which execution.
        execution_id: String,
        /// Where a person has to act, if one has to.
        next_action_url: Option<String>,
        /// When to ask again.
        poll_after_ms: u64,
        /// In words: `refunded, finishing`.
        note: String,
        /// True when an earlier call with the same token began it.
        replayed: bool,
    },
}

impl ToolAnswer {
    /// A read's result.
    #[must_use]
    pub const fn data(data: Value) -> Self {
        Self::Settled {
            settled: Settled::Done {
                data,
                created: false,
            },
            execution_id: None,
            replayed: false,
            repeatable: true,
        }
    }

    /// The same answer to a request that may be worked on anew, or may not.
    #[must_use]
    pub fn repeatable(mut self, yes: bool) -> Self {
        if let Self::Settled { repeatable, .. } = &mut self {
            *repeatable = yes;
        }
        self
    }

    /// Whether the very same request may be sent again and will then be worked on.
    #[must_use]
    pub fn retry_safe(&self) -> bool {
        matches!(self, Self::Settled { settled: Settled::Failed { code, .. }, repeatable: true, .. } if code.retry_safe())
    }

    /// What to do now, where it failed.
    #[must_use]
    pub const fn next(&self) -> &'static str {
        match self {
            Self::Settled {
                settled: Settled::Failed { code, .. },
                repeatable: false,
                ..
            } if code.retry_safe() => {
                "Look up what became of it with get_execution or search_executions; send it again with a new idempotency_token."
            }
            Self::Settled {
                settled: Settled::Failed { code, .. },
                ..
            } => code.next(),
            _ => "",
        }
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::Settled {
                settled: Settled::Done { created: true, .. },
                ..
            } => 201,
            Self::Settled {
                settled: Settled::Done { .. },
                ..
            } => 200,
            Self::Settled {
                settled: Settled::Failed { code, .. },
                ..
            } => code.status(),
            Self::Settled {
                settled: Settled::ActionNeeded { .. },
                ..
            }
            | Self::Pending { .. } => 202,
        }
    }

    /// The error, if it is one.
    #[must_use]
    pub const fn error(&self) -> Option<ErrorCode> {
        match self {
            Self::Settled {
                settled: Settled::Failed { code, .. },
                ..
            } => Some(*code),
            _ => None,
        }
    }

    /// The body every interface sends, in words for this persona.
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
                    Settled::Done { data, .. } => {
                        json!({ "success": true, "data": without_nulls(data) })
                    }
                    Settled::Failed { code, details } => json!({
                        "success": false,
                        "error_code": code.code(),
                        "error_message": words(*code, persona),
                        "next": self.next(),
                        "retry_safe": self.retry_safe(),
                        "details": if details.is_null() { json!({}) } else { details.clone() },
                    }),
                    Settled::ActionNeeded {
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

/// What is not there is left out: clients check results against schemas in which every field has
/// one type.
fn without_nulls(value: &Value) -> Value {
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

/// The code's words for this persona.
#[must_use]
pub const fn words(code: ErrorCode, persona: Persona) -> &'static str {
    match persona {
        Persona::Guest => code.for_guest(),
        Persona::Staff => code.for_staff(),
    }
}

impl From<ToolError> for ToolAnswer {
    fn from(error: ToolError) -> Self {
        Self::Settled {
            settled: Settled::Failed {
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
    fn a_failure_that_a_token_stands_for_is_not_retry_safe() {
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
