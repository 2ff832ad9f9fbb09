//! One serving process, put together and taken apart again.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use anyhow::{Context, bail};
use dewy_concierge::ConciergeOf;
use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::{
    mode::Mode,
    ports::{Board, Clock, Dispatcher, Entropy, Payments, SystemStatus},
};
use dewy_orchestrators::{AuditedDispatcher, BoardOf, Hotel};
use dewy_store::Store;
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::{
    assembly::{concierge, door, hotel, reach_sandbox, webhook_secrets},
    attention::AttentionOf,
    audit::{AuditReaderService, CallLog, People},
    call_boundary::CallBoundary,
    config::{Config, PHOTO_TYPES},
    currencies::{self, Compared},
    listen,
    mcp::Limit,
    metrics::HotelMetrics,
    open_store,
    own_account::OwnAccount,
    sandbox::RunningSandbox,
    stay_notes::StayNotesOf,
    sweeper::Sweeper,
    system_status::SystemStatusService,
    systems::{self, Systems},
    telemetry,
    web::{self, WebParts},
    webhook_registration::Endpoint,
};

/// How long requests and executions may take to come to an end once we are told to stop.
const DRAIN: Duration = Duration::from_secs(30);
/// How long opening waits for the sandbox to know our webhook endpoint; it is told later as well.
const HOOK_WITHIN: Duration = Duration::from_secs(2);
/// How long the last calls may take to be put on record.
const LAST_CALLS: Duration = Duration::from_secs(5);
/// How long opening waits for account and currencies to be compared.
const COMPARED_WITHIN: Duration = Duration::from_secs(5);
/// Guests look at it over a phone's connection.
const LARGEST_PHOTO: usize = 2_000_000;
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
    /// How the outside systems are, and the fault injection.
    pub system_status: Arc<dyn SystemStatus>,
    /// Cancelled when another process has raised the mode of the store: this one must stop.
    pub overtaken: CancellationToken,
    stopping: CancellationToken,
    cut_off: CancellationToken,
    http: JoinHandle<()>,
    work: JoinHandle<()>,
    keeping: JoinHandle<()>,
    sweeping: JoinHandle<()>,
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
        let store = open_store::to_serve(config, Arc::clone(&clock)).await?;
        let bound = TcpListener::bind(config.web.address).await;
        let listener = bound.with_context(|| {
            format!(
                "can't listen on {}; choose another LEPTOS_SITE_ADDR",
                config.web.address
            )
        })?;
        let address = listener.local_addr()?;
        let public_url = config.web.public_url(address);
        if let Err(error) =
            open_store::enter(&store, config.mode, config.migrate, clock.as_ref()).await
        {
            // Closed, so that it leaves no file of its own behind
            store.close().await;
            return Err(error);
        }
        let (sandbox, sandbox_url) = reach_sandbox(config, Arc::clone(&clock)).await?;
        let account = Arc::new(OwnAccount {
            store: store.clone(),
            read_only: false,
        });
        let systems = Systems::connect(
            config,
            sandbox_url.as_deref().unwrap_or_default(),
            Some(account),
            &clock,
            &entropy,
        );
        if let Err(error) = compare(config, &systems).await {
            store.close().await;
            return Err(error);
        }

        let installation = store.installation(entropy.as_ref()).await?;
        let system_status: Arc<dyn SystemStatus> = Arc::new(SystemStatusService::new(
            config,
            installation,
            systems.clone(),
            sandbox_url.as_deref(),
        ));
        let hotel = hotel(
            config,
            installation,
            &public_url,
            &store,
            &systems,
            &clock,
            &entropy,
        );
        let endpoint = sandbox_url.as_deref().filter(|_| config.stripe.is_none());
        let endpoint = endpoint.map(|sandbox| Endpoint::new(store.clone(), sandbox, address));
        let webhook_secrets = webhook_secrets(config, &store, endpoint.as_ref());
        let people = People::of(&store, entropy.as_ref()).await?;
        let (log, calls) = CallLog::start(
            store.clone(),
            people.clone(),
            Arc::clone(&clock),
            entropy.as_ref(),
        );
        let call_writer = Arc::clone(log.health());
        let recorded = AuditedDispatcher::new(
            Arc::clone(&hotel) as Arc<dyn Dispatcher>,
            Arc::new(log),
            Arc::clone(&clock),
        );
        let guard: Arc<dyn Dispatcher> = Arc::new(CallBoundary::new(
            Arc::new(recorded),
            config.engine.request_wait,
        ));
        let model = systems::model(config, sandbox_url.as_deref().unwrap_or_default(), &clock)?;
        let concierge = concierge(
            config,
            &store,
            model,
            Arc::clone(&guard),
            &hotel,
            &clock,
            &entropy,
        );
        let board: Arc<dyn Board> = Arc::new(BoardOf::new(Arc::clone(&hotel)));
        let attention = AttentionOf::new(
            Arc::clone(&hotel),
            Arc::new(concierge.clone()),
            Arc::clone(&board),
            Arc::clone(&system_status),
            Arc::clone(&clock),
        );
        let (stopping, cut_off) = (CancellationToken::new(), CancellationToken::new());
        let app = web::router(&WebParts {
            dispatcher: guard,
            concierge: Arc::new(concierge.clone()),
            watch: Arc::clone(&hotel) as _,
            board,
            attention: Arc::new(attention),
            reconciliation: Arc::clone(&hotel) as _,
            system_status: Arc::clone(&system_status),
            stay_notes: Arc::new(StayNotesOf {
                store: store.clone(),
                clock: Arc::clone(&clock),
            }),
            quotes: Arc::clone(&hotel) as _,
            ledger: Arc::new(AuditReaderService {
                store: store.clone(),
                people,
                time_zone: config.house.time_zone.clone(),
            }),
            door: door(config, &store, &systems, &clock, &entropy),
            store: store.clone(),
            clock: Arc::clone(&clock),
            entropy: Arc::clone(&entropy),
            time_zone: config.house.time_zone.clone(),
            hotel: config.house.profile.clone(),
            photo: photo(config).await?,
            public_url: public_url.clone(),
            site_root: config.web.site_root.clone(),
            publishable_key: config
                .stripe
                .as_ref()
                .map(|keys| keys.publishable_key.clone()),
            money: Arc::clone(&hotel) as _,
            webhook_secrets,
            limit: Limit {
                calls: config.web.calls_per_minute,
                ..Limit::default()
            },
            call_writer: Arc::clone(&call_writer),
            gauges: Arc::new(HotelMetrics {
                store: store.clone(),
                call_writer,
                systems: systems.clone(),
                hotel: Arc::clone(&hotel),
                clock: Arc::clone(&clock),
                counted: Default::default(),
            }),
            stopping: stopping.clone(),
            cut_off: cut_off.clone(),
        });
        let work = tokio::spawn(Arc::clone(&hotel).work(stopping.clone()));
        let sweeper = Sweeper::new(
            Arc::clone(&hotel) as _,
            store.clone(),
            Arc::clone(&clock),
            entropy.as_ref(),
            config.sweep.interval,
        );
        let sweeping = tokio::spawn(sweeper.keep(stopping.clone()));
        let overtaken = CancellationToken::new();
        let keeping = Housekeeping {
            store: store.clone(),
            mode: config.mode,
            concierge,
            clock,
            stopping: stopping.clone(),
            overtaken: overtaken.clone(),
        };
        let keeping = tokio::spawn(keeping.run());
        let http = tokio::spawn(listen::serve(listener, app, stopping.clone()));
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
            system_status,
            overtaken,
            stopping,
            cut_off,
            http,
            work,
            keeping,
            sweeping,
            calls,
        })
    }

    /// Takes nothing new, answers what was asked, finishes or hands over what runs, and closes; at
    /// most half a minute.
    pub async fn stop(self) {
        let Self {
            stopping,
            cut_off,
            http,
            work,
            keeping,
            sweeping,
            calls,
            store,
            sandbox,
            ..
        } = self;
        stopping.cancel();
        let abort = http.abort_handle();
        let drained = async { tokio::join!(http, work, keeping, sweeping) };
        if tokio::time::timeout(DRAIN, drained).await.is_err() {
            tracing::warn!(
                "stopped work in progress; its leases will expire and another worker continues"
            );
            cut_off.cancel();
            abort.abort();
        }
        let writing = calls.abort_handle();
        if tokio::time::timeout(LAST_CALLS, calls).await.is_err() {
            tracing::error!("the last calls were not recorded");
            writing.abort();
        }
        store.close().await;
        if let Some(sandbox) = sandbox {
            sandbox.stop().await;
        }
    }
}

