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
mod field_access;
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
mod used_fields;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use dewy_domain::{
    email_address::EmailAddress,
    ports::{Clock, Entropy, Transport, TransportError},
    stay::Stay,
    upstream_request::{Call, Reply, System, UpstreamError},
    vocabulary::FaultCode,
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
use field_access::Lesson;
use org_check::Described;
use requests::Requests;
use responses::{BookingFilter, ContactRow, OpportunityRow};
use session::{Session, Sessions};
use used_fields::Need;

/// Maximum number of booking numbers in one query: a URL may have 16 KB.
const MAX_NUMBERS_PER_QUERY: usize = 100;

/// Operations that write.
const WRITES: [&str; 4] = ["composite", "create", "update", "upsert"];

/// Error code of a request that named a field which is left out from now on.
const LEFT_OUT: &str = "field_left_out";
/// The same for a field that only reads can leave out.
const READS_LEAVE_OUT: &str = "field_left_out_of_reads";
/// Error code of a request that followed a hidden lookup.
const RELATIONSHIP: &str = "relationship_hidden";

/// Objects as the org describes them.
type Org = BTreeMap<&'static str, Option<Described>>;

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
            access: Arc::default(),
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
        HealthStats {
            hidden: self.requests.access.hidden(),
            ..self.gate.health_stats()
        }
    }

    /// Fields of an object that we use and can do without, by their API names.
    pub fn optional_fields() -> impl Iterator<Item = (&'static str, &'static str)> {
        used_fields::USED.into_iter().flat_map(|(object, fields)| {
            let optional = fields.iter().filter(|(.., need)| *need != Need::Required);
            optional.map(move |(field, ..)| (object, *field))
        })
    }

    /// Learns which fields our user can't see or write, from the org's description of its objects:
    /// one call per object.
    pub async fn learn_fields(&self) -> Reply<()> {
        self.describe().await.map(|org| {
            self.requests.access.describe(&org);
        })
    }

    /// Whether any field that we use is hidden or read-only, as far as is known.
    #[must_use]
    pub fn hides_fields(&self) -> bool {
        !self.requests.access.hidden().is_empty()
    }

    /// Requirements that this org lacks: objects, fields, permissions, picklist values, the account
    /// of new guests; and its words that we don't know. Some twenty calls, for the operator and not
    /// for guests.
    pub async fn check_org(&self) -> Reply<OrgCheck> {
        let org = match self.describe().await {
            Reply::Done(org) => org,
            other => return other.map(|_| OrgCheck::default()),
        };
        self.requests.access.describe(&org);
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

    /// Objects that we use, each as the org describes it; `None` for an unknown one.
    async fn describe(&self) -> Reply<Org> {
        let mut org = Org::new();
        for object in org_check::objects() {
            let call = self.requests.describe(object);
            let described = match self.read(Priority::Normal, &call, responses::object).await {
                Reply::Done(described) => Some(described),
                Reply::Refused(error) if error.code == "NOT_FOUND" => None,
                other => return other.map(|_| Org::new()),
            };
            org.insert(object, described);
        }
        Reply::Done(org)
    }

    async fn read<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        read: fn(&Response) -> Reply<T>,
    ) -> Reply<T> {
        self.read_built(priority, || self.requests.visible(call), read)
            .await
    }

    /// Read whose request is built again when a field turns out to be hidden that it can do without.
    async fn read_built<T: Send>(
        &self,
        priority: Priority,
        build: impl Fn() -> Call + Send + Sync,
        read: fn(&Response) -> Reply<T>,
    ) -> Reply<T> {
        let until = self.gate.until(self.config.deadline);
        let mut call = build();
        // Salesforce names one hidden field at a time
        loop {
            let once = || self.exchange(priority, &call, until, read);
            let reply = self.gate.retried_once(until, once).await;
            let error = match reply {
                Reply::TryLater(error) if is_left_out(&error) => error,
                other => return other,
            };
            if error.code == RELATIONSHIP {
                // Boxed, because a description is a read, too
                Box::pin(self.relearn()).await;
            }
            let again = build();
            if again == call {
                return Reply::TryLater(self.needed(&call, error));
            }
            call = again;
        }
    }

    /// Error for a request that makes no sense without the field that it names; raises an alarm.
    fn needed(&self, call: &Call, error: UpstreamError) -> UpstreamError {
        let named = |name: &str| error.details["hidden"][name].as_str().unwrap_or_default();
        let field = match (named("object"), named("field")) {
            (_, "") => String::new(),
            ("", field) => field.to_owned(),
            (object, field) => format!("{object}.{field}"),
        };
        let error = field_access::needed(&field, error);
        self.gate.alarm(&call.operation, Some(&error));
        error
    }

    /// Learns the fields anew; false if that brought nothing new.
    async fn relearn(&self) -> bool {
        match self.describe().await {
            Reply::Done(org) => self.requests.access.describe(&org),
            _ => false,
        }
    }

    /// Write: sent once.
    async fn write<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        read: fn(&Response) -> Reply<T>,
    ) -> Reply<T> {
        let until = self.gate.until(self.config.deadline);
        match self.exchange(priority, call, until, read).await {
            Reply::TryLater(error) if is_left_out(&error) => {
                let rebuild = match error.code.as_str() {
                    RELATIONSHIP => self.relearn().await,
                    code => code == LEFT_OUT,
                };
                if !rebuild {
                    return Reply::TryLater(self.needed(call, error));
                }
                // Nothing was written: to be looked up, and built anew without the field
                Reply::Refused(UpstreamError {
                    code: FaultCode::GuardFailed.to_string(),
                    ..error
                })
            }
            other => other,
        }
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
                    Ok(response) => self.hidden_field(read(&response)),
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

    /// What a refusal means that names a field: with one that we can do without, the request is built
    /// anew; without one that we need, nothing is possible until an operator shows it to our user.
    fn hidden_field<T>(&self, reply: Reply<T>) -> Reply<T> {
        let Reply::Refused(error) = reply else {
            return reply;
        };
        let again = |code: &str, error| {
            let code = code.to_owned();
            Reply::TryLater(UpstreamError { code, ..error })
        };
        match self.requests.access.learn(&error) {
            Lesson::Nothing => Reply::Refused(error),
            Lesson::LeftOut { rebuild: true } => again(LEFT_OUT, error),
            Lesson::LeftOut { rebuild: false } => again(READS_LEAVE_OUT, error),
            Lesson::Relationship => again(RELATIONSHIP, error),
            Lesson::Needed(field) => Reply::TryLater(field_access::needed(&field, error)),
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
        let again = match &response {
            Ok(response) if response.status == 401 => Some("expired_session"),
            // The org may have moved to another host
            other if is_elsewhere(other) && self.sessions.may_drop(self.gate.uptime()) => {
                Some(if other.is_err() { "connect" } else { "moved" })
            }
            _ => None,
        };
        let Some(why) = again else {
            return Ok(response);
        };
        let renewed = self
            .sessions
            .get(Some(&session), &self.config, &self.gate, until)
            .await;
        // What somebody else made of a write is not known: it is looked up at the new host
        if why == "moved" && WRITES.contains(&call.operation.as_str()) {
            return Ok(response);
        }
        self.gate.count_aside(&call.operation, why);
        let session = renewed?;
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
            &self.requests.contacts(email),
            responses::query,
        )
        .await
    }
}

/// Whether the host that a session names is not the org's any more: it can't be reached, or something
/// else answers there, such as a page about the move.
fn is_elsewhere(response: &Response) -> bool {
    match response {
        Err(TransportError::Connect(_)) => true,
        Err(_) => false,
        Ok(response) => {
            let own = response
                .body
                .iter()
                .find(|byte| !byte.is_ascii_whitespace())
                .is_some_and(|first| matches!(first, b'[' | b'{'));
            let moved =
                str::from_utf8(&response.body).is_ok_and(|body| body.contains("\"URL_NOT_RESET\""));
            match response.status {
                200 => !own,
                300..400 | 404 | 410 | 421 => !own || moved,
                400..500 => moved,
                _ => false,
            }
        }
    }
}

/// Whether the request may be built anew, without a field that it named.
fn is_left_out(error: &UpstreamError) -> bool {
    [LEFT_OUT, READS_LEAVE_OUT, RELATIONSHIP].contains(&error.code.as_str())
}
