//! Startup and shutdown of one serving process.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use dewy_app::{GuestEmails, HotelClock};
use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::{
    ports::{Board, BookingLinks, Clock, Dispatcher, Entropy, Mail, SystemStatus},
    stored_token::TokenKey,
};
use dewy_orchestrators::{
    AuditLog, AuditedDispatcher, BoardService, Hotel, HotelDependencies, PublicInventoryService,
};
use dewy_store::Store;
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::{
    auth::booking_links::SignedBookingLinks,
    config::{Config, installation_key::InstallationKey},
    ports::{
        attention::AttentionService,
        audit::{AuditReaderService, CallLog, Pseudonyms},
        audited_mail::AuditedMail,
        photos::photos,
        saved_views::SavedViewsService,
        stay_notes::StayNotesService,
        stripe_account_memory::StoredStripeAccount,
        text_delivery::TextDelivery,
    },
    startup::{
        accept_connections,
        background_jobs::{self, BackgroundJobs},
        metrics::HotelMetrics,
        open_store,
        overrides::Overrides,
        sandbox::RunningSandbox,
        wiring::{
            concierge, connect_sandbox, hotel_parts, sign_in_state, vendor_pages, webhook_secrets,
        },
    },
    systems::{
        connect_systems::{self, Systems},
        currency_comparison,
        status_callback::StatusCallback,
        system_status::SystemStatusService,
        webhook_registration::SandboxWebhookEndpoint,
    },
    tool_calls::{call_boundary::CallBoundary, rate_limit::Limit, telemetry},
    web::{self, WebParts, warm_up},
};

/// Time for requests and executions to finish at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);
/// Time to write the last calls to the audit log.
const LAST_CALLS: Duration = Duration::from_secs(5);

/// Running server.
#[derive(Debug)]
pub struct Server {
    /// Listening address.
    pub address: SocketAddr,
    /// Public address.
    pub public_url: String,
    /// Address of the sandbox, if one is used.
    pub sandbox_url: Option<String>,
    /// Sandbox in this process.
    pub sandbox: Option<RunningSandbox>,
    /// Store.
    pub store: Store,
    /// Orchestrators.
    pub hotel: Arc<Hotel>,
    /// Connectors.
    pub systems: Systems,
    /// System status and fault injection.
    pub system_status: Arc<dyn SystemStatus>,
    /// Canceled when another process has raised the mode of the store: this one must stop.
    pub overtaken: CancellationToken,
    stopping: CancellationToken,
    cut_off: CancellationToken,
    http: JoinHandle<()>,
    jobs: JoinHandle<()>,
    calls: JoinHandle<()>,
}

impl Server {
    /// Starts everything; when this returns, requests are answered.
    ///
    /// # Errors
    /// What could not be started, with the variable that configures it.
    pub async fn start(config: &Config) -> anyhow::Result<Self> {
        Self::start_with(config, Overrides::default()).await
    }

