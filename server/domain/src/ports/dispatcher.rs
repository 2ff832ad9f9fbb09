//! The single entry point for tool calls.

use async_trait::async_trait;

use crate::{
    caller::Caller,
    stay_overview::StayOverview,
    tool::ToolCall,
    tool_answer::{ToolAnswer, ToolError},
};

/// The single entry point for tool calls: checks the caller, validates, then executes or reads.
#[async_trait]
pub trait Dispatcher: Send + Sync + std::fmt::Debug {
    /// Returns when the call has ended or its bounded wait is over; never panics, never hangs.
    async fn dispatch(&self, caller: &Caller, call: ToolCall) -> ToolAnswer;

    /// A guest's own stays, open requests, and balances, in one exchange with the CRM. Checked,
    /// counted, and audited as one call.
    ///
    /// # Errors
    /// As a tool that reads the guest's stays.
    async fn stay_overview(&self, caller: &Caller) -> Result<StayOverview, ToolError>;

    /// Reports a call that an interface refused because it could not build it, for counters and the
    /// audit log.
    async fn refused(&self, _caller: &Caller, _tool: &str, error: ToolError) -> ToolAnswer {
        error.into()
    }
}
