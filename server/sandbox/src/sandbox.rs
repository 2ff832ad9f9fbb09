//! Sandbox.

mod admin;
mod error_responses;
mod handle_request;
mod http_exchange;
mod model_call;
mod pending_requests;
mod persist;
mod sandbox_state;
mod seed_cache;
mod stripe_admin;
mod webhook_delivery;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use dewy_domain::{
    hotel_calendar::HotelCalendar,
    ports::{Clock, HttpRequest},
};
use jiff::{Timestamp, civil::Date};
use serde_json::{Map, Value, json};

use crate::salesforce::OrgSettings;
use crate::sandbox_file::{DiskError, SandboxFile};
use crate::stripe::{ExternalPayment, KeySettings};
use crate::{CallEntry, Fault, Latency};
pub(crate) use http_exchange::ConnectionReset;
pub(crate) use model_call::PendingResponse;
use sandbox_state::SandboxState;

/// All simulators together. Clones share their state.
#[derive(Clone)]
pub struct Sandbox(Arc<Inner>);

struct Inner {
    clock: Arc<dyn Clock>,
    calendar: HotelCalendar,
    state: Mutex<SandboxState>,
    disk: Option<SandboxFile>,
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sandbox")
    }
}

impl Sandbox {
    /// Seeded in-memory sandbox; cheap, and deterministic for a clock and a seed.
    #[must_use]
    pub fn in_memory(clock: Arc<dyn Clock>, seed: u64) -> Self {
        let day = HotelCalendar::default().today(clock.now());
        let state = Mutex::new(SandboxState::new(seed, day, false));
        Self(Arc::new(Inner {
            clock,
            calendar: HotelCalendar::default(),
            state,
            disk: None,
        }))
    }

    /// Sandbox with a file; an empty one is seeded with 1 and today's date (UTC).
    ///
    /// # Errors
    /// When the file can't be used.
    pub async fn open(clock: Arc<dyn Clock>, path: impl AsRef<Path>) -> Result<Self, DiskError> {
        Self::open_in(clock, path, HotelCalendar::default()).await
    }

    /// Like [`open`](Self::open), with the hotel's day.
    ///
    /// # Errors
    /// When the file can't be used.
    pub async fn open_in(
        clock: Arc<dyn Clock>,
        path: impl AsRef<Path>,
        calendar: HotelCalendar,
    ) -> Result<Self, DiskError> {
        let disk = SandboxFile::open(path.as_ref()).await?;
        let day = calendar.today(clock.now());
        let remembered = SandboxState::restore(
            disk.load("salesforce").await?,
            disk.load("stripe").await?,
            disk.load("twilio").await?,
            disk.load("core").await?,
        );
        let mut state = remembered.unwrap_or_else(|| SandboxState::new(1, day, true));
        disk.queue(state.take_writes());
        disk.flush().await?;
        Ok(Self(Arc::new(Inner {
            clock,
            calendar,
            state: Mutex::new(state),
            disk: Some(disk),
        })))
    }

    /// Sets the URL that browsers use for the bank's page; by default the address each caller used.
    pub fn set_public_base(&self, url: &str) {
        self.with(|state| state.public_base = Some(url.trim_end_matches('/').to_owned()));
    }

    #[must_use]
    pub fn seed_day(&self) -> Date {
        self.with(|state| state.day)
    }

