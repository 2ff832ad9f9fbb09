//! Process of the hotel with its own connectors, as in production.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    time::Duration,
};

use dewy_connectors::{
    Salesforce, SalesforceConfig, SteadyClock, Stripe, StripeConfig, Twilio, TwilioConfig,
};
use dewy_domain::{
    hotel_profile::HotelProfile,
    installation_id::InstallationId,
    money::Cents,
    ports::{
        Clock, Crm, Entropy, HttpRequest, HttpResponse, PaymentAccountStore, Transport,
        TransportError,
    },
};
use dewy_orchestrators::{CHECK_OUT, Hotel, HotelDependencies, KeyValueStore, Settings};
use dewy_test_kit::MemoryJournal;

use super::{Crashes, SeededRandom, mail::MailServer};
use crate::injected_bugs::{self, Bug};

/// Clock with an offset.
#[derive(Debug)]
struct Skewed {
    inner: Arc<dyn Clock>,
    ahead: jiff::SignedDuration,
    /// Seconds by which it was set.
    set: Arc<AtomicI64>,
}

#[async_trait::async_trait]
impl Clock for Skewed {
    fn now(&self) -> jiff::Timestamp {
        self.inner.now()
            + self.ahead
            + jiff::SignedDuration::from_secs(self.set.load(Ordering::SeqCst))
    }

    async fn sleep(&self, duration: Duration) {
        self.inner.sleep(duration).await;
    }

    fn uptime(&self) -> Duration {
        self.inner.uptime()
    }
}

/// Transport of a process. After the process dies, nothing is sent and no response is read.
#[derive(Debug)]
struct SandboxTransport {
    inner: Arc<dyn Transport>,
    dead: Arc<AtomicBool>,
    /// Injected bug: every payment that is read carries the mark of this installation.
    claims_all: Option<InstallationId>,
}

impl SandboxTransport {
    fn claimed(&self, mut response: HttpResponse) -> HttpResponse {
        if let (Some(own), Ok(body)) = (self.claims_all, std::str::from_utf8(&response.body)) {
            let own = format!("\"{own}");
            let (mark, digits) = own.split_at("\"ins_".len());
            let mut parts = body.split(mark);
            let first = parts.next().unwrap_or_default().to_owned();
            let claimed = parts.fold(first, |text, part| match part.get(digits.len()..) {
                Some(rest) => text + &own + rest,
                None => text + mark + part,
            });
            response.body = claimed.into_bytes();
        }
        response
    }
}

#[async_trait::async_trait]
impl Transport for SandboxTransport {
    async fn send(
        &self,
        request: HttpRequest,
        deadline: Duration,
    ) -> Result<HttpResponse, TransportError> {
        if self.dead.load(Ordering::SeqCst) {
            return std::future::pending().await;
        }
        let answer = self.inner.send(request, deadline).await;
        if self.dead.load(Ordering::SeqCst) {
            return std::future::pending().await;
        }
        answer.map(|response| self.claimed(response))
    }
}

/// State shared by all processes of a world.
pub struct Process {
    pub seed: u64,
    pub skew: jiff::SignedDuration,
    /// Seconds by which all their clocks were set, now and later.
    pub set: Arc<AtomicI64>,
    pub grace: Duration,
    pub texts: bool,
    pub mail: Option<MailServer>,
    pub slots: usize,
    pub day_changes_at: jiff::civil::Time,
    pub hold: Option<Cents>,
    /// Salesforce calls that one guest may cause in 24 hours.
    pub calls_per_guest: u32,
    pub poll: Duration,
    pub locale: &'static str,
    pub installation: InstallationId,
    pub clock: Arc<dyn Clock>,
    pub transport: Arc<dyn Transport>,
    pub journal: MemoryJournal,
    pub key_value_store: Arc<dyn KeyValueStore>,
    pub probe: Arc<Crashes>,
    pub account: Arc<dyn PaymentAccountStore>,
}

/// Key of the account that the sandbox was seeded with.
pub const STRIPE_KEY: &str = "sk_test_sandbox";

impl Process {
    /// Process with this number and this key; it works once started, until it is dead.
    pub fn start(
        &self,
        worker: usize,
        next_release: bool,
        stripe_key: &str,
        dead: &Arc<AtomicBool>,
    ) -> Arc<Hotel> {
        let wire = SandboxTransport {
            inner: Arc::clone(&self.transport),
            dead: Arc::clone(dead),
            claims_all: injected_bugs::on(Bug::NoInstallationCheck).then_some(self.installation),
        };
        let (transport, clock): (&Arc<dyn Transport>, _) = (&(Arc::new(wire) as _), &self.clock);
        let entropy: Arc<dyn Entropy> =
            Arc::new(SeededRandom::new(self.seed ^ ((worker as u64) << 32)));
        let crm: Arc<dyn Crm> = Arc::new(Salesforce::new(
            SalesforceConfig::new("http://sandbox.test", "client", "secret".to_owned().into()),
            Arc::clone(transport),
            Arc::clone(clock),
        ));
        let machine = Skewed {
            inner: Arc::clone(clock),
            ahead: self.skew * i32::try_from(worker).unwrap_or(1),
            set: Arc::clone(&self.set),
        };
        // As in production, the process smooths its machine's clock.
        let worker_clock: Arc<dyn Clock> = Arc::new(SteadyClock::new(Arc::new(machine)));
        let mut stripe = StripeConfig::new(stripe_key.to_owned().into());
        stripe.api_base = "http://sandbox.test".to_owned();
        let mut payments = Stripe::new(stripe, Arc::clone(transport), Arc::clone(clock));
        if !injected_bugs::on(Bug::NoAccountCheck) {
            payments = payments.with_account(Arc::clone(&self.account));
        }
        let mut twilio = TwilioConfig::new(
            "AC00000000000000000000000000000000",
            "token".to_owned().into(),
            "+12125550190",
        );
        twilio.api_base = "http://sandbox.test".to_owned();
        let texts = Twilio::new(twilio, Arc::clone(transport), Arc::clone(clock));
        let parts = HotelDependencies {
            crm: Arc::clone(&crm),
            payments: Arc::new(payments),
            texts: Arc::new(texts),
            mail: self
                .mail
                .clone()
                .map(|mail| Arc::new(mail.of_process(dead)) as _),
            journal: Arc::new(self.journal.of_process(Arc::clone(dead))),
            key_value_store: Arc::clone(&self.key_value_store),
            staff: None,
            clock: worker_clock,
            entropy,
            settings: Settings {
                installation: self.installation,
                worker: format!("worker-{worker}"),
                crash_points: self.probe.clone(),
                orphan_check_grace: self.grace,
                text_messages_enabled: self.texts,
                workers: self.slots,
                poll: self.poll,
                day_changes_at: self.day_changes_at,
                hold_per_night: self.hold,
                salesforce_calls_per_guest: self.calls_per_guest,
                hotel: HotelProfile {
                    locale: self.locale.parse().unwrap(),
                    ..HotelProfile::default()
                },
                ..Settings::default()
            },
        };
        Hotel::with_sagas(parts, |sagas| {
            let mut sagas = injected_bugs::broken(sagas, &crm);
            let next = sagas
                .iter()
                .find(|saga| saga.definition().name == CHECK_OUT);
            let next = next.filter(|_| next_release).cloned();
            sagas.extend(next.map(|saga| saga.redefined(|definition| definition.version = 3)));
            sagas
        })
    }
}
