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
    ports::{Dispatcher, Email, EmailStatus, ExecutionFeed},
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
        let span = RequestSpan::of(extensions);
        Self { inner, span }
    }
}

/// Implements a port whose methods run in the request's span.
macro_rules! traced {
    ($port:ident {
        $($method:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)+
    } $($own:tt)*) => {
        #[async_trait]
        impl $port for Traced<dyn $port> {
            $(async fn $method(&self, caller: &Caller, $($argument: $kind),*) -> $answer {
                let work = self.inner.$method(caller, $($argument),*);
                work.instrument(self.span.clone()).await
            })+
            $($own)*
        }
    };
}

traced! { Dispatcher {
    dispatch(call: ToolCall) -> ToolAnswer;
    stay_overview() -> Result<StayOverview, ToolError>;
    refused(tool: &str, error: ToolError) -> ToolAnswer;
} }

traced! { ExecutionFeed {
    find_by_token(token: &str) -> Option<ExecutionView>;
    activities(at_most: usize) -> Vec<GuestActivity>;
    changed(id: &str, after: i64, at_most: Duration) -> Option<ExecutionView>;
    due_elsewhere() -> Vec<ExecutionView>;
    lists_changed(after: i64, at_most: Duration) -> i64;
    money(id: &str) -> Option<MoneyCheck>;
    compensation_totals() -> Option<CompensationTotals>;
    evidence(id: &str) -> Option<Evidence>;
    record_owner(id: &str) -> Option<RecordOwner>;
    own_record(id: &str, own: bool) -> bool;
    last_orphan_check() -> Option<OrphanCheckView>;
    checkout_pause() -> Option<CheckoutPause>;
    lift_checkout_pause() -> bool;
    email_status(id: &str) -> EmailStatus;
    email_receipt(id: &str, email: Email) -> Result<String, ErrorCode>;
}
    async fn execution(&self, caller: &Caller, id: &str) -> Option<ExecutionView> {
        let work = self.inner.execution(caller, id);
        let view = work.instrument(self.span.clone()).await?;
        self.span.record("execution", view.execution_id.as_str());
        Some(view)
    }
}
