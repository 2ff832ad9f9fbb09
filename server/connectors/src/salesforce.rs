//! Salesforce: the system of record for guests, bookings, rooms and opportunities.
//!
//! ```text
//! stays ─────────── 1 SOQL          check_out ─ 1 composite, all or none, ending with its own trace
//! in_house ──────── 1 SOQL          check_in ── 1 composite, likewise; also charge and void_charge
//! check_out_records, contact ─ 1 SOQL          revert ──── 1 composite, or 1 all-or-none create of the lines
//! stays_in_house ── 1 SOQL          change_probe, stay_overview ── 1 composite that only reads
//! stays_by_number ─ 1 SOQL          record_text ─ 1 upsert by a unique key: the one write that may be repeated
//! ```
//!
//! Salesforce has no idempotency keys, so a write is never repeated here. A caller with an unknown
//! outcome looks for the marker ([`Crm::check_out_records`](dewy_domain::ports::Crm::check_out_records)). The one exception is an expired session, which
//! Salesforce rejects before it processes the request: one refresh, one replay.

mod api_usage;
mod composite;
mod config;
mod crm;
mod currency_check;
mod fields;
mod front_desk_ports;
mod name_pattern;
mod org_check;
mod org_vocabulary;
mod query_pages;
mod requests;
mod responses;
mod session;
pub mod soql;
mod unknown_words;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use dewy_domain::{
    email_address::EmailAddress,
    ports::{Clock, Entropy, Transport},
    stay::Stay,
    upstream_request::{Call, Reply, System, UpstreamError},
};

pub use config::SalesforceConfig;
pub use currency_check::OrgCurrency;
pub use org_check::{MissingRequirement, OrgCheck};
pub use org_vocabulary::{OrgVocabulary, OrgWord, Picklist};
use unknown_words::Collected;
pub use unknown_words::UnknownWords;

use crate::{
    Count, HealthStats,
    client_policy::{ClientPolicy, Priority, http_request},
    exchange_result::{Response, then},
};
use api_usage::Usage;
use requests::Requests;
use responses::{BookingFilter, ContactRow, OpportunityRow};
use session::{Session, Sessions};

/// Maximum number of booking numbers in one query: a URL may have 16 KB.
const MAX_NUMBERS_PER_QUERY: usize = 100;

/// Error code for a list longer than the limit.
const TOO_MANY: &str = "too_many_rows";

/// Client of one org.
#[derive(Debug)]
pub struct Salesforce {
    config: SalesforceConfig,
    requests: Requests,
    gate: ClientPolicy,
    sessions: Sessions,
    usage: Usage,
}

impl Salesforce {
    /// Creates a client; sends nothing yet.
    #[must_use]
    pub fn new(
        config: SalesforceConfig,
        transport: Arc<dyn Transport>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let requests = Requests {
            api_version: config.api_version.clone(),
            vocabulary: config.vocabulary.clone(),
            time_zone: config.time_zone.clone(),
            allow_duplicates: config.allow_duplicates,
            guest_account: config.guest_account.clone(),
            country: config.country,
        };
        let gate = ClientPolicy::new(System::Salesforce, config.limits, transport, clock);
        Self {
            config,
            requests,
            gate,
            sessions: Sessions::default(),
            usage: Usage::default(),
        }
    }

