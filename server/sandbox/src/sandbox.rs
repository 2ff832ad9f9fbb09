//! The sandbox itself.

mod admin;
mod chat;
mod events;
mod exchange;
mod failures;
mod handle_request;
mod pending;
mod persist;
mod seeded;
mod stripe_orders;
mod world;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use dewy_domain::ports::{Clock, HttpRequest};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use crate::disk::{Disk, DiskError};
use crate::salesforce::OrgSettings;
use crate::stripe::{KeySettings, PaymentElsewhere};
use crate::{CallEntry, Fault, Latency};
pub(crate) use chat::Telling;
pub(crate) use exchange::Lost;
use world::World;

/// All look-alikes behind one door. Clones are the same sandbox.
#[derive(Clone)]
pub struct Sandbox(Arc<Inner>);

struct Inner {
    clock: Arc<dyn Clock>,
    zone: TimeZone,
    world: Mutex<World>,
    disk: Option<Disk>,
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sandbox")
    }
}

impl Sandbox {
    /// A seeded sandbox without a disk; cheap, and the same for the same clock and seed.
    #[must_use]
    pub fn in_memory(clock: Arc<dyn Clock>, seed: u64) -> Self {
        let day = clock.now().to_zoned(TimeZone::UTC).date();
        let world = Mutex::new(World::new(seed, day, false));
        Self(Arc::new(Inner {
            clock,
            zone: TimeZone::UTC,
            world,
            disk: None,
        }))
    }

    /// The sandbox of a file; an empty one is seeded with 1 and today (UTC).
    ///
    /// # Errors
    /// When the file cannot be used.
    pub async fn open(clock: Arc<dyn Clock>, path: impl AsRef<Path>) -> Result<Self, DiskError> {
        Self::open_in(clock, path, TimeZone::UTC).await
    }

