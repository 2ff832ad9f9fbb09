//! Time and chance, passed in: a whole run replays from a seed.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::id::ExecutionId;

/// What the engine takes from the world beside its store.
#[async_trait]
pub trait World: Send + Sync {
    /// The present moment, in whole microseconds (the store keeps no finer ones).
    fn now(&self) -> Timestamp;

    /// Returns when `pause` has passed.
    async fn sleep(&self, pause: Duration);

    /// A new id.
    fn new_id(&self) -> ExecutionId;
}
