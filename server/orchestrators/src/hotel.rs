//! Everything put together: the ports, the engine, the sagas.

use std::sync::Arc;

use dewy_domain::ports::{Clock, Crm, Entropy, Payments};
use dewy_saga::{Engine, Journal};
use tokio_util::sync::CancellationToken;

use crate::{bridge::HotelWorld, check_out::CheckOut, input::Schemas, settings::Settings};

/// What a hotel is made of.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Guests, bookings, rooms, opportunities.
    pub crm: Arc<dyn Crm>,
    /// Payments and refunds.
    pub payments: Arc<dyn Payments>,
    /// The durable side.
    pub journal: Arc<dyn Journal>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Settings.
    pub settings: Settings,
}

/// The hotel: the dispatcher and the watch that every interface uses.
#[derive(Debug)]
pub struct Hotel {
    pub(crate) crm: Arc<dyn Crm>,
    pub(crate) payments: Arc<dyn Payments>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) settings: Settings,
    pub(crate) engine: Engine,
    pub(crate) schemas: Schemas,
}

impl Hotel {
    /// Puts it together; nothing runs yet but what is dispatched.
    #[must_use]
    pub fn new(parts: Parts) -> Arc<Self> {
        let Parts { crm, payments, journal, clock, entropy, settings } = parts;
        let world = Arc::new(HotelWorld { clock: Arc::clone(&clock), entropy: Arc::clone(&entropy) });
        let check_out = CheckOut::new(Arc::clone(&crm), Arc::clone(&payments), Arc::clone(&journal), settings.clone());
        let worker = if settings.worker.is_empty() {
            format!("worker-{:016x}", entropy.next_u64())
        } else {
            settings.worker.clone()
        };
        let engine = Engine::new(
            journal,
            world,
            vec![Arc::new(check_out)],
            dewy_saga::Settings {
                worker,
                workers: settings.workers,
                lease: settings.lease,
                budget: settings.budget(),
                poll: settings.poll,
                probe: Arc::clone(&settings.probe),
            },
        );
        Arc::new(Self { crm, payments, clock, settings, engine, schemas: Schemas::of_catalogue() })
    }

    /// Works off what is due until told to stop; returns when what runs is finished or handed over.
    pub async fn work(self: Arc<Self>, stop: CancellationToken) {
        self.engine.work(stop.cancelled()).await;
    }

    /// The engine, for those who count and those who test.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }
}
