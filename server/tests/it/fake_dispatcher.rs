//! Dispatcher that fails on request, and bearer tokens that need no store.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use async_trait::async_trait;
use dewy_domain::{
    checkout_pause::CheckoutPause,
    compensation_totals::CompensationTotals,
    execution_view::{ExecutionView, GuestActivity, MoneyCheck},
    orphan_check_view::OrphanCheckView,
    ports::{Confirmation, ConfirmationPrompt, ConfirmationPrompts, ExecutionFeed},
    stay_overview::StayOverview,
    tool_answer::{FinalAnswer, Problem, ToolError},
};
use dewy_saga::StoreError;
use dewy_server::{
    auth::{TokenCheck, TokenFault},
    mcp::{Confirm, McpParts, Seals, router},
    tool_calls::{
        call_boundary::CallBoundary,
        rate_limit::{Limit, RateLimit},
    },
};
use tokio_util::sync::CancellationToken;

use crate::prelude::*;

#[derive(Debug, Default)]
pub struct CallCounts {
    pub begun: AtomicUsize,
    /// Writes that ran to their end.
    pub finished: AtomicUsize,
    pub reads: AtomicUsize,
    /// Reads that ran to their end.
    pub read_ends: AtomicUsize,
    /// Amount a check-out would charge, in dollars; 0 means no quote.
    pub price: AtomicI64,
    /// By how many seconds the confirmations' clock is ahead.
    pub ahead: AtomicI64,
    spent: Mutex<BTreeSet<String>>,
}

#[async_trait]
impl ConfirmationPrompts for CallCounts {
    async fn confirmation_for(
        &self,
        _: &Caller,
        call: &ToolCall,
    ) -> Result<Confirmation, ToolError> {
        assert_ne!(call.input["booking_number"], "BK-6667", "planted");
        let price = self.price.load(Ordering::SeqCst);
        if price == 0 {
            return Ok(Confirmation::NoMoney);
        }
        Ok(Confirmation::Ask(ConfirmationPrompt {
            question: format!("Charge ${price}?"),
            yes: format!("Charge ${price}"),
        }))
    }
}

#[async_trait]
impl Seals for CallCounts {
    async fn key(&self) -> Result<Vec<u8>, StoreError> {
        Ok(vec![7; 32])
    }

    async fn spend(&self, id: &str, _: Duration) -> Result<bool, StoreError> {
        Ok(self.spent.lock().unwrap().insert(id.to_owned()))
    }
}

#[async_trait]
impl Clock for CallCounts {
    fn now(&self) -> jiff::Timestamp {
        RealClock.now() + jiff::SignedDuration::from_secs(self.ahead.load(Ordering::SeqCst))
    }

    async fn sleep(&self, pause: Duration) {
        RealClock.sleep(pause).await;
    }
}

/// Execution feed without executions.
#[async_trait]
impl ExecutionFeed for CallCounts {
    async fn execution(&self, _: &Caller, _: &str) -> Option<ExecutionView> {
        None
    }

    async fn find_by_token(&self, _: &Caller, _: &str) -> Option<ExecutionView> {
        None
    }

    async fn activities(&self, _: &Caller, _: usize) -> Vec<GuestActivity> {
        Vec::new()
    }

    async fn changed(&self, _: &Caller, _: &str, _: i64, _: Duration) -> Option<ExecutionView> {
        None
    }

    async fn due_elsewhere(&self, _: &Caller) -> Vec<ExecutionView> {
        Vec::new()
    }

    async fn lists_changed(&self, _: &Caller, after: i64, _: Duration) -> i64 {
        after
    }

    async fn money(&self, _: &Caller, _: &str) -> Option<MoneyCheck> {
        None
    }

    async fn compensation_totals(&self, _: &Caller) -> Option<CompensationTotals> {
        None
    }

    async fn last_orphan_check(&self, _: &Caller) -> Option<OrphanCheckView> {
        None
    }

    async fn checkout_pause(&self, _: &Caller) -> Option<CheckoutPause> {
        None
    }

    async fn lift_checkout_pause(&self, _: &Caller) -> bool {
        false
    }
}

#[derive(Debug)]
pub struct FakeDispatcher(pub Arc<CallCounts>);