    /// Injects a fault; the first matching one applies to a call.
    pub fn add_fault(&self, fault: Fault) {
        self.with(|state| state.add_fault(fault));
    }

    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        self.with(|state| {
            state
                .faults
                .iter()
                .map(|active| active.fault.clone())
                .collect()
        })
    }

    pub fn clear_faults(&self) {
        self.with(SandboxState::clear_faults);
    }

    /// All calls in the order of arrival.
    #[must_use]
    pub fn calls(&self) -> Vec<CallEntry> {
        self.with(|state| state.calls.clone())
    }

    /// Whether both share their records.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// All records of all systems, with their API field names.
    #[must_use]
    pub fn state(&self) -> Value {
        self.with_now(|state, now| {
            let sandbox = json!({"seed": state.seed, "seed_day": state.day.to_string()});
            // `json!` would copy each of them
            let systems = [
                ("salesforce", state.org.state()),
                ("stripe", state.stripe.state()),
                ("twilio", state.twilio.state(now)),
                ("sandbox", sandbox),
            ];
            let systems = systems.map(|(name, records)| (name.to_owned(), records));
            Value::Object(systems.into_iter().collect())
        })
    }

    /// All records of a Salesforce object, with their API field names.
    #[must_use]
    pub fn records(&self, object: &str) -> Vec<Value> {
        self.with(|state| state.org.rows(object))
    }

    /// All records of the Stripe account.
    #[must_use]
    pub fn stripe_state(&self) -> Value {
        self.with(|state| state.stripe.state())
    }

    /// Edits a Salesforce record as another user.
    ///
    /// # Errors
    /// Salesforce's message.
    pub fn edit(&self, object: &str, id: &str, fields: &Map<String, Value>) -> Result<(), String> {
        self.with_now(|state, now| state.org.edit(object, id, fields, now))
    }

    #[must_use]
    pub fn org_settings(&self) -> OrgSettings {
        self.with(|state| state.org.settings().clone())
    }

    /// Replaces the settings of the Salesforce org.
    pub fn set_org_settings(&self, settings: OrgSettings) {
        self.with(|state| state.org.set_settings(settings));
    }

    /// Clears optional fields of Salesforce records; see [`crate::salesforce::Org::blank`].
    ///
    /// # Errors
    /// A message.
    pub fn blank(
        &self,
        object: &str,
        id: Option<&str>,
        fields: Option<&[String]>,
    ) -> Result<usize, String> {
        self.with_now(|state, now| state.org.blank(object, id, fields, now))
    }

    /// Sets a picklist field of a record to a word that the org has added to its picklist.
    ///
    /// # Errors
    /// As [`Org::set_word`](crate::salesforce::Org::set_word).
    pub fn set_word(&self, object: &str, id: &str, field: &str, word: &str) -> Result<(), String> {
        self.with_now(|state, now| state.org.set_word(object, id, field, word, now))
    }

    /// Marks every Salesforce record as last modified by the hotel's own user at this moment:
    /// within this second, no precondition on a stamp distinguishes two writes.
    pub fn stamp_all(&self) {
        self.with_now(|state, now| state.org.stamp_all(now));
    }

    /// Changes a refund's status (`failed`, `succeeded`, `canceled`), however long after it was
    /// created, with its events.
    ///
    /// # Errors
    /// A message.
    pub fn turn_refund(&self, id: &str, status: &str) -> Result<(), String> {
        self.with_now(|state, now| state.stripe.turn_refund_at(id, status, now))
    }

    /// Fails a payout to the hotel's bank account; returns its id.
    pub fn fail_payout(&self, amount: i64, failure: &str) -> String {
        self.with_now(|state, now| state.stripe.fail_payout_at(amount, failure, now))
    }

    /// Restricts Stripe's account, or lifts its restrictions.
    pub fn restrict_account(&self, settings: &crate::AccountSettings) {
        self.with_now(|state, now| state.stripe.restrict_at(settings, now));
    }

    /// Sends a card network's warning about a payment; returns the warning's id.
    ///
    /// # Errors
    /// A message.
    pub fn warn_of_fraud(&self, payment_intent: &str) -> Result<String, String> {
        self.with_now(|state, now| state.stripe.warn_of_fraud_at(payment_intent, now))
    }

    /// Opens a dispute on a charge, or on a payment's latest one.
    ///
    /// # Errors
    /// A message.
    pub fn dispute(&self, id: &str) -> Result<(), String> {
        self.with_now(|state, now| state.stripe.dispute_at(id, false, now))
    }

    /// Opens an inquiry about a charge, or a payment's latest one; [`Self::dispute`] turns it into a
    /// dispute.
    ///
    /// # Errors
    /// A message.
    pub fn inquire(&self, id: &str) -> Result<(), String> {
        self.with_now(|state, now| state.stripe.dispute_at(id, true, now))
    }

    /// Closes a dispute as `won` or `lost`.
    ///
    /// # Errors
    /// A message.
    pub fn close_dispute(&self, id: &str, status: &str) -> Result<(), String> {
        self.with_now(|state, now| state.stripe.close_dispute_at(id, status, now))
    }

    /// Creates a payment of another program or installation on the same account; returns its id.
    ///
    /// # Errors
    /// A message.
    pub fn pay_elsewhere(&self, order: &ExternalPayment) -> Result<String, String> {
        self.with_now(|state, now| state.stripe.external_payment_at(order, now))
    }

    /// Refunds a payment in Stripe's dashboard, partly or the whole remainder; returns the refund's
    /// id.
    ///
    /// # Errors
    /// A message.
    pub fn refund_elsewhere(
        &self,
        payment_intent: &str,
        amount: Option<i64>,
    ) -> Result<String, String> {
        self.with_now(|state, now| state.stripe.external_refund_at(payment_intent, amount, now))
    }

    /// Sets what a Stripe secret key opens.
    pub fn set_stripe_key(&self, key: &str, settings: &KeySettings) {
        self.with(|state| state.stripe.set_key(key, settings));
    }

    /// Leaves fields out of every Stripe response, each as `object.field`.
    pub fn omit_from_stripe(&self, fields: &[String]) {
        self.with(|state| state.stripe.omit(fields));
    }

    /// Resets to the seed, as of today. Latency, webhook endpoints and the org's settings stay.
    pub fn reset(&self, seed: u64) {
        let day = self.0.calendar.today(self.clock().now());
        self.with(|state| state.reset(seed, day));
    }

    pub fn set_latency(&self, latency: Latency) {
        self.with(|state| state.set_latency(latency));
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        self.0.clock.as_ref()
    }

    fn disk(&self) -> Option<&SandboxFile> {
        self.0.disk.as_ref()
    }

    /// The state, after all due changes were applied.
    fn with<T>(&self, act: impl FnOnce(&mut SandboxState) -> T) -> T {
        self.with_now(|state, _| act(state))
    }

    fn with_now<T>(&self, act: impl FnOnce(&mut SandboxState, Timestamp) -> T) -> T {
        let now = self.clock().now();
        self.with_raw(|state| {
            state.settle(now);
            act(state, now)
        })
    }

    fn with_raw<T>(&self, act: impl FnOnce(&mut SandboxState) -> T) -> T {
        act(&mut self.0.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn path(request: &HttpRequest) -> &str {
    crate::stripe::path(&request.url)
}

/// Scheme and host of an absolute URL.
fn origin(url: &str) -> String {
    let after_scheme = url.find("://").map_or(0, |at| at + 3);
    let end = url[after_scheme..]
        .find(['/', '?', '#'])
        .map_or(url.len(), |at| at + after_scheme);
    url[..end].to_owned()
}
