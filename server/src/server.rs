//! One serving process, put together and taken apart again.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use dewy_domain::{
    money::Cents,
    ports::{Clock, Dispatcher, Entropy, Watch},
};
use dewy_orchestrators::{Hotel, Parts, Settings};
use dewy_store::Store;
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::{
    audit::CallLog,
    auth::{Door, Letters, settle_demo_accounts},
    config::Config,
    gauges::HotelGauges,
    guard::Guard,
    hooks::{Endpoint, Secrets},
    notes::Notes,
    sandbox::{self, RunningSandbox},
    systems::Systems,
    telemetry,
    web::{self, WebParts},
    world::{OsEntropy, RealClock},
};

/// How long requests and executions may take to come to an end once we are told to stop.
const DRAIN: Duration = Duration::from_secs(30);
/// How long opening waits for the sandbox to know our webhook endpoint; it is told later as well.
const HOOK_WITHIN: Duration = Duration::from_secs(2);
/// How often old rows are thrown away and the audit trails are anchored.
const HOUSEKEEPING: Duration = Duration::from_secs(60);

/// A hotel that is open.
#[derive(Debug)]
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    /// Under which address people see it.
    pub public_url: String,
    /// The sandbox it speaks to, if it speaks to one.
    pub sandbox_url: Option<String>,
    /// The sandbox in this process.
    pub sandbox: Option<RunningSandbox>,
    /// The store.
    pub store: Store,
    /// The orchestrators.
    pub hotel: Arc<Hotel>,
    /// The connectors.
    pub systems: Systems,
    stopping: CancellationToken,
    cut_off: CancellationToken,
    http: JoinHandle<std::io::Result<()>>,
    work: JoinHandle<()>,
    keeping: JoinHandle<()>,
    calls: JoinHandle<()>,
}

impl Server {
    /// Opens everything; when this returns, requests are answered.
    ///
    /// # Errors
    /// What could not be opened, with the variable that names it.
    pub async fn start(config: &Config) -> anyhow::Result<Self> {
        let clock: Arc<dyn Clock> = Arc::new(RealClock);
        let entropy: Arc<dyn Entropy> = Arc::new(OsEntropy);
        telemetry::start_metrics();
        let bound = TcpListener::bind(config.web.address).await;
        let listener = bound
            .with_context(|| format!("cannot listen at {}; choose another LEPTOS_SITE_ADDR", config.web.address))?;
        let address = listener.local_addr()?;
        let public_url = config.web.public_url(address);

        let store = open_store(config, Arc::clone(&clock)).await?;
        store.lock_for_serving().await.context("only one `dewy serve` may use a SQLite file at a time")?;
        let (sandbox, sandbox_url) = reach_sandbox(config, Arc::clone(&clock)).await?;
        let systems = Systems::connect(config, sandbox_url.as_deref().unwrap_or_default(), &clock, &entropy);

        let hotel = Hotel::new(Parts {
            crm: systems.crm.clone(),
            payments: systems.payments.clone(),
            texts: systems.texts.clone(),
            journal: Arc::new(store.clone()),
            notebook: Arc::new(Notes(store.clone())),
            clock: Arc::clone(&clock),
            entropy: Arc::clone(&entropy),
            settings: settings(config, &public_url),
        });
        let endpoint = sandbox_url.as_deref().filter(|_| config.stripe.is_none());
        let endpoint = endpoint.map(|sandbox| Endpoint::new(store.clone(), sandbox, address));
        let webhook_secrets = webhook_secrets(config, &store, endpoint.as_ref());
        let (log, calls) = CallLog::start(store.clone());
        let guard = Guard::new(Arc::clone(&hotel) as Arc<dyn Dispatcher>, config.engine.request_wait)
            .with_log(log, Arc::clone(&clock));
        let (stopping, cut_off) = (CancellationToken::new(), CancellationToken::new());
        let app = web::router(&WebParts {
            dispatcher: Arc::new(guard),
            watch: Arc::clone(&hotel) as Arc<dyn Watch>,
            door: door(config, &store, &systems, &clock, &entropy),
            store: store.clone(),
            clock: Arc::clone(&clock),
            entropy,
            public_url: public_url.clone(),
            site_root: config.web.site_root.clone(),
            webhook_secrets,
            gauges: Arc::new(HotelGauges { store: store.clone(), systems: systems.clone(), hotel: Arc::clone(&hotel) }),
            stopping: stopping.clone(),
            cut_off: cut_off.clone(),
        });
        let work = tokio::spawn(Arc::clone(&hotel).work(stopping.clone()));
        let keeping = tokio::spawn(keep_house(store.clone(), clock, stopping.clone()));
        let service = app.into_make_service_with_connect_info::<SocketAddr>();
        let serving = axum::serve(listener, service).with_graceful_shutdown(stopping.clone().cancelled_owned());
        let http = tokio::spawn(serving.into_future());
        if let Some(endpoint) = endpoint {
            drop(tokio::time::timeout(HOOK_WITHIN, endpoint.settle()).await);
            tokio::spawn(endpoint.keep(stopping.clone()));
        }
        Ok(Self {
            address,
            public_url,
            sandbox_url,
            sandbox,
            store,
            hotel,
            systems,
            stopping,
            cut_off,
            http,
            work,
            keeping,
            calls,
        })
    }

