//! Composition of ports, engine and sagas.

use std::{sync::Arc, time::Duration};

use dewy_domain::error_code::ErrorCode;
use dewy_domain::ports::{Clock, Crm, Payments, TextMessages};
use dewy_domain::stored_token::TokenKey;
use dewy_saga::{Engine, Saga};
use jiff::Timestamp;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::{
    hotel::{
        folio_reads::FolioReads, hotel_environment::HotelEnvironment, input_validation::Schemas,
        salesforce_call_budget::SalesforceCallBudget, saved_cards::SavedCards,
    },
    saga_parts::{
        hotel_dependencies::HotelDependencies, key_value_store::KeyValueStore, settings::Settings,
        tool_answer,
    },
    sagas,
};

/// Time between two looks for texts that have ended.
const TEXT_ENDS: Duration = Duration::from_secs(5);

/// The hotel: dispatcher, execution feed and confirmations for every interface.
#[derive(Debug)]
pub struct Hotel {
    pub(crate) crm: Arc<dyn Crm>,
    pub(crate) payments: Arc<dyn Payments>,
    pub(crate) texts: Arc<dyn TextMessages>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) key_value_store: Arc<dyn KeyValueStore>,
    pub(crate) settings: Settings,
    pub(crate) has_mail_server: bool,
    pub(crate) engine: Engine,
    pub(crate) schemas: &'static Schemas,
    pub(crate) crm_budget: SalesforceCallBudget,
    pub(crate) folio_reads: FolioReads,
    pub(crate) saved_cards: SavedCards,
    /// Change number of the lists, and when it was computed.
    pub(crate) list_version_cache: Mutex<Option<(Timestamp, i64)>>,
}

impl Hotel {
    /// Key of what is stored of tokens that look like card numbers.
    #[must_use]
    pub const fn token_key(&self) -> TokenKey {
        self.settings.token_key
    }

    /// Builds the hotel; only dispatched calls run until [`Self::work`] is called.
    #[must_use]
    pub fn new(parts: HotelDependencies) -> Arc<Self> {
        Self::with_sagas(parts, |sagas| sagas)
    }

    /// Builds the hotel with other sagas, made from its own ones: those of another release, or with
    /// their activities wrapped.
    #[must_use]
    pub fn with_sagas(
        parts: HotelDependencies,
        change: impl FnOnce(Vec<Saga>) -> Vec<Saga>,
    ) -> Arc<Self> {
        let sagas = sagas::sagas(&parts, change);
        let HotelDependencies {
            crm,
            payments,
            texts,
            mail,
            journal,
            key_value_store,
            clock,
            entropy,
            settings,
            ..
        } = parts;
        let environment = Arc::new(HotelEnvironment {
            clock: Arc::clone(&clock),
            entropy: Arc::clone(&entropy),
        });
        let worker = if settings.worker.is_empty() {
            format!("worker-{:016x}", entropy.next_u64())
        } else {
            settings.worker.clone()
        };
        let engine = Engine::new(
            journal,
            environment,
            sagas,
            dewy_saga::EngineSettings {
                worker,
                workers: settings.workers,
                lease: settings.lease,
                budget: settings.budget(),
                poll: settings.poll,
                attention_answer: |reason| {
                    tool_answer::failed(
                        ErrorCode::NeedsAttention,
                        serde_json::json!({ "reason": reason }),
                    )
                },
                crash_points: Arc::clone(&settings.crash_points),
            },
        );
        let schemas = Schemas::of_catalog();
        Arc::new(Self {
            crm_budget: SalesforceCallBudget::new(settings.salesforce_calls_per_guest),
            folio_reads: FolioReads::new(Arc::clone(&crm)),
            saved_cards: SavedCards::new(Arc::clone(&payments), Arc::clone(&clock)),
            crm,
            payments,
            texts,
            clock,
            key_value_store,
            settings,
            has_mail_server: mail.is_some(),
            engine,
            schemas,
            list_version_cache: Mutex::default(),
        })
    }

    /// Processes due work until canceled; returns when running executions have ended or been handed
    /// over.
    pub async fn work(self: Arc<Self>, stop: CancellationToken) {
        let posting = async {
            loop {
                // The outbox is never full for long: every end notifies it, and the poll finds what
                // a crash has left.
                if self.start_queued_texts().await == 0 {
                    self.clock.sleep(self.settings.poll).await;
                }
            }
        };
        let recording = async {
            loop {
                self.clock.sleep(TEXT_ENDS).await;
                self.record_ends_of_texts().await;
            }
        };
        tokio::select! {
            biased;
            () = self.engine.work(stop.cancelled()) => {}
            () = recording => {}
            () = posting => {}
            () = self.run_ended_stays() => {}
        }
    }

    pub(crate) fn today(&self) -> jiff::civil::Date {
        self.settings.today(self.clock.now())
    }

    /// The engine, for metrics and tests.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }
}
