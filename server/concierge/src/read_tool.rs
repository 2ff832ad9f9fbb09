//! Reads of the hotel with the caller's own permissions.

use dewy_domain::{
    caller::Caller,
    error_code::ErrorCode,
    tool_answer::{FinalAnswer, ToolAnswer, ToolError},
    tool_input::ToolInput,
};
use serde::Serialize;

use crate::concierge_service::Inner;

impl Inner {
    /// Result of a tool that reads.
    ///
    /// # Errors
    /// The tool's error, for the model and the person.
    pub async fn read<T: ToolInput>(
        &self,
        caller: &Caller,
        input: impl Serialize + Send,
    ) -> Result<T::Output, ToolAnswer> {
        let call = T::call_with(serde_json::to_value(input).unwrap_or_default());
        match self.parts.dispatcher.dispatch(caller, call).await {
            ToolAnswer::Settled {
                settled: FinalAnswer::Done { data, .. },
                ..
            } => serde_json::from_value(data).map_err(|error| {
                tracing::error!(tool = T::NAME, %error, "a result could not be read");
                ToolError::new(ErrorCode::UpstreamUnavailable).into()
            }),
            failed => Err(failed),
        }
    }
}
