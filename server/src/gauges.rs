//! What `/metrics` reads when it is asked.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_connectors::Count;
use dewy_orchestrators::Hotel;
use dewy_saga::{Journal, State, journal::Filter};
use dewy_store::Store;

use crate::{systems::Systems, telemetry::Gauges};

/// Counting further would cost more than the number is worth.
const AT_MOST: usize = 1000;

/// Of one server.
#[derive(Debug)]
pub struct HotelGauges {
    /// Executions.
    pub store: Store,
    /// Calls to outside systems.
    pub systems: Systems,
    /// What runs here.
    pub hotel: Arc<Hotel>,
}

#[async_trait]
impl Gauges for HotelGauges {
    async fn refresh(&self) {
        for state in State::ALL.into_iter().filter(|s| !s.at_rest() || *s == State::NeedsAttention) {
            let filter = Filter { states: vec![state], limit: AT_MOST, ..Filter::default() };
            match self.store.list(&filter).await {
                Ok(found) => {
                    let number = u32::try_from(found.len()).unwrap_or(u32::MAX);
                    metrics::gauge!("dewy_executions", "state" => state.name()).set(number);
                }
                Err(error) => tracing::warn!(%error, "executions could not be counted"),
            }
        }
        for Count { system, operation, outcome, calls } in
            self.systems.crm.counts().into_iter().chain(self.systems.payments.counts())
        {
            metrics::counter!("dewy_upstream_calls_total", "system" => system.name(), "operation" => operation, "outcome" => outcome)
                .absolute(calls);
        }
        if let Some((used, limit)) = self.systems.crm.usage() {
            let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
            metrics::gauge!("dewy_salesforce_quota_used").set(small(used));
            metrics::gauge!("dewy_salesforce_quota_limit").set(small(limit));
        }
        metrics::gauge!("dewy_running").set(u32::try_from(self.hotel.engine().running()).unwrap_or(u32::MAX));
    }
}
