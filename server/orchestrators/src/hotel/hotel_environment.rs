//! The engine's environment: the hotel's clock and IDs.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::ports::{Clock, Entropy};
use dewy_saga::{Environment, ExecutionId};
use jiff::Timestamp;

/// The engine's environment, built from the hotel's clock and entropy.
pub(crate) struct HotelEnvironment {
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
}

#[async_trait]
impl Environment for HotelEnvironment {
    fn now(&self) -> Timestamp {
        let now = self.clock.now();
        // The store keeps whole microseconds, and digests must verify after a reload.
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }

    async fn sleep(&self, pause: Duration) {
        self.clock.sleep(pause).await;
    }

    fn new_id(&self) -> ExecutionId {
        ExecutionId(self.entropy.uuid_v7(self.clock.now()))
    }
}
