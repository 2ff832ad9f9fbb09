//! Twilio: text messages.
//!
//! ```text
//! send ── one POST; 201 means accepted, not delivered
//! look ── the list of all messages to one number: there are no idempotency keys, so after an unknown outcome the text is
//!         searched for
//! told ── status callbacks, signed; or a look at one message
//! ```
//!
//! The list is not filtered by `DateSent`: a queued message has no such date, and that is the one
//! to find.

pub mod callback;
mod config;
mod requests;
mod responses;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use dewy_domain::{
    access_refusal::refused_access,
    ports::{Clock, Entropy, SentText, TextMessages, Transport},
    text_status::TextStatus,
    upstream_request::{Call, Fault, Outcome, System},
};
use jiff::Timestamp;
use secrecy::ExposeSecret;

pub use config::{TextSender, TwilioConfig};

use crate::{
    Count, HealthStats,
    client_policy::{ClientPolicy, Priority, http_request},
    exchange_result::{Response, malformed_response},
};

/// Maximum number of pages of one list, with a thousand messages each.
const MAX_PAGES: usize = 100;

/// Operation under which alarms about reported failures stand.
const DELIVERY: &str = "message_delivery";

/// Client of one account.
#[derive(Debug)]
pub struct Twilio {
    config: TwilioConfig,
    policy: ClientPolicy,
}

impl Twilio {
    /// Creates a client; sends nothing yet.
    #[must_use]
    pub fn new(config: TwilioConfig, transport: Arc<dyn Transport>, clock: Arc<dyn Clock>) -> Self {
        let policy = ClientPolicy::new(System::Twilio, config.limits, transport, clock);
        Self { config, policy }
    }

    /// Source of jitter for retries of reads; without it they wait a fixed time.
    #[must_use]
    pub fn with_entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.policy.set_entropy(entropy);
        self
    }

    /// HTTP exchanges so far by operation and outcome.
    #[must_use]
    pub fn counts(&self) -> Vec<Count> {
        self.policy.counts()
    }

    /// Recent health of the system.
    #[must_use]
    pub fn health_stats(&self) -> HealthStats {
        self.policy.health_stats()
    }

    /// Whether the account has the sender, and texts can be sent from it; reads only. `None`: senders
    /// of this kind are not listed.
    pub async fn has_sender(&self) -> Outcome<Option<bool>> {
        match requests::sender(&self.config.account_sid, &self.config.sender) {
            Some(call) => self.read(&call, responses::has_sender).await.map(Some),
            None => Outcome::Done(None),
        }
    }

    /// Notes what was reported about a message: a sender that carriers refuse is an alarm, until a
    /// message is delivered.
    pub fn note_report(&self, status: TextStatus, error_code: Option<u32>) {
        let code = error_code.map(|code| format!("twilio_{code}"));
        let refused = code.filter(|_| status.never_arrived());
        let refused = refused.filter(|code| refused_access(System::Twilio, code).is_some());
        if let Some(code) = refused {
            let error = Fault::new(code, "a message was not delivered");
            self.policy.alarm(DELIVERY, Some(&error));
        } else if status == TextStatus::Delivered {
            let alarms = self.health_stats().alarms;
            if alarms.iter().any(|alarm| alarm.operation == DELIVERY) {
                self.policy.alarm(DELIVERY, None);
            }
        }
    }

    async fn read<T: Send>(&self, call: &Call, read: fn(&Response) -> Outcome<T>) -> Outcome<T> {
        let until = self.policy.until(self.config.deadline);
        let once = || self.exchange(Priority::Critical, call, until, read);
        self.policy.retried_once(until, once).await
    }

    async fn exchange<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        until: Duration,
        read: fn(&Response) -> Outcome<T>,
    ) -> Outcome<T> {
        let config = &self.config;
        let pair = format!("{}:{}", config.user, config.secret.expose_secret());
        let authorization = format!("Basic {}", STANDARD.encode(pair));
        let base = if call.path.starts_with("/v1/") {
            &config.messaging_base
        } else {
            &config.api_base
        };
        let request = http_request(base, authorization, call);
        self.policy
            .exchange(
                priority,
                &call.operation,
                (request, &config.secret),
                until,
                read,
            )
            .await
    }
}

#[async_trait]
impl TextMessages for Twilio {
    fn text(&self, to: &str, body: &str, valid_for: Duration) -> Call {
        requests::text(&self.config, to, body, valid_for)
    }

    fn refuses_us(&self) -> bool {
        // What carriers report about one recipient says nothing about the next
        let alarms = self.health_stats().alarms;
        alarms.iter().any(|alarm| alarm.operation != DELIVERY)
    }

    async fn text_by_sid(&self, sid: &str) -> Outcome<SentText> {
        let call = requests::text_by_sid(&self.config.account_sid, sid);
        self.read(&call, responses::sent).await
    }

    async fn send_text(&self, call: &Call) -> Outcome<SentText> {
        self.exchange(
            Priority::Normal,
            call,
            self.policy.until(self.config.deadline),
            responses::sent,
        )
        .await
    }

    async fn texts_since(&self, to: &str, since: Timestamp) -> Outcome<Vec<SentText>> {
        // Twilio's timestamps are whole seconds.
        let since = since.as_second();
        let mut all: Vec<SentText> = Vec::new();
        let mut call = requests::texts(&self.config.account_sid, to);
        for number in 1.. {
            match self.read(&call, responses::page).await {
                Outcome::Done(page) => {
                    all.extend(
                        page.items
                            .into_iter()
                            .filter(|sent| sent.at.as_second() >= since),
                    );
                    match page.next {
                        None => break,
                        // A list in a circle would never end, and another host isn't trusted.
                        Some(next)
                            if number >= MAX_PAGES
                                || next == call.path
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
        Outcome::Done(all)
    }
}
