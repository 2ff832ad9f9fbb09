//! Well-behaved caller of tools: retries with the same token until it gets an answer.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::ports::{Clock, Entropy};
use dewy_test_kit::CallerAnswer;
use fastrand::Rng;
use serde_json::{Value, json};

use crate::{caller_state::CallerState, test_server::TestServer};

/// A caller without an answer gives up after this time; the ledger check decides what became of the
/// request.
const MAX_WAIT: Duration = Duration::from_secs(180);
/// Answers after which a request is sent again.
const PASSING: [&str; 5] = [
    "CHECKOUT_PAUSED",
    "INTERNAL",
    "OVERLOADED",
    "RATE_LIMITED",
    "STORE_UNAVAILABLE",
];

#[derive(Clone, Debug)]
pub struct ToolRequest {
    tool: &'static str,
    /// Bearer token of the caller. An idempotency token belongs to its caller, so a retry comes
    /// from the same person.
    bearer: String,
    token: String,
    /// Input of the tool.
    pub arguments: Value,
}

impl ToolRequest {
    /// Same request with another token.
    pub fn again(&self) -> Self {
        Self {
            token: token(),
            ..self.clone()
        }
    }
}

fn token() -> String {
    OsEntropy.uuid_v7(RealClock.now()).simple().to_string()
}

#[derive(Clone, Debug)]
pub struct ToolCaller {
    pub server: Arc<TestServer>,
    pub desk: Arc<CallerState>,
    pub rng: Rng,
}

impl ToolCaller {
    /// True with this probability.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.rng.u64(..100) < percent
    }

    /// Waits a little, in milliseconds.
    pub async fn pause(&mut self, low: u64, high: u64) {
        tokio::time::sleep(Duration::from_millis(self.rng.u64(low..=high))).await;
    }

    /// Request by some member of the staff, with a new token.
    pub fn request(&mut self, tool: &'static str, arguments: Value) -> ToolRequest {
        ToolRequest {
            tool,
            bearer: self.bearer(),
            token: token(),
            arguments,
        }
    }

    /// Token of some member of the staff.
    pub fn bearer(&mut self) -> String {
        let bearer = self.rng.choice(&self.server.tokens);
        bearer.cloned().unwrap_or_default()
    }

    /// Sends a new request.
    pub async fn ask(&mut self, tool: &'static str, arguments: Value) -> Option<CallerAnswer> {
        let request = self.request(tool, arguments);
        self.call(&request).await
    }

    /// Retries until there is an answer, which is recorded; `None` when there was none for too long.
    pub async fn call(&mut self, asked: &ToolRequest) -> Option<CallerAnswer> {
        let (started, server) = (Instant::now(), Arc::clone(&self.server));
        let mut arguments = asked.arguments.clone();
        arguments["idempotency_token"] = json!(asked.token);
        while started.elapsed() < MAX_WAIT {
            let base = self.rng.choice(&server.addresses)?;
            let asking = self.desk.begin_request();
            let called = server
                .wire
                .tool(base, &asked.bearer, asked.tool, &arguments);
            let answer = called.await;
            drop(asking);
            let Ok(body) = answer else {
                self.desk.record_unanswered();
                self.pause(30, 250).await;
                continue;
            };
            let pending = &body["pending"];
            if pending.is_object() {
                if let Some(url) = pending["next_action_url"].as_str() {
                    self.visit_bank_page(url).await;
                }
                let pause = pending["poll_after_ms"].as_u64().unwrap_or(500).min(1000);
                tokio::time::sleep(Duration::from_millis(pause)).await;
                continue;
            }
            let text = |field: &str| body[field].as_str().map(str::to_owned);
            let code = text("error_code");
            if code.as_deref().is_some_and(|code| PASSING.contains(&code)) {
                self.pause(100, 400).await;
                continue;
            }
            let answer = CallerAnswer {
                tool: asked.tool,
                token: asked.token.clone(),
                execution: text("execution_id"),
                code,
                body,
            };
            self.desk.answered(answer.clone());
            return Some(answer);
        }
        None
    }

    /// Sends two requests at the same moment.
    pub async fn call_both(
        &mut self,
        one: &ToolRequest,
        other: &ToolRequest,
    ) -> [Option<CallerAnswer>; 2] {
        let mut more = self.clone();
        more.rng.u64(0..=1);
        tokio::join!(self.call(one), more.call(other)).into()
    }

    /// Sends the request once; in this many percent from two callers at once, and in as many twice
    /// from one.
    pub async fn call_somehow(
        &mut self,
        one: &ToolRequest,
        percent: u64,
    ) -> [Option<CallerAnswer>; 2] {
        let drawn = self.rng.u64(..100);
        if drawn < percent {
            self.call_both(one, &one.again()).await
        } else if drawn < 2 * percent {
            self.call_both(one, one).await
        } else {
            [self.call(one).await, None]
        }
    }

    /// Alone, or with another member of the staff at once.
    pub async fn call_perhaps_with_another(&mut self, one: &ToolRequest) {
        if self.chance(25) {
            let other = ToolRequest {
                bearer: self.bearer(),
                ..one.again()
            };
            self.call_both(one, &other).await;
        } else {
            self.call(one).await;
        }
    }

    /// Simulates the guest on the bank's page: usually completes it, sometimes does nothing for now.
    async fn visit_bank_page(&mut self, url: &str) {
        let decision = match self.rng.u64(1..=100) {
            1..=65 => "complete",
            66..=80 => "fail",
            _ => return,
        };
        let fields = [("decision".to_owned(), decision.to_owned())];
        // If clicked twice, or too late, the page says so; a retry reports the result.
        drop(self.server.wire.form(url, "", "", &fields).await);
    }
}
