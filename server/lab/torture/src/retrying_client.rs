//! Well-behaved client: retries with the same token until it gets an answer.

use std::time::{Duration, Instant};

use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::ports::{Clock, Entropy};
use dewy_test_kit::CallerAnswer;
use fastrand::Rng;
use serde_json::{Value, json};

use crate::{caller_state::CallerState, test_server::TestServer};

/// A caller without an answer gives up after this time; the ledger check decides what became of the
/// request.
const MAX_WAIT: Duration = Duration::from_secs(180);

#[derive(Clone, Debug)]
pub struct ToolRequest<'a> {
    pub tool: &'static str,
    /// Bearer token of the caller. An idempotency token belongs to its caller, so a retry comes
    /// from the same person.
    pub bearer: &'a str,
    token: String,
    /// Input of the tool.
    pub arguments: Value,
}

impl<'a> ToolRequest<'a> {
    /// Request with a new token.
    pub fn new(tool: &'static str, bearer: &'a str, arguments: Value) -> Self {
        Self {
            tool,
            bearer,
            token: token(),
            arguments,
        }
    }

    /// Same request with another token.
    pub fn again(&self) -> Self {
        Self {
            token: token(),
            ..self.clone()
        }
    }

    /// Same request by somebody else.
    pub fn again_by(&self, bearer: &'a str) -> Self {
        Self {
            bearer,
            ..self.again()
        }
    }
}

fn token() -> String {
    OsEntropy.uuid_v7(RealClock.now()).simple().to_string()
}

/// Retries until there is an answer, which is recorded; `None` when there was none for too long.
pub async fn call_with_retries(
    server: &TestServer,
    desk: &CallerState,
    rng: &mut Rng,
    asked: &ToolRequest<'_>,
) -> Option<CallerAnswer> {
    let started = Instant::now();
    let mut arguments = asked.arguments.clone();
    arguments["idempotency_token"] = json!(asked.token);
    while started.elapsed() < MAX_WAIT {
        let base = rng.choice(&server.addresses)?;
        let asking = desk.begin_request();
        let answer = server
            .wire
            .tool(base, asked.bearer, asked.tool, &arguments)
            .await;
        drop(asking);
        let Ok(body) = answer else {
            desk.record_unanswered();
            sleep_randomly(rng, 30, 250).await;
            continue;
        };
        if body["pending"].is_object() {
            if let Some(url) = body["pending"]["next_action_url"].as_str() {
                visit_bank_page(server, rng, url).await;
            }
            let pause = body["pending"]["poll_after_ms"]
                .as_u64()
                .unwrap_or(500)
                .min(1000);
            tokio::time::sleep(Duration::from_millis(pause)).await;
            continue;
        }
        let code = body["error_code"].as_str().map(str::to_owned);
        if matches!(
            code.as_deref(),
            Some(
                "CHECKOUT_PAUSED"
                    | "INTERNAL"
                    | "OVERLOADED"
                    | "RATE_LIMITED"
                    | "STORE_UNAVAILABLE"
            )
        ) {
            sleep_randomly(rng, 100, 400).await;
            continue;
        }
        let execution = body["execution_id"].as_str().map(str::to_owned);
        let answer = CallerAnswer {
            tool: asked.tool,
            token: asked.token.clone(),
            execution,
            code,
            body,
        };
        desk.answered(answer.clone());
        return Some(answer);
    }
    None
}

/// Sends two requests at the same moment.
pub async fn call_concurrently(
    server: &TestServer,
    desk: &CallerState,
    rng: &mut Rng,
    one: &ToolRequest<'_>,
    other: &ToolRequest<'_>,
) -> (Option<CallerAnswer>, Option<CallerAnswer>) {
    let mut more = rng.clone();
    more.u64(0..=1);
    tokio::join!(
        call_with_retries(server, desk, rng, one),
        call_with_retries(server, desk, &mut more, other)
    )
}

/// Simulates the guest on the bank's page: usually completes it, sometimes does nothing for now.
async fn visit_bank_page(server: &TestServer, rng: &mut Rng, url: &str) {
    let decision = match rng.u64(1..=100) {
        1..=65 => "complete",
        66..=80 => "fail",
        _ => return,
    };
    // If clicked twice, or too late, the page says so; a retry reports the result.
    drop(
        server
            .wire
            .form(url, "", "", &[("decision".to_owned(), decision.to_owned())])
            .await,
    );
}

/// Waits a little.
pub async fn sleep_randomly(rng: &mut Rng, low: u64, high: u64) {
    tokio::time::sleep(Duration::from_millis(rng.u64(low..=high))).await;
}
