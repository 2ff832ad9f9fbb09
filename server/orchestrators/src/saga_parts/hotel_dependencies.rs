//! The ports and settings that a hotel is built from.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    ports::{Clock, Crm, Entropy, Mail, Payments, StaffDirectory, TextMessages},
    tool_input::ToolInput,
};
use dewy_saga::{Context, Journal, Prerequisites, PrerequisitesResult};
use futures::future::BoxFuture;

use crate::saga_parts::{key_value_store::KeyValueStore, not_ready::NotReady, settings::Settings};

/// Parts of a hotel.
#[derive(Clone, Debug)]
pub struct HotelDependencies {
    /// Guests, bookings, rooms, opportunities.
    pub crm: Arc<dyn Crm>,
    /// Payments, refunds and disputes.
    pub payments: Arc<dyn Payments>,
    pub texts: Arc<dyn TextMessages>,
    /// Email; `None` if no mail server is configured.
    pub mail: Option<Arc<dyn Mail>>,
    /// Durable storage of the engine.
    pub journal: Arc<dyn Journal>,
    /// Small values stored outside the journal.
    pub key_value_store: Arc<dyn KeyValueStore>,
    /// Who can be given work; `None` accepts everybody.
    pub staff: Option<Arc<dyn StaffDirectory>>,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    pub settings: Settings,
}

/// A function that reads the prerequisites of a saga with this input through the ports.
type ReadThrough<I> = for<'a> fn(
    &'a HotelDependencies,
    Context<'a>,
    I,
) -> BoxFuture<'a, Result<PrerequisitesResult, NotReady>>;

struct PortPrerequisites<I>(HotelDependencies, ReadThrough<I>);

impl HotelDependencies {
    /// A saga's prerequisites, read through these ports.
    pub(crate) fn prerequisites<I: ToolInput + 'static>(
        &self,
        read: ReadThrough<I>,
    ) -> impl Prerequisites + use<I> {
        PortPrerequisites(self.clone(), read)
    }
}

#[async_trait]
impl<I: ToolInput> Prerequisites for PortPrerequisites<I> {
    async fn read(&self, cx: Context<'_>) -> PrerequisitesResult {
        let read = async { (self.1)(&self.0, cx, I::read(cx.input)?).await };
        read.await.unwrap_or_else(|NotReady(why)| why)
    }
}
