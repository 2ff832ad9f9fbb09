//! Adds the execution id to the log of the request. Pages and tools run in their own tasks, which
//! don't know the request's span, so the span is passed to them.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    caller::Caller,
    checkout_pause::CheckoutPause,
    compensation_totals::CompensationTotals,
    error_code::ErrorCode,
    evidence::Evidence,
    execution_view::{ExecutionView, GuestActivity, MoneyCheck, RecordOwner},
    orphan_check_view::OrphanCheckView,
    ports::{Dispatcher, Email, ExecutionFeed, ReceiptEmail},
    stay_overview::StayOverview,
    tool::ToolCall,
    tool_answer::{ToolAnswer, ToolError},
};
use http::Extensions;
use tracing::{Instrument, Span};

use crate::tool_calls::request_span::RequestSpan;

/// Sets the field on the current request's span; does nothing outside a request.
pub fn record_execution(execution: &str) {
    Span::current().record("execution", execution);
}

/// Port wrapped for one request.
#[derive(Clone, Debug)]
pub struct Traced<T: ?Sized> {
    inner: Arc<T>,
    span: Span,
}

impl<T: ?Sized> Traced<T> {
    /// Wraps a port for the request with these extensions.
    #[must_use]
    pub fn of(extensions: &Extensions, inner: Arc<T>) -> Self {
        let span = extensions
            .get::<RequestSpan>()
            .map_or_else(Span::none, |span| span.0.clone());
        Self { inner, span }
    }
}

#[async_trait]
impl Dispatcher for Traced<dyn Dispatcher> {
    async fn dispatch(&self, caller: &Caller, call: ToolCall) -> ToolAnswer {
        self.inner
            .dispatch(caller, call)
            .instrument(self.span.clone())
            .await
    }

    async fn stay_overview(&self, caller: &Caller) -> Result<StayOverview, ToolError> {
        self.inner
            .stay_overview(caller)
            .instrument(self.span.clone())
            .await
    }

    async fn refused(&self, caller: &Caller, tool: &str, error: ToolError) -> ToolAnswer {
        self.inner
            .refused(caller, tool, error)
            .instrument(self.span.clone())
            .await
    }
}

#[async_trait]
impl ExecutionFeed for Traced<dyn ExecutionFeed> {
    async fn execution(&self, caller: &Caller, id: &str) -> Option<ExecutionView> {
        let view = self
            .inner
            .execution(caller, id)
            .instrument(self.span.clone())
            .await?;
        self.span.record("execution", view.execution_id.as_str());
        Some(view)
    }

    async fn find_by_token(&self, caller: &Caller, token: &str) -> Option<ExecutionView> {
        self.inner
            .find_by_token(caller, token)
            .instrument(self.span.clone())
            .await
    }

    async fn activities(&self, caller: &Caller, at_most: usize) -> Vec<GuestActivity> {
        self.inner
            .activities(caller, at_most)
            .instrument(self.span.clone())
            .await
    }

    async fn changed(
        &self,
        caller: &Caller,
        id: &str,
        after: i64,
        at_most: Duration,
    ) -> Option<ExecutionView> {
        self.inner
            .changed(caller, id, after, at_most)
            .instrument(self.span.clone())
            .await
    }

    async fn due_elsewhere(&self, caller: &Caller) -> Vec<ExecutionView> {
        self.inner
            .due_elsewhere(caller)
            .instrument(self.span.clone())
            .await
    }

    async fn lists_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64 {
        self.inner
            .lists_changed(caller, after, at_most)
            .instrument(self.span.clone())
            .await
    }

    async fn money(&self, caller: &Caller, id: &str) -> Option<MoneyCheck> {
        self.inner
            .money(caller, id)
            .instrument(self.span.clone())
            .await
    }

    async fn compensation_totals(&self, caller: &Caller) -> Option<CompensationTotals> {
        self.inner
            .compensation_totals(caller)
            .instrument(self.span.clone())
            .await
    }

    async fn evidence(&self, caller: &Caller, id: &str) -> Option<Evidence> {
        self.inner
            .evidence(caller, id)
            .instrument(self.span.clone())
            .await
    }

    async fn record_owner(&self, caller: &Caller, id: &str) -> Option<RecordOwner> {
        self.inner
            .record_owner(caller, id)
            .instrument(self.span.clone())
            .await
    }

    async fn own_record(&self, caller: &Caller, id: &str, own: bool) -> bool {
        self.inner
            .own_record(caller, id, own)
            .instrument(self.span.clone())
            .await
    }

    async fn last_orphan_check(&self, caller: &Caller) -> Option<OrphanCheckView> {
        self.inner
            .last_orphan_check(caller)
            .instrument(self.span.clone())
            .await
    }

    async fn checkout_pause(&self, caller: &Caller) -> Option<CheckoutPause> {
        self.inner
            .checkout_pause(caller)
            .instrument(self.span.clone())
            .await
    }

    async fn lift_checkout_pause(&self, caller: &Caller) -> bool {
        self.inner
            .lift_checkout_pause(caller)
            .instrument(self.span.clone())
            .await
    }

    async fn receipt_email(&self, caller: &Caller, id: &str) -> ReceiptEmail {
        self.inner
            .receipt_email(caller, id)
            .instrument(self.span.clone())
            .await
    }

    async fn email_receipt(
        &self,
        caller: &Caller,
        id: &str,
        email: Email,
    ) -> Result<String, ErrorCode> {
        self.inner
            .email_receipt(caller, id, email)
            .instrument(self.span.clone())
            .await
    }
}
