//! Executions that the hotel's own jobs start.

use dewy_saga::{StartRequest, StartResult, StoreError};
use serde_json::Value;

use super::hotel_service::Hotel;

/// Why an execution was not started.
#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    /// No free worker.
    #[error("all workers are busy")]
    Busy,
    /// Our own store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Request of a job; its token also is its digest.
pub(crate) fn by_clock(
    saga: &'static str,
    caller: &str,
    token: String,
    input: Value,
) -> StartRequest {
    StartRequest {
        saga,
        caller: caller.to_owned(),
        interface: "clock".to_owned(),
        input_digest: token.clone(),
        token: Some(token),
        input,
        labels: Vec::new(),
    }
}

impl Hotel {
    /// Starts an execution once per token; true when this call started it.
    pub(crate) async fn start_once(&self, order: StartRequest) -> Result<bool, NotStarted> {
        match self.engine.start(order).await {
            StartResult::Started(_) => Ok(true),
            StartResult::Known(_) | StartResult::Mismatch(_) => Ok(false),
            StartResult::Overloaded => Err(NotStarted::Busy),
            StartResult::Failed(error) => Err(NotStarted::Store(error)),
        }
    }
}