    /// Source of jitter for retries of reads; without it they wait a fixed time.
    #[must_use]
    pub fn with_entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.gate.set_entropy(entropy);
        self
    }

    /// HTTP exchanges so far by operation and outcome, token requests included.
    #[must_use]
    pub fn counts(&self) -> Vec<Count> {
        self.gate.counts()
    }

    /// Recent health of the system.
    #[must_use]
    pub fn health_stats(&self) -> HealthStats {
        self.gate.health_stats()
    }

    /// Requirements that this org lacks: objects, fields, permissions, picklist values, the account
    /// of new guests; and its words that we don't know. Some twenty calls, for the operator and not
    /// for guests.
    pub async fn check_org(&self) -> Reply<OrgCheck> {
        let mut org = BTreeMap::new();
        for object in org_check::objects() {
            let described = match self
                .read(
                    Priority::Normal,
                    &self.requests.describe(object),
                    responses::object,
                )
                .await
            {
                Reply::Done(described) => Some(described),
                Reply::Refused(error) if error.code == "NOT_FOUND" => None,
                other => return other.map(|_| OrgCheck::default()),
            };
            org.insert(object, described);
        }
        let mut lacks = org_check::lacks(&org, &self.config.vocabulary);
        if let Some(id) = &self.config.guest_account {
            let rows = self
                .read(
                    Priority::Normal,
                    &self.requests.account(id),
                    responses::query::<serde::de::IgnoredAny>,
                )
                .await;
            match rows.answered() {
                Ok(rows) if rows.is_empty() => lacks.push(MissingRequirement::Account(id.clone())),
                Ok(_) => {}
                // Not even an id: its check characters are wrong.
                Err(error) if error.code == "INVALID_QUERY_FILTER_OPERATOR" => {
                    lacks.push(MissingRequirement::Account(id.clone()));
                }
                Err(error) => return Reply::TryLater(error),
            }
        }
        let mut unknown = Collected::described(&org, &self.config.vocabulary);
        for (list, soql) in unknown.queries() {
            let rows = self
                .read(
                    Priority::Normal,
                    &self.requests.query(&soql),
                    responses::query::<unknown_words::Row>,
                )
                .await;
            match rows {
                Reply::Done(rows) => unknown.add_rows(list, &rows),
                Reply::Refused(_) => {}
                other => return other.map(|_| OrgCheck::default()),
            }
        }
        Reply::Done(OrgCheck {
            lacks,
            unknown_words: unknown.finish(),
        })
    }

    async fn read<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        read: fn(&Response) -> Reply<T>,
    ) -> Reply<T> {
        let until = self.gate.until(self.config.deadline);
        let once = || self.exchange(priority, call, until, read);
        self.gate.retried_once(until, once).await
    }

    /// Write: sent once.
    async fn write<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        read: fn(&Response) -> Reply<T>,
    ) -> Reply<T> {
        self.exchange(priority, call, self.gate.until(self.config.deadline), read)
            .await
    }

    async fn exchange<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        until: Duration,
        read: fn(&Response) -> Reply<T>,
    ) -> Reply<T> {
        match self.try_exchange(priority, call, until).await {
            Ok(response) => {
                let reply = match self.whole(priority, response, until).await {
                    Ok(response) => read(&response),
                    Err(error) if call.method == "GET" && error.code == TOO_MANY => {
                        Reply::Refused(error)
                    }
                    // A read can be retried; the effect of a write is unknown.
                    Err(error) if call.method == "GET" => Reply::TryLater(error),
                    Err(error) => Reply::Unknown(error),
                };
                self.gate.note(&call.operation, &reply);
                reply
            }
            Err(not_sent) => then(not_sent, |()| {
                Reply::TryLater(UpstreamError::new("not_sent", "nothing was sent"))
            }),
        }
    }

    /// Response with all pages of its lists.
    async fn whole(
        &self,
        priority: Priority,
        response: Response,
        until: Duration,
    ) -> Result<Response, UpstreamError> {
        let Ok(mut response) = response else {
            return Ok(response);
        };
        if response.status != 200 || !query_pages::may_be_cut(&response.body) {
            return Ok(Ok(response));
        }
        let cut_off = |words: &str| UpstreamError::new(TOO_MANY, words);
        let mut body =
            String::from_utf8(response.body).map_err(|_| cut_off("a page is not UTF-8"))?;
        let mut fetched = 0;
        while let Some(cut) = query_pages::first_truncated_list(&body) {
            fetched += 1;
            if fetched > query_pages::MAX_PAGES {
                return Err(cut_off("the result has more pages than the limit"));
            }
            if !cut.next.starts_with("/services/data/") {
                return Err(cut_off("the next page's address is not part of this API"));
            }
            let call = Requests::page(&cut.next);
            let response = self.try_exchange(priority, &call, until).await;
            let response = response.map_err(|_| cut_off("a further page was not requested"))?;
            let page = responses::object::<query_pages::Page>(&response);
            self.gate.note(&call.operation, &page);
            let page = page.answered()?;
            body = query_pages::joined(&body, &cut, &page)
                .ok_or_else(|| cut_off("a further page does not match its list"))?;
        }
        response.body = body.into_bytes();
        Ok(Ok(response))
    }

    /// `Err` when the call itself was not sent.
    async fn try_exchange(
        &self,
        priority: Priority,
        call: &Call,
        until: Duration,
    ) -> Result<Response, Reply<()>> {
        let _place = self
            .gate
            .enter(priority, until)
            .await
            .map_err(Reply::TryLater)?;
        let session = self
            .sessions
            .get(None, &self.config, &self.gate, until)
            .await?;
        let response = self.send(&session, call, until).await?;
        if !matches!(&response, Ok(response) if response.status == 401) {
            return Ok(response);
        }
        self.gate.count(&call.operation, "expired_session");
        let session = self
            .sessions
            .get(Some(&session), &self.config, &self.gate, until)
            .await?;
        self.send(&session, call, until).await
    }

    async fn send(
        &self,
        session: &Session,
        call: &Call,
        until: Duration,
    ) -> Result<Response, Reply<()>> {
        let request = http_request(&session.base, session.bearer(), call);
        let response = self
            .gate
            .send(&call.operation, request, until)
            .await
            .map_err(Reply::TryLater)?;
        if let Ok(response) = &response {
            self.usage.record(response, self.gate.now());
        }
        Ok(response)
    }

    async fn folios(
        &self,
        priority: Priority,
        call: &Call,
        wanted: BookingFilter<'_>,
    ) -> Reply<Vec<Stay>> {
        let rows = self
            .read(priority, call, responses::query::<OpportunityRow>)
            .await;
        then(rows, |rows| {
            responses::stays(rows, wanted, &self.config.vocabulary)
        })
    }

    async fn contact_rows(&self, email: &EmailAddress) -> Reply<Vec<ContactRow>> {
        // In SOQL the empty text also equals null: it would match a contact without an email.
        if email.is_empty() {
            return Reply::Done(Vec::new());
        }
        self.read(
            Priority::LookUp,
            &self.requests.contact(email),
            responses::query,
        )
        .await
    }
}
