//! Everything put together: the ports, the engine, the sagas.

use std::sync::Arc;

use dewy_domain::error_code::ErrorCode;
use dewy_domain::ports::{Clock, Crm, Entropy, Payments, Texts};
use dewy_saga::{Definition, Engine, Journal, Saga};
use jiff::Timestamp;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::{
    bridge::HotelWorld, charge::PostCharge, check_in::CheckIn, check_out::CheckOut,
    compensate::Compensate, create_booking::CreateBooking, create_contact::CreateContact,
    folio_reads::FolioReads, input::Schemas, key_value_store::KeyValueStore,
    manage_bookings::ManageBookings, manage_cases::ManageCases, operator_decision::Resolve,
    review_payment::ReviewPayment, saved_cards::SavedCards, send_text::SendText,
    set_room_status::SetRoomStatus, settings::Settings, submit_maintenance::SubmitMaintenance,
    submit_request::SubmitRequest, task::Task, tool_answer,
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
        let sagas = sagas(
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

/// Every saga there is, each in every version that may still run.
fn sagas(
    crm: &Arc<dyn Crm>,
    payments: &Arc<dyn Payments>,
    texts: &Arc<dyn Texts>,
    journal: &Arc<dyn Journal>,
    key_value_store: &Arc<dyn KeyValueStore>,
    settings: &Settings,
) -> Vec<Arc<dyn Saga>> {
    let mut sagas: Vec<Arc<dyn Saga>> = vec![
        Arc::new(CheckIn::new(Arc::clone(crm), settings.clone())),
        Arc::new(CheckOut::new(
            Arc::clone(crm),
            Arc::clone(payments),
            Arc::clone(journal),
            Arc::clone(key_value_store),
            settings.clone(),
        )),
        Arc::new(PostCharge::new(Arc::clone(crm), settings.clone())),
        Arc::new(Compensate::new(
            Arc::clone(crm),
            Arc::clone(payments),
            Arc::clone(journal),
            Arc::clone(key_value_store),
            settings.clone(),
        )),
        Arc::new(ReviewPayment::new()),
        Arc::new(SendText::new(
            Arc::clone(crm),
            Arc::clone(texts),
            settings.clone(),
        )),
        Arc::new(Task(CreateBooking::new(Arc::clone(crm), settings.clone()))),
        Arc::new(Task(ManageBookings::new(Arc::clone(crm), settings.clone()))),
        Arc::new(Task(SubmitRequest::new(Arc::clone(crm), settings))),
        Arc::new(Task(SubmitMaintenance::new(Arc::clone(crm), settings))),
        Arc::new(Task(ManageCases::new(
            Arc::clone(crm),
            Arc::clone(key_value_store),
            settings,
        ))),
        Arc::new(Task(SetRoomStatus::new(Arc::clone(crm), settings))),
        Arc::new(Task(CreateContact::new(Arc::clone(crm), settings))),
    ];
    #[cfg(debug_assertions)]
    if settings.next_release {
        let next = CheckOut::new(
            Arc::clone(crm),
            Arc::clone(payments),
            Arc::clone(journal),
            Arc::clone(key_value_store),
            settings.clone(),
        );
        sagas.push(Arc::new(next.by(&crate::check_out::CHECK_OUT_NEXT)));
    }
    let definitions: Vec<&'static Definition> = sagas.iter().map(|s| s.definition()).collect();
    sagas.push(Arc::new(Resolve::new(
        Arc::clone(journal),
        settings.clone(),
        definitions,
    )));
    sagas
}
