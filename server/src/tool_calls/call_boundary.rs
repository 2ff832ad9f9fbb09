//! The one boundary that every call from forms, chat, MCP, and REST passes: a panic becomes an
//! answer, a hang times out, a disconnected caller cancels no write, and every call is counted.
//!
//! A saga catches the panics of its own steps (`server/saga/src/engine.rs`): its execution then
//! waits for a person, and is answered like any other.

use std::{
    panic::{AssertUnwindSafe, resume_unwind},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use dewy_domain::{
    caller::Caller,
    error_code::ErrorCode,
    ports::Dispatcher,
    stay_overview::{STAY_OVERVIEW, StayOverview},
    tool::{Tool, ToolCall},
    tool_answer::{ToolAnswer, ToolError},
    tool_catalog,
};
use futures::FutureExt;

use crate::tool_calls::traced_ports;

/// Longer than the bounded wait inside, so that it only ends calls that hang.
const EXTRA_TIME: Duration = Duration::from_secs(15);

/// A call inside the boundary: how it is counted, and reported if it never answers.
#[derive(Clone, Copy, Debug)]
pub struct ContainedCall {
    /// Name from the catalog: callers must not fill memory with made-up labels.
    label: &'static str,
    writes: bool,
    has_token: bool,
    wait: Option<Duration>,
}

impl ContainedCall {
    /// The stay overview, which only reads.
    const STAY_OVERVIEW: Self = Self {
        label: STAY_OVERVIEW,
        writes: false,
        has_token: false,
        wait: None,
    };

    /// The call of a tool; `None` if the caller has no such tool.
    #[must_use]
    pub fn of(tool: Option<&Tool>, call: &ToolCall) -> Self {
        Self {
            label: label(tool),
            writes: tool.is_some_and(|tool| tool.writes),
            has_token: call.idempotency_token.is_some(),
            wait: call.wait,
        }
    }

    /// The outcome is unknown, and the answer must never say that nothing happened: a write may
    /// have started its execution. The same token finds that execution again; without a token,
    /// the caller is told to look it up.
    fn unanswered(self, code: ErrorCode) -> ToolAnswer {
        ToolAnswer::from(ToolError::new(code)).repeatable(!self.writes || self.has_token)
    }
}

/// Dispatcher with the call boundary.
#[derive(Clone, Debug)]
pub struct CallBoundary {
    inner: Arc<dyn Dispatcher>,
    request_wait: Duration,
}

impl CallBoundary {
    /// Wraps `inner`, whose calls wait `request_wait` unless they say otherwise.
    #[must_use]
    pub const fn new(inner: Arc<dyn Dispatcher>, request_wait: Duration) -> Self {
        Self {
            inner,
            request_wait,
        }
    }

    /// Runs the work of a call: its dispatch, and what an interface does around it.
    ///
    /// # Errors
    /// The call's answer, if the work panicked or hung.
    pub async fn contain<T>(
        &self,
        caller: &Caller,
        call: ContainedCall,
        work: impl Future<Output = T>,
    ) -> Result<T, ToolAnswer> {
        let limit = call.wait.unwrap_or(self.request_wait) + EXTRA_TIME;
        let tool = call.label;
        let code = match tokio::time::timeout(limit, AssertUnwindSafe(work).catch_unwind()).await {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(_)) => {
                tracing::error!(tool, "a tool call panicked; its outcome is unknown");
                ErrorCode::Internal
            }
            Err(_) => {
                tracing::error!(tool, "a tool call timed out");
                if call.writes {
                    ErrorCode::Internal
                } else {
                    ErrorCode::UpstreamUnavailable
                }
            }
        };
        let answer = call.unanswered(code);
        count_answer(caller, tool, &answer);
        Err(answer)
    }

    /// Dispatches a call; must run inside [`Self::contain`].
    pub async fn dispatch_contained(
        &self,
        caller: &Caller,
        contained: ContainedCall,
        call: ToolCall,
    ) -> ToolAnswer {
        let (inner, by) = (Arc::clone(&self.inner), caller.clone());
        let work = async move { inner.dispatch(&by, call).await };
        let answer = if contained.writes {
            in_own_task(work).await
        } else {
            work.await
        };
        count_answer(caller, contained.label, &answer);
        answer
    }
}

/// Runs a write in its own task: if this future is dropped because the caller disconnected, the
/// write continues. Its panic is passed on.
async fn in_own_task(work: impl Future<Output = ToolAnswer> + Send + 'static) -> ToolAnswer {
    match tokio::spawn(work).await {
        Ok(answer) => answer,
        Err(error) => resume_unwind(
            error
                .try_into_panic()
                .unwrap_or_else(|error| Box::new(error)),
        ),
    }
}

#[async_trait]
impl Dispatcher for CallBoundary {
    async fn dispatch(&self, caller: &Caller, call: ToolCall) -> ToolAnswer {
        let contained = ContainedCall::of(tool_catalog::find(caller, &call.tool), &call);
        let work = self.dispatch_contained(caller, contained, call);
        let done = self.contain(caller, contained, work).await;
        done.unwrap_or_else(|answer| answer)
    }

    async fn stay_overview(&self, caller: &Caller) -> Result<StayOverview, ToolError> {
        let read = self.inner.stay_overview(caller);
        let read = self
            .contain(caller, ContainedCall::STAY_OVERVIEW, read)
            .await;
        let overview =
            read.map_err(|answer| ToolError::new(answer.error().unwrap_or(ErrorCode::Internal)))?;
        let outcome = overview
            .as_ref()
            .map_or_else(|error| error.code.code(), |_| "done");
        count(caller, STAY_OVERVIEW, outcome, None);
        overview
    }

    async fn refused(&self, caller: &Caller, tool: &str, error: ToolError) -> ToolAnswer {
        let known = tool_catalog::find(caller, tool);
        let answer = self.inner.refused(caller, tool, error).await;
        count_answer(caller, label(known), &answer);
        answer
    }
}

/// The tool's name in the log and in the metrics.
fn label(tool: Option<&Tool>) -> &'static str {
    tool.map_or("unknown", |tool| tool.name)
}

fn count_answer(caller: &Caller, label: &'static str, answer: &ToolAnswer) {
    let outcome = match answer.error() {
        None if answer.is_pending() => "pending",
        error => error.map_or("done", ErrorCode::code),
    };
    let execution = answer.execution_id();
    if let Some(execution) = execution {
        traced_ports::record_execution(execution);
    }
    count(caller, label, outcome, execution);
}

/// Counts the call in the log and in the metrics.
fn count(caller: &Caller, label: &'static str, outcome: &'static str, execution: Option<&str>) {
    let interface = caller.interface.name();
    tracing::info!(tool = label, interface, outcome, execution, "call");
    metrics::counter!("dewy_calls_total", "tool" => label, "outcome" => outcome, "interface" => interface).increment(1);
}
