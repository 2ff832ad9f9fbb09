//! Key-value store for small values that outlive a process and don't belong to an execution, and
//! named leases for work that one process does for all.

use std::{collections::BTreeMap, time::Duration};

use async_trait::async_trait;
use dewy_saga::StoreError;
use jiff::Timestamp;
use serde_json::Value;

/// Named values; only the latest of each is kept.
#[async_trait]
pub trait KeyValueStore: Send + Sync + std::fmt::Debug {
    async fn read(&self, name: &str) -> Result<Option<Value>, StoreError>;

    /// Reads the values with these names, at once; missing ones are left out.
    async fn read_all(&self, names: &[String]) -> Result<BTreeMap<String, Value>, StoreError>;

    async fn write(&self, name: &str, value: Value) -> Result<(), StoreError>;

    /// Acquires the named lease for a limited time, or extends it if this worker holds it; false
    /// while another worker holds it.
    async fn acquire_lease(
        &self,
        name: &str,
        worker: &str,
        lasts: Duration,
        at: Timestamp,
    ) -> Result<bool, StoreError>;
}
