//! Everything put together: the ports, the engine, the sagas.

use std::sync::Arc;

use dewy_domain::error_code::ErrorCode;
use dewy_domain::ports::{Clock, Crm, Entropy, Payments, Texts};
use dewy_saga::{Engine, Journal};
use jiff::Timestamp;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::{
    bridge::HotelWorld, folio_reads::FolioReads, input::Schemas, key_value_store::KeyValueStore,
    registry, saved_cards::SavedCards, settings::Settings, tool_answer,
};

/// What a hotel is made of.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Guests, bookings, rooms, opportunities.
    pub crm: Arc<dyn Crm>,
    /// Payments and refunds.
    pub payments: Arc<dyn Payments>,
    /// Text messages.
    pub texts: Arc<dyn Texts>,
    /// The durable side.
    pub journal: Arc<dyn Journal>,
    /// Small facts beside it.
    pub key_value_store: Arc<dyn KeyValueStore>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Settings.
    pub settings: Settings,
}

/// The hotel: the dispatcher, the watch and the quotes that every interface uses.
#[derive(Debug)]
pub struct Hotel {
    pub(crate) crm: Arc<dyn Crm>,
    pub(crate) payments: Arc<dyn Payments>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) key_value_store: Arc<dyn KeyValueStore>,
    pub(crate) settings: Settings,
    pub(crate) engine: Engine,
    pub(crate) schemas: &'static Schemas,
    pub(crate) folio_reads: FolioReads,
    pub(crate) saved_cards: SavedCards,
    /// What lists listen to, and when it was counted.
    pub(crate) news: Mutex<Option<(Timestamp, i64)>>,
}

impl Hotel {
    /// Puts it together; nothing runs yet but what is dispatched.
    #[must_use]
    pub fn new(parts: Parts) -> Arc<Self> {
        let Parts {
            crm,
            payments,
            texts,
            journal,
            key_value_store,
            clock,
            entropy,
            settings,
        } = parts;
        let world = Arc::new(HotelWorld {
            clock: Arc::clone(&clock),
            entropy: Arc::clone(&entropy),
        });
        let sagas = registry::sagas(
            &crm,
            &payments,
            &texts,
            &journal,
            &key_value_store,
            &settings,
        );
        let worker = if settings.worker.is_empty() {
            format!("worker-{:016x}", entropy.next_u64())
        } else {
            settings.worker.clone()
        };
        let engine = Engine::new(
            journal,
            world,
            sagas,
            dewy_saga::Settings {
                worker,
                workers: settings.workers,
                lease: settings.lease,
                budget: settings.budget(),
                poll: settings.poll,
                missing: |reason| {
                    tool_answer::failed(
                        ErrorCode::NeedsAttention,
                        serde_json::json!({ "reason": reason }),
                    )
                },
                probe: Arc::clone(&settings.probe),
            },
        );
        let schemas = Schemas::of_catalog();
        Arc::new(Self {
            folio_reads: FolioReads::new(Arc::clone(&crm)),
            saved_cards: SavedCards::new(Arc::clone(&payments), Arc::clone(&clock)),
            crm,
            payments,
            clock,
            key_value_store,
            settings,
            engine,
            schemas,
            news: Mutex::default(),
        })
    }

    /// Works off what is due until told to stop; returns when what runs is finished or handed over.
    pub async fn work(self: Arc<Self>, stop: CancellationToken) {
        let posting = async {
            loop {
                // The outbox holds nothing for long: whatever ends rings, and the poll finds what a
                // crash has left.
                if self.post_texts().await == 0 {
                    self.clock.sleep(self.settings.poll).await;
                }
            }
        };
        tokio::select! {
            biased;
            () = self.engine.work(stop.cancelled()) => {}
            () = posting => {}
        }
    }

    /// The day it is here.
    pub(crate) fn today(&self) -> jiff::civil::Date {
        self.clock
            .now()
            .to_zoned(self.settings.time_zone.clone())
            .date()
    }

    /// The engine, for those who count and those who test.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }
}
