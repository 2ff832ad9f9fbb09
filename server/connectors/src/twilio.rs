//! Twilio: text messages.
//!
//! ```text
//! send ── one POST; 201 means accepted, not delivered
//! look ── the list of all messages to one number: there are no idempotency keys, so after an unknown outcome the text is
//!         searched for
//! ```
//!
//! The list is not filtered by `DateSent`: a queued message has no such date, and that is the one
//! to find.

mod config;
mod requests;
mod responses;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use dewy_domain::{
    ports::{Clock, Entropy, SentText, TextMessages, Transport},
    upstream_request::{Call, Reply, System},
};
use jiff::Timestamp;
use secrecy::ExposeSecret;

pub use config::TwilioConfig;

use crate::{
    Count, HealthStats,
    client_policy::{ClientPolicy, Priority, http_request},
    exchange_result::{Response, malformed_response},
};

/// Client of one account.
#[derive(Debug)]
pub struct Twilio {
    config: TwilioConfig,
    gate: ClientPolicy,
}

impl Twilio {
    /// Creates a client; sends nothing yet.
    #[must_use]
    pub fn new(config: TwilioConfig, transport: Arc<dyn Transport>, clock: Arc<dyn Clock>) -> Self {
        let gate = ClientPolicy::new(System::Twilio, config.limits, transport, clock);
        Self { config, gate }
    }

    /// Source of jitter for retries of reads; without it they wait a fixed time.
    #[must_use]
    pub fn with_entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.gate.set_entropy(entropy);
        self
    }

    /// HTTP exchanges so far by operation and outcome.
    #[must_use]
    pub fn counts(&self) -> Vec<Count> {
        self.gate.counts()
    }

    /// Recent health of the system.
    #[must_use]
    pub fn health_stats(&self) -> HealthStats {
        self.gate.health_stats()
    }

    async fn read<T: Send>(&self, call: &Call, read: fn(&Response) -> Reply<T>) -> Reply<T> {
        let until = self.gate.until(self.config.deadline);
        let once = || self.exchange(Priority::Critical, call, until, read);
        self.gate.retried_once(until, once).await
    }

    async fn exchange<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        until: Duration,
        read: fn(&Response) -> Reply<T>,
    ) -> Reply<T> {
        let pair = format!(
            "{}:{}",
            self.config.account_sid,
            self.config.auth_token.expose_secret()
        );
        let authorization = format!("Basic {}", STANDARD.encode(pair));
        let request = http_request(&self.config.api_base, authorization, call);
        self.gate
            .exchange(priority, &call.operation, request, until, read)
            .await
    }
}

#[async_trait]
impl TextMessages for Twilio {
    fn text(&self, to: &str, body: &str) -> Call {
        requests::text(&self.config.account_sid, &self.config.from, to, body)
    }

    fn refuses_us(&self) -> bool {
        self.health_stats().refuses_everything()
    }

    async fn send_text(&self, call: &Call) -> Reply<SentText> {
        self.exchange(
            Priority::Normal,
            call,
            self.gate.until(self.config.deadline),
            responses::sent,
        )
        .await
    }

    async fn texts_since(&self, to: &str, since: Timestamp) -> Reply<Vec<SentText>> {
        // Twilio's timestamps are whole seconds.
        let since = since.as_second();
        let mut all: Vec<SentText> = Vec::new();
        let mut call = requests::texts(&self.config.account_sid, to);
        loop {
            match self.read(&call, responses::page).await {
                Reply::Done(page) => {
                    all.extend(
                        page.items
                            .into_iter()
                            .filter(|sent| sent.at.as_second() >= since),
                    );
                    match page.next {
                        None => break,
                        // The same path again would loop forever, and another host isn't trusted.
                        Some(next)
                            if next == call.path
                                || !requests::is_list(&self.config.account_sid, &next) =>
                        {
                            return malformed_response("a list whose next page leads elsewhere");
                        }
                        Some(next) => call.path = next,
                    }
                }
                other => return other.map(|_| Vec::new()),
            }
        }
        all.sort_by_key(|sent| std::cmp::Reverse(sent.at));
        Reply::Done(all)
    }
}
