//! Time and ids, injected so that a whole run can be replayed from a seed.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::execution_id::ExecutionId;

/// Dependencies of the engine besides its store.
#[async_trait]
pub trait Environment: Send + Sync {
    /// Current time, in whole microseconds (the store keeps no finer ones).
    fn now(&self) -> Timestamp;

    /// Waits until `pause` has passed.
    async fn sleep(&self, pause: Duration);

    fn new_id(&self) -> ExecutionId;
}