/// Compares account and currencies before anybody pays. A key of another account raises an alarm by
/// itself and pays nothing; amounts in another currency would all be charged wrongly, so with them
/// nothing is served.
async fn compare(config: &Config, systems: &Systems) -> anyhow::Result<()> {
    let hotel = config.house.currency;
    let account = async {
        let account = systems.payments.account().await.answered().ok();
        account.and_then(|account| currencies::of_account(&account, hotel))
    };
    let both = async { tokio::join!(currencies::of_org(&systems.crm, hotel), account) };
    let Ok((org, converted)) = tokio::time::timeout(COMPARED_WITHIN, both).await else {
        tracing::warn!(
            "the org's and the account's currencies could not be compared in time; run `dewy check`"
        );
        return Ok(());
    };
    if let Some(words) = converted {
        tracing::warn!("Stripe: {words}");
    }
    match org {
        Compared::Same(_) => {}
        Compared::Untold(words) => tracing::warn!("Salesforce: {words}"),
        Compared::Other(words) => bail!("{words}"),
    }
    Ok(())
}

/// The hotel's photo, read once: a file that is missing is told at start and not to guests.
async fn photo(config: &Config) -> anyhow::Result<Option<(&'static str, axum::body::Bytes)>> {
    let Some(file) = &config.house.photo else {
        return Ok(None);
    };
    let read = tokio::fs::read(file)
        .await
        .with_context(|| format!("HOTEL_PHOTO: can't read {}", file.display()))?;
    anyhow::ensure!(
        read.len() <= LARGEST_PHOTO,
        "HOTEL_PHOTO: {} is larger than 2 MB",
        file.display()
    );
    let ending = file
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    let kind = PHOTO_TYPES
        .iter()
        .find(|(known, _)| *known == ending)
        .map(|(_, kind)| *kind);
    Ok(kind.map(|kind| (kind, read.into())))
}

/// What is done once a minute.
struct Housekeeping {
    store: Store,
    mode: Mode,
    concierge: ConciergeOf,
    clock: Arc<dyn Clock>,
    stopping: CancellationToken,
    overtaken: CancellationToken,
}

impl Housekeeping {
    async fn run(self) {
        loop {
            tokio::select! {
                biased;
                () = self.stopping.cancelled() => return,
                () = self.clock.sleep(HOUSEKEEPING) => {}
            }
            self.once().await;
        }
    }

    async fn once(&self) {
        let now = self.clock.now();
        if let Ok(Some((kept, _))) = self.store.mode().await
            && kept > self.mode
        {
            tracing::error!(%kept, mode = %self.mode, "another process has raised the mode of the store");
            self.overtaken.cancel();
        }
        if let Err(error) = self.store.sweep(now).await {
            tracing::warn!(%error, "old rows could not be purged");
        }
        // What failed is in the log, and is done again next time
        let _ = self.concierge.tidy().await;
        if let Err(error) = self.store.anchor(self.clock.now()).await {
            tracing::error!(%error, "the audit checkpoint could not be written");
        }
    }
}
