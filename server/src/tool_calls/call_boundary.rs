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
    tool::ToolCall,
    tool_answer::{ToolAnswer, ToolError},
    tool_catalog,
};
use futures::FutureExt;

use crate::tool_calls::traced_ports;

/// Longer than the bounded wait inside, so that it only ends calls that hang.
const EXTRA_TIME: Duration = Duration::from_secs(15);

/// What decides how a call that never answered is reported.
#[derive(Clone, Copy, Debug)]
pub struct Unanswered {
    writes: bool,
    has_token: bool,
}

impl Unanswered {
    /// Report for a read.
    const READ: Self = Self {
        writes: false,
        has_token: false,
    };

    /// Creates the report for this call; `writes` is whether its tool writes.
    #[must_use]
    pub const fn of(call: &ToolCall, writes: bool) -> Self {
        Self {
            writes,
            has_token: call.idempotency_token.is_some(),
        }
    }

    /// Runs the work of a call to its end.
    ///
    /// # Errors
    /// The call's answer, if it panicked or took longer than `limit`.
    pub async fn run_contained<T>(
        self,
        tool: &str,
        limit: Duration,
        work: impl Future<Output = T>,
    ) -> Result<T, ToolAnswer> {
        match tokio::time::timeout(limit, AssertUnwindSafe(work).catch_unwind()).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(_)) => {
                tracing::error!(tool, "a tool call panicked; its outcome is unknown");
                Err(self.answer(ErrorCode::Internal))
            }
            Err(_) => {
                tracing::error!(tool, "a tool call timed out");
                Err(self.answer(if self.writes {
                    ErrorCode::Internal
                } else {
                    ErrorCode::UpstreamUnavailable
                }))
            }
        }
    }

    /// The outcome is unknown, and the answer must never say that nothing happened: a write may
    /// have started its execution. The same token finds that execution again; without a token,
    /// the caller is told to look it up.
    fn answer(self, code: ErrorCode) -> ToolAnswer {
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

    async fn run(&self, caller: Caller, call: ToolCall, writes: bool) -> ToolAnswer {
        let limit = call.wait.unwrap_or(self.request_wait) + EXTRA_TIME;
        let tool = call.tool.clone();
        let unanswered = Unanswered::of(&call, writes);
        let inner = Arc::clone(&self.inner);
        let work = async move { inner.dispatch(&caller, call).await };
        let done = if writes {
            unanswered
                .run_contained(&tool, limit, in_own_task(work))
                .await
        } else {
            unanswered.run_contained(&tool, limit, work).await
        };
        done.unwrap_or_else(|answer| answer)
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
        let known = tool_catalog::find(caller, &call.tool);
        let writes = known.as_ref().is_some_and(|tool| tool.writes);
        // Only names from the catalog become labels: callers must not fill memory with made-up
        // names.
        let label = known.map_or("unknown", |tool| tool.name);
        let answer = self.run(caller.clone(), call, writes).await;
        count_answer(caller, label, &answer);
        answer
    }

    async fn stay_overview(&self, caller: &Caller) -> Result<StayOverview, ToolError> {
        let limit = self.request_wait + EXTRA_TIME;
        let read = self.inner.stay_overview(caller);
        let overview = Unanswered::READ
            .run_contained(STAY_OVERVIEW, limit, read)
            .await;
        let overview = overview.unwrap_or_else(|answer| {
            Err(ToolError::new(
                answer.error().unwrap_or(ErrorCode::Internal),
            ))
        });
        let outcome = overview
            .as_ref()
            .map_or_else(|error| error.code.code(), |_| "done");
        count(caller, STAY_OVERVIEW, outcome, None);
        overview
    }

    async fn refused(&self, caller: &Caller, tool: &str, error: ToolError) -> ToolAnswer {
        let label = tool_catalog::find(caller, tool).map_or("unknown", |tool| tool.name);
        let answer = self.inner.refused(caller, tool, error).await;
        count_answer(caller, label, &answer);
        answer
    }
}

/// Counts the answered call.
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
