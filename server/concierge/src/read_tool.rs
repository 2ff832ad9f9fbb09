//! Reads of the hotel with the caller's own permissions.

use dewy_domain::{
    caller::Caller,
    error_code::ErrorCode,
    tool::ToolCall,
    tool_answer::{FinalAnswer, ToolAnswer, ToolError},
};
use serde::{Serialize, de::DeserializeOwned};

use crate::concierge_service::Inner;

impl Inner {
    /// Result of a tool that reads.
    ///
    /// # Errors
    /// The tool's error, for the model and the person.
    pub async fn read<T: DeserializeOwned>(
        &self,
        caller: &Caller,
        tool: &str,
        input: impl Serialize + Send,
    ) -> Result<T, ToolAnswer> {
        let call = ToolCall {
            tool: tool.to_owned(),
            input: serde_json::to_value(input).unwrap_or_default(),
            idempotency_token: None,
            wait: None,
        };
        match self.parts.dispatcher.dispatch(caller, call).await {
            ToolAnswer::Settled {
                settled: FinalAnswer::Done { data, .. },
                ..
            } => serde_json::from_value(data).map_err(|error| {
                tracing::error!(tool, %error, "a result could not be read");
                ToolError::new(ErrorCode::UpstreamUnavailable).into()
            }),
            failed => Err(failed),
        }
    }
}
