//! Failure of an action of the concierge.

use dewy_domain::{
    error_code::ErrorCode,
    tool_answer::{ToolAnswer, ToolError},
};
use dewy_store::StoreError;

/// What the person is told; the cause of `INTERNAL` was logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure(pub ErrorCode);

impl Failure {
    fn internal(error: &dyn std::fmt::Display) -> Self {
        tracing::error!(%error, "a conversation could not be read or written");
        Self(ErrorCode::Internal)
    }
}

impl From<ErrorCode> for Failure {
    fn from(code: ErrorCode) -> Self {
        Self(code)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::internal(&error)
    }
}

impl From<tokio::task::JoinError> for Failure {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::internal(&error)
    }
}

impl From<Failure> for ErrorCode {
    fn from(Failure(code): Failure) -> Self {
        code
    }
}

impl From<Failure> for ToolAnswer {
    fn from(Failure(code): Failure) -> Self {
        ToolError::new(code).into()
    }
}
