//! Real time, and ids with good locality in a database.

use std::time::Duration;

use async_trait::async_trait;
use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::ports::{Clock, Entropy};
use dewy_saga::{Environment, ExecutionId};
use jiff::Timestamp;

/// World of the engine.
#[derive(Debug)]
pub struct BenchEnvironment;

#[async_trait]
impl Environment for BenchEnvironment {
    fn now(&self) -> Timestamp {
        let now = RealClock.now();
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }

    async fn sleep(&self, pause: Duration) {
        RealClock.sleep(pause).await;
    }

    fn new_id(&self) -> ExecutionId {
        ExecutionId(OsEntropy.uuid_v7(RealClock.now()))
    }
}

/// Name that was not used before.
pub fn unique() -> String {
    OsEntropy.uuid_v7(RealClock.now()).simple().to_string()
}
