//! Wraps the dispatcher for every interface: a panic becomes an error, a hang times out, a
//! disconnected caller cancels no write, and every call is counted.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    answer::{Settled, ToolAnswer, ToolError},
    caller::Caller,
    catalog,
    error_code::ErrorCode,
    ports::Dispatcher,
    tool::ToolCall,
};
use futures::FutureExt;

use crate::request_log;

/// Longer than the bounded wait inside, so that it only ends calls that hang.
const SLACK: Duration = Duration::from_secs(15);

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
        let limit = call.wait.unwrap_or(self.request_wait) + SLACK;
        let tool = call.tool.clone();
        // A write that has started continues: only its token distinguishes a repeated request.
        let repeatable = !writes || call.idempotency_token.is_some();
        let inner = Arc::clone(&self.inner);
        let work =
            AssertUnwindSafe(async move { inner.dispatch(&caller, call).await }).catch_unwind();
        // A write runs in its own task: if this future is dropped because the caller disconnected,
        // the write continues.
        let result = if writes {
            tokio::time::timeout(limit, tokio::spawn(work))
                .await
                .map(|joined| joined.unwrap_or_else(|e| Err(Box::new(e))))
        } else {
            tokio::time::timeout(limit, work).await
        };
        match result {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => {
                tracing::error!(tool, "a tool panicked; the caller was told to retry");
                ToolAnswer::from(ToolError::new(ErrorCode::Internal)).repeatable(repeatable)
            }
            Err(_) => {
                tracing::error!(tool, "a tool timed out");
                let code = if writes {
                    ErrorCode::Internal
                } else {
                    ErrorCode::UpstreamUnavailable
                };
                ToolAnswer::from(ToolError::new(code)).repeatable(repeatable)
            }
        }
    }
}

#[async_trait]
impl Dispatcher for CallBoundary {
    async fn dispatch(&self, caller: &Caller, call: ToolCall) -> ToolAnswer {
        let known = catalog::find(caller, &call.tool);
        let writes = known.as_ref().is_some_and(|tool| tool.writes);
        // Only names from the catalog become labels: callers must not fill memory with made-up
        // names.
        let label = known.map_or("unknown", |tool| tool.name);
        let answer = self.run(caller.clone(), call, writes).await;
        count(caller, label, &answer);
        answer
    }

    async fn refused(&self, caller: &Caller, tool: &str, error: ToolError) -> ToolAnswer {
        let label = catalog::find(caller, tool).map_or("unknown", |tool| tool.name);
        let answer = self.inner.refused(caller, tool, error).await;
        count(caller, label, &answer);
        answer
    }
}

/// Counts the call in the log and in the metrics.
fn count(caller: &Caller, label: &'static str, answer: &ToolAnswer) {
    let outcome = match answer {
        ToolAnswer::Pending { .. }
        | ToolAnswer::Settled {
            settled: Settled::ActionNeeded { .. },
            ..
        } => "pending",
        settled => settled.error().map_or("done", ErrorCode::code),
    };
    let execution = match answer {
        ToolAnswer::Settled { execution_id, .. } => execution_id.as_deref(),
        ToolAnswer::Pending { execution_id, .. } => Some(execution_id.as_str()),
    };
    if let Some(execution) = execution {
        request_log::note(execution);
    }
    let interface = caller.interface.name();
    tracing::info!(tool = label, interface, outcome, execution, "call");
    metrics::counter!("dewy_calls_total", "tool" => label, "outcome" => outcome, "interface" => interface).increment(1);
}
