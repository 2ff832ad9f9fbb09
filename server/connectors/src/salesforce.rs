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
mod exchange;
mod field_access;
mod fields;
mod front_desk_ports;
mod name_pattern;
mod org_check;
mod org_vocabulary;
mod query_pages;
mod reads_and_writes;
mod requests;
mod responses;
mod session;
pub mod soql;
mod unknown_words;
mod used_fields;

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
    time::Duration,
};

use dewy_domain::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    ports::{Clock, Entropy, HiddenField, Transport, WithoutField},
    stay::Stay,
    upstream_request::{Call, Fault, Outcome, System},
};

pub use config::SalesforceConfig;
pub use currency_check::OrgCurrency;
pub use org_check::{MissingRequirement, OrgCheck};
pub use org_vocabulary::{OrgVocabulary, OrgWord, Picklist};
use serde::de::IgnoredAny;
use tokio::sync::Mutex;
use unknown_words::Collected;
pub use unknown_words::UnknownWords;

use crate::{
    Count, HealthStats,
    client_policy::{ClientPolicy, Priority},
};
use api_usage::Usage;
use org_check::Described;
use requests::Requests;
use responses::{BookingFilter, ContactRow};
use session::Sessions;
use used_fields::Need;

/// Maximum number of booking numbers in one query: a URL may have 16 KB.
const MAX_NUMBERS_PER_QUERY: usize = 100;

/// Objects that every read of stays joins.
const OF_STAYS: [&str; 4] = [
    "Booking__c",
    "Hotel_Room__c",
    "Opportunity",
    "Payment_Transaction__c",
];

/// Objects as the org describes them.
type Org = BTreeMap<&'static str, Option<Described>>;

/// Minimum pause between two descriptions of the org that failed requests cause.
const RELEARN_PAUSE: Duration = Duration::from_secs(60);