#[async_trait]
impl Dispatcher for FakeDispatcher {
    async fn dispatch(&self, caller: &Caller, call: ToolCall) -> ToolAnswer {
        let booking = call.input["booking_number"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        if call.tool == "process_guest_checkout" {
            self.0.begun.fetch_add(1, Ordering::SeqCst);
            assert_ne!(booking, "BK-6666", "planted");
            if call.idempotency_token.is_none() {
                let message = "is required".to_owned();
                return ToolError::problems(&[Problem {
                    field: "idempotency_token".to_owned(),
                    message,
                }])
                .into();
            }
            if booking == "BK-0202" {
                return ToolAnswer::Pending {
                    execution_id: "exe_0".to_owned(),
                    next_action_url: None,
                    poll_after_ms: 500,
                    note: "refunded, finishing".to_owned(),
                    replayed: false,
                };
            }
            tokio::time::sleep(Duration::from_millis(400)).await;
            self.0.finished.fetch_add(1, Ordering::SeqCst);
            let data = json!({ "booking_number": booking, "token": call.idempotency_token, "extra": call.input });
            let settled = FinalAnswer::Done {
                data,
                created: false,
            };
            return ToolAnswer::Settled {
                settled,
                execution_id: Some("exe_1".to_owned()),
                replayed: false,
                repeatable: false,
            };
        }
        self.0.reads.fetch_add(1, Ordering::SeqCst);
        match booking.as_str() {
            "BK-6666" => panic!("planted"),
            "BK-7777" => {
                tokio::time::sleep(Duration::from_secs(2)).await;
                self.0.read_ends.fetch_add(1, Ordering::SeqCst);
                ToolAnswer::data(json!({}))
            }
            "BK-0404" => ToolError::new(ErrorCode::BookingNotFound).into(),
            _ => ToolAnswer::data(
                json!({ "room_number": "302", "balance": 25000, "balance_text": "$250.00", "asked_by": caller.key() }),
            ),
        }
    }

    async fn stay_overview(&self, _: &Caller) -> Result<StayOverview, ToolError> {
        Ok(StayOverview::default())
    }
}

/// Three tokens.
#[derive(Debug)]
pub struct Tokens;

#[async_trait]
impl TokenCheck for Tokens {
    async fn caller(
        &self,
        token: &str,
        persona: Persona,
        interface: Interface,
    ) -> Result<Option<Caller>, TokenFault> {
        Ok(match (token, persona) {
            ("beth", Persona::Guest) => Some(Caller::guest("beth.gibbs@email.com", interface)),
            ("sarah", Persona::Guest) => Some(Caller::guest("sarah@example.com", interface)),
            ("boss", Persona::Staff) => Some(Caller::staff(
                "manager@dewy.example",
                Role::Manager,
                interface,
            )),
            ("fixer", Persona::Staff) => Some(Caller::staff(
                "maintenance@dewy.example",
                Role::Maintenance,
                interface,
            )),
            ("desk", Persona::Staff) => Some(Caller::staff(
                "frontdesk@dewy.example",
                Role::FrontDesk,
                interface,
            )),
            ("broom", Persona::Staff) => Some(Caller::staff(
                "housekeeping@dewy.example",
                Role::Housekeeping,
                interface,
            )),
            _ => None,
        })
    }
}

/// Serves the MCP endpoints over the fake; returns their base address.
pub async fn mcp_over_fake() -> (String, Arc<CallCounts>) {
    mcp_at_pace(Limit::default()).await
}

/// The same with another limit of calls.
pub async fn mcp_at_pace(limit: Limit) -> (String, Arc<CallCounts>) {
    let seen = Arc::new(CallCounts::default());
    let guard = CallBoundary::new(
        Arc::new(FakeDispatcher(Arc::clone(&seen))),
        Duration::from_secs(25),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let app = router(&McpParts {
        boundary: Arc::new(guard),
        execution_feed: Arc::clone(&seen) as _,
        confirm: Confirm {
            confirmations: Arc::clone(&seen) as _,
            seals: Arc::clone(&seen) as _,
            clock: Arc::clone(&seen) as _,
            entropy: Arc::new(OsEntropy),
        },
        tokens: Arc::new(Tokens),
        rate_limit: RateLimit::new(limit),
        public_url: "https://hotel.example".to_owned(),
        stop: CancellationToken::new(),
    });
    tokio::spawn(async move { axum::serve(listener, app).await });
    (base, seen)
}

/// A client that keeps no cookies and follows no redirects.
pub fn client() -> reqwest::Client {
    builder().build().unwrap()
}

/// The same, not yet built.
pub fn builder() -> reqwest::ClientBuilder {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .no_proxy()
        .tls_certs_only([])
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_secs(60))
}
