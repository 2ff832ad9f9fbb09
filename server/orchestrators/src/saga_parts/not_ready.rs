//! How the reading of a saga's prerequisites ends: with facts, with an answer, or with a reason.

use dewy_domain::{tool_answer::ToolError, vocabulary::FaultCode};
use dewy_saga::{Fault, PrerequisitesResult, StoreError};
use serde::Serialize;

use crate::saga_parts::{
    engine_conversions,
    tool_answer::{prerequisites_unavailable, refused, succeeded},
};

/// Why a saga cannot start.
#[derive(Debug)]
pub(crate) struct NotReady(pub PrerequisitesResult);

impl From<ToolError> for NotReady {
    fn from(error: ToolError) -> Self {
        Self(refused(error))
    }
}

impl From<Fault> for NotReady {
    fn from(error: Fault) -> Self {
        Self(prerequisites_unavailable(error))
    }
}

impl From<StoreError> for NotReady {
    fn from(error: StoreError) -> Self {
        Self(PrerequisitesResult::TryLater {
            fault: Fault::new(FaultCode::StoreFailed, error.to_string()),
        })
    }
}

/// The saga can start with these facts, and claims these resources.
pub(crate) fn ready(
    facts: &impl Serialize,
    claims: Vec<String>,
    labels: Vec<(String, String)>,
) -> Result<PrerequisitesResult, NotReady> {
    Ok(PrerequisitesResult::Ready {
        facts: engine_conversions::value(facts),
        claims,
        labels,
    })
}

/// Nothing is to be done: this is the result.
pub(crate) fn finished(
    result: impl Serialize,
    labels: Vec<(String, String)>,
) -> Result<PrerequisitesResult, NotReady> {
    Ok(PrerequisitesResult::Finished {
        answer: succeeded(result),
        labels,
    })
}

/// A label to find an execution by.
pub(crate) fn label(name: &str, value: impl ToString) -> (String, String) {
    (name.to_owned(), value.to_string())
}
