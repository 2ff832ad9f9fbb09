//! Records every call in the audit log: reads, refusals, and calls whose caller did not wait for
//! the answer.
//!
//! ```text
//! interface ─► CallBoundary ─► AuditedDispatcher: reserve an entry ─► Hotel::dispatch ─► answer ─► fill the entry
//! ```

use std::{collections::BTreeSet, sync::Arc};

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona},
    email_address::EmailAddress,
    error_code::ErrorCode,
    ports::{Clock, Dispatcher},
    stay_overview::{STAY_OVERVIEW, StayOverview},
    tool::ToolCall,
    tool_answer::{ToolAnswer, ToolError},
    tool_catalog,
};

use crate::{
    boundary::audit_log::{AuditLog, CallEntry, CallRecord},
    saga_parts::engine_conversions::guest_in,
};

/// Status recorded for a call whose caller disconnected; it is never sent.
const CLIENT_CLOSED_REQUEST: u16 = 499;

#[derive(Clone, Debug)]
pub struct AuditedDispatcher {
    inner: Arc<dyn Dispatcher>,
    log: Arc<dyn AuditLog>,
    clock: Arc<dyn Clock>,
    /// Only names of known tools and reads are recorded: a caller must not control what the log contains.
    names: Arc<BTreeSet<&'static str>>,
}

impl AuditedDispatcher {
    /// Records the calls of `inner` in `log`.
    #[must_use]
    pub fn new(inner: Arc<dyn Dispatcher>, log: Arc<dyn AuditLog>, clock: Arc<dyn Clock>) -> Self {
        let names = tool_catalog::all().iter().map(|tool| tool.name);
        Self {
            inner,
            log,
            clock,
            names: Arc::new(names.chain([STAY_OVERVIEW]).collect()),
        }
    }
}

impl AuditedDispatcher {
    async fn open<'a>(
        &'a self,
        by: &'a Caller,
        tool: &str,
        on_behalf_of: Option<String>,
    ) -> Open<'a> {
        let tool = self.names.get(tool).copied().unwrap_or("unknown");
        Open {
            entry: Some(self.log.open().await),
            clock: self.clock.as_ref(),
            by,
            on_behalf_of,
            tool,
        }
    }
}

#[async_trait]
impl Dispatcher for AuditedDispatcher {
    async fn dispatch(&self, caller: &Caller, call: ToolCall) -> ToolAnswer {
        let guest = guest_in(&call.input).and_then(|email| email.parse::<EmailAddress>().ok());
        // A guest's own address is already the caller, and an invalid address belongs to nobody.
        let others = guest
            .filter(|email| caller.persona == Persona::Staff || *email != caller.email.as_str());
        let others = others.map(String::from);
        let mut open = self.open(caller, &call.tool, others).await;
        let answer = self.inner.dispatch(caller, call).await;
        open.answered(&answer);
        answer
    }

    async fn stay_overview(&self, caller: &Caller) -> Result<StayOverview, ToolError> {
        let mut open = self.open(caller, STAY_OVERVIEW, None).await;
        let overview = self.inner.stay_overview(caller).await;
        match &overview {
            Ok(_) => open.fill(200, "OK", None),
            Err(error) => open.fill(error.code.status(), error.code.code(), None),
        }
        overview
    }

    async fn refused(&self, caller: &Caller, tool: &str, error: ToolError) -> ToolAnswer {
        let mut open = self.open(caller, tool, None).await;
        let answer = self.inner.refused(caller, tool, error).await;
        open.answered(&answer);
        answer
    }
}

fn outcome(answer: &ToolAnswer) -> &'static str {
    match answer.error() {
        None if answer.is_pending() => "PENDING",
        error => error.map_or("OK", ErrorCode::code),
    }
}

/// A call in progress.
struct Open<'a> {
    entry: Option<Box<dyn CallEntry>>,
    clock: &'a dyn Clock,
    by: &'a Caller,
    on_behalf_of: Option<String>,
    tool: &'static str,
}

