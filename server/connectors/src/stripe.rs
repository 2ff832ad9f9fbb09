//! Stripe: payments and refunds.
//!
//! ```text
//! pay ──── one POST: create and confirm        look-ups ── retrieve and list; search lags, so it only finds saved cards
//! refund ─ one POST: the whole remainder       webhook ─── a hint; the object is read again
//! ```
//!
//! Every POST carries its `Idempotency-Key`. Sending the same key with the same bytes again is
//! safe, and is the way to learn the outcome; nothing here ever creates a key.
//!
//! A reply describes only the attempt it answers. `TryLater` after an earlier attempt with an
//! unknown outcome does **not** mean that the earlier one was not applied.

mod account_check;
mod config;
mod payments;
mod requests;
mod responses;
pub mod webhook;

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    payment::Listing,
    ports::{Clock, Entropy, PaymentAccountStore, Transport},
    upstream_request::{Call, Fault, Outcome, System},
};
use secrecy::ExposeSecret;

pub use config::StripeConfig;

use crate::{
    Count, HealthStats,
    client_policy::{ClientPolicy, Priority, http_request},
    exchange_result::{Response, malformed_response},
};
use account_check::Account;
use responses::Page;

/// Client of one account.
#[derive(Debug)]
pub struct Stripe {
    config: StripeConfig,
    policy: ClientPolicy,
    account: Option<Account>,
}

impl Stripe {
    /// Creates a client; sends nothing yet.
    #[must_use]
    pub fn new(config: StripeConfig, transport: Arc<dyn Transport>, clock: Arc<dyn Clock>) -> Self {
        let policy = ClientPolicy::new(System::Stripe, config.limits, transport, clock);
        Self {
            config,
            policy,
            account: None,
        }
    }

    /// Source of jitter for retries of reads; without it they wait a fixed time.
    #[must_use]
    pub fn with_entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.policy.set_entropy(entropy);
        self
    }

    /// Sends only with a key of the recorded account; without this, any account is accepted.
    #[must_use]
    pub fn with_account(mut self, memory: Arc<dyn PaymentAccountStore>) -> Self {
        self.account = Some(Account::new(memory));
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

    async fn read<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        read: fn(&Response) -> Outcome<T>,
    ) -> Outcome<T> {
        let until = self.policy.until(self.config.deadline_other);
        let once = || self.exchange(priority, call, until, read);
        self.policy.retried_once(until, once).await
    }

    /// Write: sent once.
    async fn write<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        read: fn(&Response) -> Outcome<T>,
    ) -> Outcome<T> {
        self.exchange(
            priority,
            call,
            self.policy.until(self.config.deadline_post),
            read,
        )
        .await
    }

    /// All pages, each with its own deadline. The result needs all of them: one unreadable page
    /// makes it unknown.
    async fn pages<T: Send>(
        &self,
        priority: Priority,
        call: impl Fn(Option<&str>) -> Call + Send + Sync,
        read: fn(&Response) -> Outcome<Page<T>>,
    ) -> Outcome<Vec<T>> {
        self.listing(usize::MAX, priority, call, read)
            .await
            .and_then(|all| match all.unreadable.first() {
                None => Outcome::Done(all.items),
                Some(spoiled) => {
                    malformed_response(format_args!("{}: {}", spoiled.id, spoiled.why))
                }
            })
    }

    /// Pages until the limit is reached; unreadable objects are reported separately.
    async fn listing<T: Send>(
        &self,
        most: usize,
        priority: Priority,
        call: impl Fn(Option<&str>) -> Call + Send + Sync,
        read: fn(&Response) -> Outcome<Page<T>>,
    ) -> Outcome<Listing<T>> {
        let mut all = Listing::default();
        let mut after: Option<String> = None;
        loop {
            match self.read(priority, &call(after.as_deref()), read).await {
                Outcome::Done(page) => {
                    all.items.extend(page.items);
                    all.unreadable.extend(page.unreadable);
                    match page.next.filter(|_| all.items.len() < most) {
                        Some(next) => after = Some(next),
                        None => {
                            all.items.truncate(most);
                            return Outcome::Done(all);
                        }
                    }
                }
                other => return other.map(|_| Listing::default()),
            }
        }
    }

    async fn exchange<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        until: Duration,
        read: fn(&Response) -> Outcome<T>,
    ) -> Outcome<T> {
        if let Err(not_sent) = self.on_our_account(until).await {
            return Outcome::TryLater(not_sent);
        }
        self.exchange_anyway(priority, call, until, read).await
    }

    /// Exchange without the account check.
    async fn exchange_anyway<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        until: Duration,
        read: fn(&Response) -> Outcome<T>,
    ) -> Outcome<T> {
        let key = format!("Bearer {}", self.config.secret_key.expose_secret());
        let mut request = http_request(&self.config.api_base, key, call);
        request.headers.extend(requests::missing_version(call));
        if let Some(key) = &call.idempotency_key {
            request
                .headers
                .push(("idempotency-key".to_owned(), key.clone()));
        }
        self.policy
            .exchange(
                priority,
                &call.operation,
                (request, &self.config.secret_key),
                until,
                read,
            )
            .await
    }

    /// `Err` when the key opens another account than the recorded one, or the account can't be
    /// determined.
    async fn on_our_account(&self, until: Duration) -> Result<(), Fault> {
        let Some(account) = &self.account else {
            return Ok(());
        };
        let mut seen = self.policy.within(until, account.seen().lock()).await?;
        let now = self.policy.now();
        if seen.is_ours(now) {
            return Ok(());
        }
        let call = requests::account();
        let opened = match seen.opened() {
            Some(opened) => opened.clone(),
            None => self
                .exchange_anyway(Priority::Critical, &call, until, responses::account)
                .await
                .answered()
                .map_err(|error| Fault {
                    permanent: false,
                    ..error
                })?,
        };
        let judged = account.verify_account(&mut seen, opened, now).await;
        self.policy.alarm(&call.operation, judged.as_ref().err());
        judged
    }
}
