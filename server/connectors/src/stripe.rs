//! Stripe: payments and refunds.
//!
//! ```text
//! pay ──── one POST: create and confirm        look-ups ── retrieve and list, never search: search lags
//! refund ─ one POST: the whole remainder       webhook ─── a doorbell; the object is read again
//! ```
//!
//! Every POST carries its `Idempotency-Key`. The same key with the same bytes is safe to send
//! again, and is the way to learn what became of it; nothing here ever makes a key.
//!
//! A reply speaks of the one sending it answers. `TryLater` to a call whose earlier sending ended
//! unknown does **not** say that the earlier one was not applied.

mod account;
mod answers;
mod config;
mod payments;
mod requests;
pub mod webhook;

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    call::{Call, Reply, System, Trouble},
    payment::Listing,
    ports::{AccountMemory, Clock, Entropy, HttpRequest, Transport},
};
use secrecy::ExposeSecret;

pub(crate) use account::OTHER_ACCOUNT;
pub(crate) use answers::{KEY_REFUSED, PERMISSION_MISSING};
pub use config::StripeConfig;

use crate::{
    Count, HealthStats,
    client_policy::{ClientPolicy, Priority},
    response::{Response, garbage, then},
};
use account::Account;
use answers::Page;

/// The API version everything here was written against.
const VERSION: &str = "2026-10-28.endive";

/// The client of one account.
#[derive(Debug)]
pub struct Stripe {
    config: StripeConfig,
    gate: ClientPolicy,
    account: Option<Account>,
}

impl Stripe {
    /// A client that has sent nothing yet.
    #[must_use]
    pub fn new(config: StripeConfig, transport: Arc<dyn Transport>, clock: Arc<dyn Clock>) -> Self {
        let gate = ClientPolicy::new(System::Stripe, config.limits, transport, clock);
        Self {
            config,
            gate,
            account: None,
        }
    }