/// Client of one org.
#[derive(Debug)]
pub struct Salesforce {
    config: SalesforceConfig,
    requests: Requests,
    policy: ClientPolicy,
    sessions: Sessions,
    usage: Usage,
    /// When the fields were last learned anew, by [`ClientPolicy::uptime`], and whether that brought
    /// anything new.
    relearned: Mutex<Option<(Duration, bool)>>,
    /// A booking number of the org.
    shown: OnceLock<BookingNumber>,
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
        let policy = ClientPolicy::new(System::Salesforce, config.limits, transport, clock);
        Self {
            config,
            requests,
            policy,
            sessions: Sessions::default(),
            usage: Usage::default(),
            relearned: Mutex::default(),
            shown: OnceLock::new(),
        }
    }

    /// Source of jitter for retries of reads; without it they wait a fixed time.
    #[must_use]
    pub fn with_entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.policy.set_entropy(entropy);
        self
    }

    /// HTTP exchanges so far by operation and outcome, token requests included.
    #[must_use]
    pub fn counts(&self) -> Vec<Count> {
        self.policy.counts()
    }

    /// Recent health of the system.
    #[must_use]
    pub fn health_stats(&self) -> HealthStats {
        HealthStats {
            hidden: self.requests.access.hidden(),
            ..self.policy.health_stats()
        }
    }

    /// Fields that we use, by the API names of their objects and their own, and whether we can do
    /// without them.
    pub fn used_fields() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
        used_fields::USED.into_iter().flat_map(|(object, fields)| {
            let used = fields.iter();
            used.map(move |(field, _, need)| {
                let optional = matches!(need, Need::Optional | Need::Shown);
                (object, *field, optional)
            })
        })
    }

    /// The field without which all pages that show stays fail, if one is hidden as far as is known.
    #[must_use]
    pub fn stopped_by(&self) -> Option<String> {
        let hidden = self.requests.access.hidden();
        let stops = |field: &&HiddenField| {
            field.without == WithoutField::Everything && OF_STAYS.contains(&field.object)
        };
        let field = hidden.iter().find(stops)?;
        Some(format!("{}.{}", field.object, field.field))
    }

    /// Learns which fields our user can't see or write, from the org's description of its objects:
    /// one call per object.
    pub async fn learn_fields(&self) -> Outcome<()> {
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
    pub async fn check_org(&self) -> Outcome<OrgCheck> {
        let org = match self.describe().await {
            Outcome::Done(org) => org,
            other => return other.map(|_| OrgCheck::default()),
        };
        self.requests.access.describe(&org);
        let mut lacks = org_check::lacks(&org, &self.config.vocabulary);
        if let Some(id) = &self.config.guest_account {
            let call = self.requests.account(id);
            let rows: Outcome<Vec<IgnoredAny>> = self.rows(Priority::Normal, &call).await;
            match rows.answered() {
                Ok(rows) if rows.is_empty() => lacks.push(MissingRequirement::Account(id.clone())),
                Ok(_) => {}
                // Not even an id: its check characters are wrong.
                Err(error) if error.code == "INVALID_QUERY_FILTER_OPERATOR" => {
                    lacks.push(MissingRequirement::Account(id.clone()));
                }
                Err(error) => return Outcome::TryLater(error),
            }
        }
        let mut unknown = Collected::described(&org, &self.config.vocabulary);
        for (list, soql) in unknown.queries() {
            match self
                .rows(Priority::Normal, &self.requests.query(&soql))
                .await
            {
                Outcome::Done(rows) => unknown.add_rows(list, &rows),
                Outcome::Refused(_) => {}
                other => return other.map(|_| OrgCheck::default()),
            }
        }
        Outcome::Done(OrgCheck {
            lacks,
            unknown_words: unknown.finish(),
        })
    }

    /// Objects that we use, each as the org describes it; `None` for an unknown one.
    async fn describe(&self) -> Outcome<Org> {
        let mut org = Org::new();
        for object in org_check::objects() {
            let call = self.requests.describe(object);
            let until = self.policy.until(self.config.deadline);
            let once = || self.exchange(Priority::Normal, &call, until, responses::object);
            let described = match self.policy.retried_once(until, once).await {
                Outcome::Done(described) => Some(described),
                Outcome::Refused(error) if error.code == "NOT_FOUND" => None,
                other => return other.map(|_| Org::new()),
            };
            org.insert(object, described);
        }
        Outcome::Done(org)
    }

    /// Error for a request that makes no sense without the field that it names; raises an alarm.
    fn needed(&self, call: &Call, error: Fault) -> Fault {
        let named = |name: &str| error.details["hidden"][name].as_str().unwrap_or_default();
        let field = match (named("object"), named("field")) {
            (_, "") => (self.requests.access)
                .hidden_lookup(named("relationship"))
                .unwrap_or_default(),
            ("", field) => field.to_owned(),
            (object, field) => format!("{object}.{field}"),
        };
        let error = field_access::needed(&field, error);
        self.policy.alarm(&call.operation, Some(&error));
        error
    }

    /// Learns the fields anew, at most once a minute, for a request of this time; false if that
    /// brought nothing new since.
    async fn relearn(&self, built: Duration) -> bool {
        let mut relearned = self.relearned.lock().await;
        let now = self.policy.uptime();
        match *relearned {
            Some((at, news)) if at >= built => return news,
            Some((at, _)) if now.saturating_sub(at) < RELEARN_PAUSE => return false,
            _ => {}
        }
        let news = match self.describe().await {
            Outcome::Done(org) => self.requests.access.describe(&org),
            _ => false,
        };
        *relearned = Some((self.policy.uptime(), news));
        news
    }

    async fn folios(
        &self,
        priority: Priority,
        call: &Call,
        wanted: BookingFilter<'_>,
    ) -> Outcome<Vec<Stay>> {
        let rows = self.rows(priority, call).await;
        let stays = rows.and_then(|rows| responses::stays(rows, wanted, &self.config.vocabulary));
        if let Outcome::Done(stays) = &stays
            && let Some(first) = stays.first()
        {
            self.shown.get_or_init(|| first.booking.number.clone());
        }
        stays
    }

    async fn contact_rows(&self, email: &EmailAddress) -> Outcome<Vec<ContactRow>> {
        // In SOQL the empty text also equals null: it would match a contact without an email.
        if email.is_empty() {
            return Outcome::Done(Vec::new());
        }
        self.rows(Priority::LookUp, &self.requests.contacts(email))
            .await
    }
}