impl Open<'_> {
    fn answered(&mut self, answer: &ToolAnswer) {
        let execution = answer.execution_id().map(str::to_owned);
        self.fill(answer.status(), outcome(answer), execution);
    }

    fn fill(&mut self, status: u16, outcome: &'static str, execution: Option<String>) {
        if let Some(entry) = self.entry.take() {
            entry.fill(CallRecord {
                at: self.clock.now(),
                by: self.by.clone(),
                on_behalf_of: self.on_behalf_of.take(),
                tool: self.tool.to_owned(),
                status,
                outcome,
                execution,
                proven: true,
            });
        }
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        // Not filled: the tool panicked, or the caller of a read disconnected and the read was
        // dropped.
        if std::thread::panicking() {
            self.fill(
                ErrorCode::Internal.status(),
                ErrorCode::Internal.code(),
                None,
            );
        } else {
            self.fill(CLIENT_CLOSED_REQUEST, "GONE", None);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Mutex, time::Duration};

    use dewy_domain::caller::{Interface, Role};
    use jiff::Timestamp;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug)]
    struct FixedClock;

    #[async_trait]
    impl Clock for FixedClock {
        fn now(&self) -> Timestamp {
            Timestamp::UNIX_EPOCH
        }

        async fn sleep(&self, _: Duration) {}
    }

    #[derive(Debug)]
    struct FakeDispatcher;

    #[async_trait]
    impl Dispatcher for FakeDispatcher {
        async fn dispatch(&self, _: &Caller, call: ToolCall) -> ToolAnswer {
            match call.tool.as_str() {
                "get_folio" if call.input["room_number"] == "1" => std::future::pending().await,
                "get_folio" => ToolAnswer::data(json!({})),
                "post_charge" => panic!("planted"),
                _ => ToolError::new(ErrorCode::UnknownTool).into(),
            }
        }

        async fn stay_overview(&self, caller: &Caller) -> Result<StayOverview, ToolError> {
            match caller.persona {
                Persona::Guest => Ok(StayOverview::default()),
                Persona::Staff => Err(ToolError::new(ErrorCode::UnknownTool)),
            }
        }
    }

    #[derive(Clone, Debug, Default)]
    struct RecordedCalls(Arc<Mutex<Vec<CallRecord>>>);

    struct RecordedCallSlot(RecordedCalls);

    impl CallEntry for RecordedCallSlot {
        fn fill(self: Box<Self>, record: CallRecord) {
            self.0.0.lock().unwrap().push(record);
        }
    }

    #[async_trait]
    impl AuditLog for RecordedCalls {
        async fn open(&self) -> Box<dyn CallEntry> {
            Box::new(RecordedCallSlot(self.clone()))
        }
    }

    fn call(tool: &str, input: Value) -> ToolCall {
        ToolCall {
            tool: tool.to_owned(),
            input,
            idempotency_token: None,
            wait: None,
        }
    }

    #[tokio::test]
    async fn every_outcome_of_a_call_is_audited() {
        let calls = RecordedCalls::default();
        let recorded = AuditedDispatcher::new(
            Arc::new(FakeDispatcher),
            Arc::new(calls.clone()),
            Arc::new(FixedClock),
        );
        let staff = Caller::staff("ann@dewy.example", Role::FrontDesk, Interface::Rest);
        let beth = Caller::guest("beth@email.com", Interface::Mcp);
        recorded
            .dispatch(
                &staff,
                call("get_folio", json!({ "guest_email": " Beth@Email.com" })),
            )
            .await;
        recorded
            .dispatch(
                &beth,
                call("get_folio", json!({ "guest_email": "beth@email.com" })),
            )
            .await;
        recorded
            .dispatch(
                &beth,
                call(
                    "drop tables; --",
                    json!({ "guest_email": "wei@example.com" }),
                ),
            )
            .await;
        recorded
            .dispatch(&beth, call("get_folio", json!({ "guest_email": 5 })))
            .await;
        assert!(recorded.stay_overview(&beth).await.is_ok());
        assert!(recorded.stay_overview(&staff).await.is_err());
        let gone = recorded.dispatch(&beth, call("get_folio", json!({ "room_number": "1" })));
        assert!(
            tokio::time::timeout(Duration::from_millis(5), gone)
                .await
                .is_err()
        );
        let other = recorded.clone();
        let fell =
            tokio::spawn(
                async move { other.dispatch(&staff, call("post_charge", json!({}))).await },
            );
        assert!(fell.await.is_err());
        let unread = ToolError::new(ErrorCode::TooLarge);
        recorded.refused(&beth, "get_folio", unread).await;
        let seen: Vec<_> = calls
            .0
            .lock()
            .unwrap()
            .iter()
            .map(|r| (r.tool.clone(), r.status, r.outcome))
            .collect();
        let row = |tool: &str, status, outcome| (tool.to_owned(), status, outcome);
        let expected = [
            row("get_folio", 200, "OK"),
            row("get_folio", 200, "OK"),
            row("unknown", 404, "UNKNOWN_TOOL"),
            row("get_folio", 200, "OK"),
            row("stay_overview", 200, "OK"),
            row("stay_overview", 404, "UNKNOWN_TOOL"),
            row("get_folio", 499, "GONE"),
            row("post_charge", 500, "INTERNAL"),
            row("get_folio", 413, "TOO_LARGE"),
        ];
        assert_eq!(seen, expected);
        let behalf: Vec<_> = calls
            .0
            .lock()
            .unwrap()
            .iter()
            .map(|r| r.on_behalf_of.clone())
            .collect();
        let wei = Some("wei@example.com".to_owned());
        assert_eq!(
            behalf,
            [
                Some("beth@email.com".to_owned()),
                None,
                wei,
                None,
                None,
                None,
                None,
                None,
                None
            ]
        );
    }
}