    /// Spreads second tries of reads with this; without it they wait a fixed time.
    #[must_use]
    pub fn with_entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.gate.set_entropy(entropy);
        self
    }

    /// Sends nothing but with a key of the account that is remembered; without this, any account
    /// will do.
    #[must_use]
    pub fn with_account(mut self, memory: Arc<dyn AccountMemory>) -> Self {
        self.account = Some(Account::new(memory));
        self
    }

    /// HTTP exchanges so far by operation and outcome.
    #[must_use]
    pub fn counts(&self) -> Vec<Count> {
        self.gate.counts()
    }

    /// How the system has been lately.
    #[must_use]
    pub fn health_stats(&self) -> HealthStats {
        self.gate.health_stats()
    }

    /// A read: a second try where the first one certainly did not get through and may do better.
    async fn read<T: Send>(
        &self,
        way: Priority,
        call: &Call,
        read: fn(&Response) -> Reply<T>,
    ) -> Reply<T> {
        let until = self.gate.until(self.config.deadline_other);
        let reply = self.exchange(way, call, until, read).await;
        if self.gate.pause_for_second_try(&reply, until).await {
            return self.exchange(way, call, until, read).await;
        }
        reply
    }

    /// A write: sent once.
    async fn write<T: Send>(
        &self,
        way: Priority,
        call: &Call,
        read: fn(&Response) -> Reply<T>,
    ) -> Reply<T> {
        self.exchange(way, call, self.gate.until(self.config.deadline_post), read)
            .await
    }

    /// All pages, each with a deadline of its own. Whatever is made of them needs all of them: one
    /// that cannot be read leaves the whole unknown.
    async fn pages<T: Send>(
        &self,
        way: Priority,
        call: impl Fn(Option<&str>) -> Call + Send + Sync,
        read: fn(&Response) -> Reply<Page<T>>,
    ) -> Reply<Vec<T>> {
        then(
            self.listing(usize::MAX, way, call, read).await,
            |all| match all.unreadable.first() {
                None => Reply::Done(all.items),
                Some(spoiled) => garbage(format_args!("{}: {}", spoiled.id, spoiled.why)),
            },
        )
    }

    /// The same until there are so many; those that cannot be read are told apart.
    async fn listing<T: Send>(
        &self,
        most: usize,
        way: Priority,
        call: impl Fn(Option<&str>) -> Call + Send + Sync,
        read: fn(&Response) -> Reply<Page<T>>,
    ) -> Reply<Listing<T>> {
        let mut all = Listing::default();
        let mut after: Option<String> = None;
        loop {
            match self.read(way, &call(after.as_deref()), read).await {
                Reply::Done(page) => {
                    all.items.extend(page.items);
                    all.unreadable.extend(page.unreadable);
                    match page.next.filter(|_| all.items.len() < most) {
                        Some(next) => after = Some(next),
                        None => {
                            all.items.truncate(most);
                            return Reply::Done(all);
                        }
                    }
                }
                other => return other.map(|_| Listing::default()),
            }
        }
    }

    async fn exchange<T: Send>(
        &self,
        way: Priority,
        call: &Call,
        until: Duration,
        read: fn(&Response) -> Reply<T>,
    ) -> Reply<T> {
        if let Err(not_sent) = self.on_our_account(until).await {
            return Reply::TryLater(not_sent);
        }
        self.exchange_anyway(way, call, until, read).await
    }

    /// Whatever account it is.
    async fn exchange_anyway<T: Send>(
        &self,
        way: Priority,
        call: &Call,
        until: Duration,
        read: fn(&Response) -> Reply<T>,
    ) -> Reply<T> {
        match self.try_exchange(way, call, until).await {
            Ok(heard) => {
                let reply = read(&heard);
                self.gate.note(&call.operation, &reply);
                reply
            }
            Err(not_sent) => Reply::TryLater(not_sent),
        }
    }

    /// `Err` when the key opens another account than our payments are on, or nobody can say which
    /// one it opens.
    async fn on_our_account(&self, until: Duration) -> Result<(), Trouble> {
        let Some(account) = &self.account else {
            return Ok(());
        };
        let mut seen = self.gate.within(until, account.seen().lock()).await?;
        let now = self.gate.now();
        if seen.is_ours(now) {
            return Ok(());
        }
        let call = requests::account();
        let opened = match seen.opened() {
            Some(opened) => opened.clone(),
            None => match self
                .exchange_anyway(Priority::Critical, &call, until, answers::account)
                .await
            {
                Reply::Done(opened) => opened,
                Reply::TryLater(trouble) | Reply::Refused(trouble) | Reply::Unknown(trouble) => {
                    return Err(trouble);
                }
            },
        };
        let judged = account.judge(&mut seen, opened, now).await;
        self.gate.alarm(&call.operation, judged.as_ref().err());
        judged
    }

    /// `Err` when nothing was sent.
    async fn try_exchange(
        &self,
        way: Priority,
        call: &Call,
        until: Duration,
    ) -> Result<Response, Trouble> {
        let _place = self.gate.enter(way, until).await?;
        let heard = self.gate.send(self.request(call), until).await?;
        match &heard {
            Ok(response) => tracing::debug!(
                operation = call.operation,
                status = response.status,
                request_id = response.header("request-id"),
                replayed = response.header("idempotent-replayed"),
                "stripe responded"
            ),
            Err(error) => {
                tracing::debug!(operation = call.operation, %error, "stripe did not respond")
            }
        }
        Ok(heard)
    }

    fn request(&self, call: &Call) -> HttpRequest {
        let mut headers = vec![
            (
                "authorization".to_owned(),
                format!("Bearer {}", self.config.secret_key.expose_secret()),
            ),
            ("stripe-version".to_owned(), VERSION.to_owned()),
            ("accept".to_owned(), "application/json".to_owned()),
        ];
        headers.extend(call.headers.iter().cloned());
        headers.extend(
            call.idempotency_key
                .iter()
                .map(|key| ("idempotency-key".to_owned(), key.clone())),
        );
        HttpRequest {
            method: call.method.clone(),
            url: format!(
                "{}{}",
                self.config.api_base.trim_end_matches('/'),
                call.path
            ),
            headers,
            body: call.body.clone().into_bytes(),
        }
    }
}