    /// The same, where "today" is the hotel's.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub async fn open_in(
        clock: Arc<dyn Clock>,
        path: impl AsRef<Path>,
        zone: TimeZone,
    ) -> Result<Self, DiskError> {
        let disk = Disk::open(path.as_ref()).await?;
        let day = clock.now().to_zoned(zone.clone()).date();
        let remembered = World::restore(
            disk.load("salesforce").await?,
            disk.load("stripe").await?,
            disk.load("twilio").await?,
            disk.load("core").await?,
        );
        let mut world = remembered.unwrap_or_else(|| World::new(1, day, true));
        disk.queue(world.take_writes());
        disk.flush().await?;
        Ok(Self(Arc::new(Inner {
            clock,
            zone,
            world: Mutex::new(world),
            disk: Some(disk),
        })))
    }

    /// Where a browser finds us, for the bank's page; without it, the address each caller used.
    pub fn set_public_base(&self, url: &str) {
        self.with(|world| world.public_base = Some(url.trim_end_matches('/').to_owned()));
    }

    /// The day the seed was written for.
    #[must_use]
    pub fn seed_day(&self) -> Date {
        self.with(|world| world.day)
    }

    /// Orders a failure; the first ordered one that matches a call strikes it.
    pub fn add_fault(&self, fault: Fault) {
        self.with(|world| world.add_fault(fault));
    }

    /// What is left of the ordered failures.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        self.with(|world| {
            world
                .faults
                .iter()
                .map(|active| active.fault.clone())
                .collect()
        })
    }

    /// No more failures.
    pub fn clear_faults(&self) {
        self.with(World::clear_faults);
    }

    /// Every call in the order of arrival.
    #[must_use]
    pub fn calls(&self) -> Vec<CallEntry> {
        self.with(|world| world.calls.clone())
    }

    /// All records of all systems, with their API field names.
    #[must_use]
    pub fn state(&self) -> Value {
        let now = self.clock().now();
        self.with(|world| {
            json!({
                "salesforce": world.org.state(), "stripe": world.stripe.state(), "twilio": world.twilio.state(now),
                "sandbox": {"seed": world.seed, "seed_day": world.day.to_string()},
            })
        })
    }

    /// Another user edits a Salesforce record.
    ///
    /// # Errors
    /// In Salesforce's words, why not.
    pub fn edit(&self, object: &str, id: &str, fields: &Map<String, Value>) -> Result<(), String> {
        let now = self.clock().now();
        self.with(|world| world.org.edit(object, id, fields, now))
    }

    /// Settings of the Salesforce org.
    #[must_use]
    pub fn org_settings(&self) -> OrgSettings {
        self.with(|world| world.org.settings().clone())
    }

    /// Sets the Salesforce org up anew.
    pub fn set_org_settings(&self, settings: OrgSettings) {
        self.with(|world| world.org.set_settings(settings));
    }

    /// People leave optional fields of Salesforce records empty; see
    /// [`crate::salesforce::Org::blank`].
    ///
    /// # Errors
    /// In words, why they cannot.
    pub fn blank(
        &self,
        object: &str,
        id: Option<&str>,
        fields: Option<&[String]>,
    ) -> Result<usize, String> {
        let now = self.clock().now();
        self.with(|world| world.org.blank(object, id, fields, now))
    }

    /// Everything in Salesforce was written last by the hotel's own user at this very moment: for
    /// as long as the second lasts, no precondition on a stamp tells two writes apart.
    pub fn stamp_all(&self) {
        let now = self.clock().now();
        self.with(|world| world.org.stamp_all(now));
    }

    /// A refund turns (`failed`, `succeeded`, `canceled`), however long after it was made, with its
    /// events.
    ///
    /// # Errors
    /// In words, why it cannot.
    pub fn turn_refund(&self, id: &str, status: &str) -> Result<(), String> {
        let now = self.clock().now();
        self.with(|world| world.stripe.turn_refund_at(id, status, now))
    }

    /// The card's owner disputes a charge, or a payment's latest one.
    ///
    /// # Errors
    /// In words, why it cannot be.
    pub fn dispute(&self, id: &str) -> Result<(), String> {
        let now = self.clock().now();
        self.with(|world| world.stripe.dispute_at(id, now))
    }

    /// The bank decides a dispute: `won` or `lost`.
    ///
    /// # Errors
    /// In words, why it cannot.
    pub fn close_dispute(&self, id: &str, status: &str) -> Result<(), String> {
        let now = self.clock().now();
        self.with(|world| world.stripe.close_dispute_at(id, status, now))
    }

    /// Another program, or another installation, takes a payment on the same account; its id.
    ///
    /// # Errors
    /// In words, why it cannot.
    pub fn pay_elsewhere(&self, order: &PaymentElsewhere) -> Result<String, String> {
        let now = self.clock().now();
        self.with(|world| world.stripe.pay_elsewhere_at(order, now))
    }

    /// Somebody gives a payment back in Stripe's dashboard, a part of it or all that is left; the
    /// refund's id.
    ///
    /// # Errors
    /// In words, why it cannot.
    pub fn refund_elsewhere(
        &self,
        payment_intent: &str,
        amount: Option<i64>,
    ) -> Result<String, String> {
        let now = self.clock().now();
        self.with(|world| {
            world
                .stripe
                .refund_elsewhere_at(payment_intent, amount, now)
        })
    }

    /// Sets what a secret key of Stripe opens from now on.
    pub fn set_stripe_key(&self, key: &str, settings: &KeySettings) {
        self.with(|world| world.stripe.set_key(key, settings));
    }

    /// Leaves fields out of every answer of Stripe, each as `object.field`.
    pub fn omit_from_stripe(&self, fields: &[String]) {
        self.with(|world| world.stripe.omit(fields));
    }

    /// Back to the seed, as of today. Latency, webhook endpoints and the org's settings stay.
    pub fn reset(&self, seed: u64) {
        let day = self.clock().now().to_zoned(self.0.zone.clone()).date();
        self.with(|world| world.reset(seed, day));
    }

    /// Sets how long things take.
    pub fn set_latency(&self, latency: Latency) {
        self.with(|world| world.set_latency(latency));
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        self.0.clock.as_ref()
    }

    fn disk(&self) -> Option<&Disk> {
        self.0.disk.as_ref()
    }

    /// The world, after all that is due by now has happened.
    fn with<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        let now = self.clock().now();
        self.with_raw(|world| {
            world.settle(now);
            act(world)
        })
    }

    fn with_raw<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        act(&mut self.0.world.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The path a request is for.
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