    /// Starts everything with these changes.
    ///
    /// # Errors
    /// What could not be started, with the variable that configures it.
    pub async fn start_with(config: &Config, changes: Overrides) -> anyhow::Result<Self> {
        let clock: Arc<dyn Clock> = Arc::new(RealClock);
        let entropy: Arc<dyn Entropy> = Arc::new(OsEntropy);
        telemetry::start_metrics();
        warm_up::begin(warm_up::HOTEL);
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
            open_store::prepare_to_serve(&store, config.mode, config.migrate, clock.as_ref()).await
        {
            // Closed, so that it leaves no file behind
            store.close().await;
            return Err(error);
        }
        let (sandbox, sandbox_url) = connect_sandbox(config, Arc::clone(&clock)).await?;
        let account = Arc::new(StoredStripeAccount {
            store: store.clone(),
            read_only: false,
        });
        let status_callback = StatusCallback::of(config, address);
        let systems = Systems::connect(
            config,
            sandbox_url.as_deref().unwrap_or_default(),
            Some(account),
            status_callback
                .as_ref()
                .map(|callback| callback.url.as_str()),
            &clock,
            &entropy,
        );
        if let Err(error) = currency_comparison::compare_at_startup(config, &systems).await {
            store.close().await;
            return Err(error);
        }

        let installation = store.installation(entropy.as_ref()).await?;
        let model = connect_systems::connect_model(
            config,
            sandbox_url.as_deref().unwrap_or_default(),
            &clock,
        )?;
        let loaded = InstallationKey::load(config, &store, entropy.as_ref()).await;
        let installation_key = match loaded {
            Ok(key) => key,
            Err(error) => {
                store.close().await;
                return Err(error);
            }
        };
        let system_status: Arc<dyn SystemStatus> = Arc::new(SystemStatusService::new(
            config,
            installation,
            systems.clone(),
            Arc::clone(&model),
            sandbox_url.as_deref(),
        ));
        let people = Pseudonyms::new(installation_key.clone());
        let (log, calls) = CallLog::start(
            store.clone(),
            people.clone(),
            Arc::clone(&clock),
            entropy.as_ref(),
        );
        let call_writer = Arc::clone(log.health());
        let log: Arc<dyn AuditLog> = Arc::new(log);
        let mail = systems.mail.clone().map(|inner| {
            Arc::new(AuditedMail {
                inner,
                log: Arc::clone(&log),
                clock: Arc::clone(&clock),
            }) as Arc<dyn Mail>
        });
        let parts = hotel_parts(
            config,
            installation,
            &public_url,
            &store,
            &systems,
            &clock,
            &entropy,
        );
        let (stopping, cut_off) = (CancellationToken::new(), CancellationToken::new());
        let text_delivery = Arc::new(TextDelivery {
            twilio: Arc::clone(&systems.texts),
            store: store.clone(),
            installation_key: installation_key.clone(),
            clock: Arc::clone(&clock),
            stopping: stopping.clone(),
        });
        let token_key = TokenKey::new(installation_key.key_for("idempotency tokens"));
        let parts = HotelDependencies {
            settings: dewy_orchestrators::Settings {
                token_key,
                ..parts.settings
            },
            mail: mail.clone(),
            texts: Arc::clone(&text_delivery) as _,
            ..parts
        };
        let hotel = Hotel::with_sagas(parts, changes.sagas);
        let endpoint = sandbox_url.as_deref().filter(|_| config.stripe.is_none());
        let endpoint =
            endpoint.map(|sandbox| SandboxWebhookEndpoint::new(store.clone(), sandbox, address));
        let webhook_secrets = webhook_secrets(config, &store, endpoint.as_ref());
        let recorded = AuditedDispatcher::new(
            (changes.tools)(Arc::clone(&hotel) as _),
            log,
            Arc::clone(&clock),
        );
        let boundary = Arc::new(CallBoundary::new(
            Arc::new(recorded),
            config.engine.request_wait,
        ));
        let guard: Arc<dyn Dispatcher> = Arc::clone(&boundary) as _;
        let profile = Arc::new(config.hotel.profile.clone());
        let booking_links: Arc<dyn BookingLinks> = Arc::new(SignedBookingLinks {
            key: installation_key.clone(),
            public_url: public_url.clone(),
            clock: Arc::clone(&clock),
            calendar: config.hotel.calendar(),
        });
        let emails = Arc::new(GuestEmails {
            dispatcher: Arc::clone(&guard),
            execution_feed: Arc::clone(&hotel) as _,
            hotel: Arc::clone(&profile),
            clock: HotelClock::of(config.hotel.calendar()),
            booking_links: Arc::clone(&booking_links),
        });
        let concierge = concierge(
            config,
            &store,
            Arc::clone(&model) as _,
            Arc::clone(&guard),
            &hotel,
            &clock,
            &entropy,
        );
        let board: Arc<dyn Board> = Arc::new(BoardService::new(Arc::clone(&hotel)));
        let attention = AttentionService::new(
            Arc::clone(&hotel),
            Arc::new(concierge.clone()),
            Arc::clone(&board),
            Arc::clone(&system_status),
            Arc::clone(&clock),
        );
        let app = web::router(&WebParts {
            boundary,
            concierge: Arc::new(concierge.clone()),
            execution_feed: Arc::clone(&hotel) as _,
            booking_links,
            board,
            public_inventory: Arc::new(PublicInventoryService::new(Arc::clone(&hotel))),
            attention: Arc::new(attention),
            reconciliation: Arc::clone(&hotel) as _,
            system_status: Arc::clone(&system_status),
            saved_views: Arc::new(SavedViewsService {
                store: store.clone(),
            }),
            saved_cards: Arc::clone(&hotel) as _,
            stay_notes: Arc::new(StayNotesService {
                store: store.clone(),
                token_key,
                clock: Arc::clone(&clock),
            }),
            confirmations: Arc::clone(&hotel) as _,
            audit_reader: Arc::new(AuditReaderService {
                store: store.clone(),
                people,
                time_zone: config.hotel.time_zone.clone(),
            }),
            sign_in_state: sign_in_state(
                config,
                &store,
                &installation_key,
                &systems,
                &text_delivery,
                mail,
                &entropy,
            ),
            text_delivery,
            status_callback,
            installation_key,
            trusted_proxies: config.web.trusted_proxies.clone(),
            store: store.clone(),
            clock: Arc::clone(&clock),
            entropy: Arc::clone(&entropy),
            calendar: config.hotel.calendar(),
            hotel: profile,
            photos: photos(&config.hotel).await?,
            public_url: public_url.clone(),
            site_root: config.web.site_root.clone(),
            wall_token: config.web.wall_token,
            publishable_key: config
                .stripe
                .as_ref()
                .map(|keys| keys.publishable_key.clone()),
            vendor_pages: vendor_pages(config),
            payment_monitor: Arc::clone(&hotel) as _,
            webhook_secrets,
            limit: Limit {
                calls: config.web.calls_per_minute,
                ..Limit::default()
            },
            call_writer: Arc::clone(&call_writer),
            metrics_source: Arc::new(HotelMetrics {
                store: store.clone(),
                call_writer,
                systems: systems.clone(),
                model,
                hotel: Arc::clone(&hotel),
                clock: Arc::clone(&clock),
                counted: Default::default(),
                refused: Default::default(),
            }),
            stopping: stopping.clone(),
            cut_off: cut_off.clone(),
        });
        let overtaken = CancellationToken::new();
        let jobs = BackgroundJobs {
            config,
            hotel: &hotel,
            emails,
            concierge,
            store: &store,
            systems: &systems,
            clock: &clock,
            entropy: entropy.as_ref(),
            stopping: &stopping,
            overtaken: &overtaken,
        };
        let jobs = jobs.start();
        let http = tokio::spawn(accept_connections::serve(listener, app, stopping.clone()));
        if let Some(endpoint) = endpoint {
            background_jobs::keep_registered(endpoint, stopping.clone()).await;
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
            jobs,
            calls,
        })
    }

    /// Stops accepting requests, answers those in progress, finishes or hands over running
    /// executions, and closes; at most half a minute.
    pub async fn stop(self) {
        let Self {
            stopping,
            cut_off,
            http,
            jobs,
            calls,
            store,
            sandbox,
            ..
        } = self;
        stopping.cancel();
        let abort = http.abort_handle();
        let drained = async { tokio::join!(http, jobs) };
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, drained)
            .await
            .is_err()
        {
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
