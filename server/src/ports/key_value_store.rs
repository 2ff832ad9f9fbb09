//! Key-value store for small facts.

use std::{collections::BTreeMap, time::Duration};

use async_trait::async_trait;
use dewy_orchestrators::KeyValueStore;
use dewy_saga::StoreError;
use dewy_store::Store;
use jiff::Timestamp;
use serde_json::Value;

/// The database as a key-value store.
#[derive(Clone, Debug)]
pub struct StoredValues(pub Store);

impl StoredValues {
    /// Deletes the value with that name.
    pub async fn remove(&self, name: &str) -> Result<(), StoreError> {
        self.0.delete_json(&format!("note:{name}")).await
    }
}

#[async_trait]
impl KeyValueStore for StoredValues {
    async fn read(&self, name: &str) -> Result<Option<Value>, StoreError> {
        self.0.get_json(&format!("note:{name}")).await
    }

    async fn read_all(&self, names: &[String]) -> Result<BTreeMap<String, Value>, StoreError> {
        let stored: Vec<String> = names.iter().map(|name| format!("note:{name}")).collect();
        let mut facts = self.0.get_jsons(&stored).await?;
        Ok(names
            .iter()
            .zip(stored)
            .filter_map(|(name, stored)| Some((name.clone(), facts.remove(&stored)?)))
            .collect())
    }

    async fn write(&self, name: &str, value: Value) -> Result<(), StoreError> {
        self.0.put_json(&format!("note:{name}"), &value).await
    }

    async fn acquire_lease(
        &self,
        name: &str,
        worker: &str,
        lasts: Duration,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        self.0.acquire_named_lease(name, worker, lasts, at).await
    }
}