    /// Takes nothing new, answers what was asked, finishes or hands over what runs, and closes; at most half a minute.
    pub async fn stop(self) {
        let Self { stopping, cut_off, http, work, keeping, calls, store, sandbox, .. } = self;
        stopping.cancel();
        let abort = http.abort_handle();
        let drained = async { tokio::join!(http, work, keeping) };
        if tokio::time::timeout(DRAIN, drained).await.is_err() {
            tracing::warn!("cut off what still ran; its leases lapse and somebody else goes on");
            cut_off.cancel();
            abort.abort();
        }
        if tokio::time::timeout(Duration::from_secs(2), calls).await.is_err() {
            tracing::warn!("the last calls were not recorded");
        }
        store.close().await;
        if let Some(sandbox) = sandbox {
            sandbox.stop().await;
        }
    }
}

/// Opens the store and brings it up to date, demo accounts included.
///
/// # Errors
/// When it cannot be opened or migrated.
pub async fn open_store(config: &Config, clock: Arc<dyn Clock>) -> anyhow::Result<Store> {
    let store = Store::open(&config.database_url, clock).await.context("the store cannot be opened (DATABASE_URL)")?;
    store.migrate().await.context("the store cannot be migrated")?;
    settle_demo_accounts(&store, config.demo()).await?;
    Ok(store)
}

/// Codes go to phones where somebody gets them: from Twilio itself, or in a demo, where the sandbox shows what was sent.
fn door(config: &Config, store: &Store, systems: &Systems, clock: &Arc<dyn Clock>, entropy: &Arc<dyn Entropy>) -> Door {
    let (crm, demo) = (systems.crm.clone(), config.demo());
    let door = Door::new(store.clone(), crm.clone(), Arc::clone(clock), Arc::clone(entropy), demo);
    if demo || config.twilio.is_some() {
        door.with_letters(Letters { crm, texts: systems.texts.clone() })
    } else {
        door
    }
}

async fn reach_sandbox(
    config: &Config,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<(Option<RunningSandbox>, Option<String>)> {
    let place = &config.sandbox;
    if !config.needs_sandbox() {
        return Ok((None, None));
    }
    if let Some(url) = &place.url {
        return Ok((None, Some(url.as_str().trim_end_matches('/').to_owned())));
    }
    let listener = sandbox::bind_or_next(place.address).await?;
    let running =
        sandbox::start(listener, &place.data, &config.house.time_zone, place.reference_latency, clock).await?;
    let url = running.url.clone();
    Ok((Some(running), Some(url)))
}

fn settings(config: &Config, public_url: &str) -> Settings {
    let engine = config.engine;
    Settings {
        currency: config.house.currency,
        time_zone: config.house.time_zone.clone(),
        public_url: public_url.to_owned(),
        request_wait: engine.request_wait,
        forward_budget: engine.forward_budget,
        lease: engine.lease,
        workers: engine.workers,
        payment_action_timeout: engine.payment_action_timeout,
        stripe_deadline: engine.stripe_deadline,
        salesforce_deadline: engine.salesforce_deadline,
        refund_approval_limit: Cents(i64::try_from(config.sweep.refund_approval_limit_cents).unwrap_or(i64::MAX)),
        sweep_interval: config.sweep.interval,
        sweep_grace: config.sweep.grace,
        ..Settings::default()
    }
}

fn webhook_secrets(config: &Config, store: &Store, endpoint: Option<&Endpoint>) -> Secrets {
    match (&config.stripe, endpoint) {
        (Some(keys), _) => Secrets::Given(keys.webhook_secret.clone()),
        (None, Some(endpoint)) => endpoint.secrets(),
        (None, None) => Secrets::Kept { store: store.clone(), name: "stripe_webhook".to_owned() },
    }
}

async fn keep_house(store: Store, clock: Arc<dyn Clock>, stopping: CancellationToken) {
    loop {
        tokio::select! {
            biased;
            () = stopping.cancelled() => return,
            () = clock.sleep(HOUSEKEEPING) => {}
        }
        if let Err(error) = store.sweep(clock.now()).await {
            tracing::warn!(%error, "old rows were not thrown away");
        }
        if let Err(error) = store.anchor(clock.now()).await {
            tracing::error!(%error, "the audit trails were not anchored");
        }
    }
}
