//! Notes in the log which execution a page was about.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    caller::Caller,
    ports::Watch,
    view::{ExecutionView, MoneyCheck, SweepView},
};

/// A watch whose readings are named in the span of their request.
#[derive(Clone, Debug)]
pub struct Seen(pub Arc<dyn Watch>);

/// Fills the request's field; nothing happens outside a request.
pub fn note(execution: &str) {
    tracing::Span::current().record("execution", execution);
}

#[async_trait]
impl Watch for Seen {
    async fn execution(&self, caller: &Caller, id: &str) -> Option<ExecutionView> {
        let view = self.0.execution(caller, id).await?;
        note(&view.execution_id);
        Some(view)
    }

    async fn changed(&self, caller: &Caller, id: &str, after: i64, at_most: Duration) -> Option<ExecutionView> {
        self.0.changed(caller, id, after, at_most).await
    }

    async fn lists_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64 {
        self.0.lists_changed(caller, after, at_most).await
    }

    async fn money(&self, caller: &Caller, id: &str) -> Option<MoneyCheck> {
        self.0.money(caller, id).await
    }

    async fn sweep(&self, caller: &Caller) -> Option<SweepView> {
        self.0.sweep(caller).await
    }
}
