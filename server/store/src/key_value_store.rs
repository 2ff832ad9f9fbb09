//! Small values of this installation, such as the id of the registered webhook endpoint.

use std::{collections::BTreeMap, time::Duration};

use dewy_saga::{ExecutionId, Journal, StoreError};
use serde_json::Value;

use crate::{
    backend::Backend,
    fetch::{fetch, for_ids},
    row_conversion::{json, micros, to_json},
    small_writes::write_rows,
    store::Store,
};

impl Store {
    pub async fn get_setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        Ok(fetch!(
            self,
            (String,),
            "select value from setting where name = $1",
            name
        )?
        .pop()
        .map(|(value,)| value))
    }

    /// Stores a value under a name, replacing the previous one.
    pub async fn put_setting(&self, name: &str, value: &str) -> Result<(), StoreError> {
        let sql = "insert into setting (name, value, updated_at) values ($1, $2, $3)
                   on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at";
        write_rows!(self, sql, name, value, micros(self.clock.now())).map(drop)
    }

    /// Performs a small write through the regular writer, to check that the store is writable.
    ///
    /// # Errors
    /// When it is not writable.
    pub async fn try_writing(&self) -> Result<(), StoreError> {
        // For no execution: it goes through the journal's writer and changes nothing.
        Journal::wake(self, ExecutionId(uuid::Uuid::nil()), Duration::ZERO).await?;
        self.put_setting("last_written", &self.clock.now().to_string())
            .await
    }

    /// Stores a value under a name unless there is one, and returns the stored value; of several
    /// concurrent calls, one wins.
    pub async fn get_or_insert_setting(
        &self,
        name: &str,
        value: &str,
    ) -> Result<String, StoreError> {
        let sql = "insert into setting (name, value, updated_at) values ($1, $2, $3) on conflict (name) do nothing";
        write_rows!(self, sql, name, value, micros(self.clock.now()))?;
        Ok(self
            .get_setting(name)
            .await?
            .unwrap_or_else(|| value.to_owned()))
    }

    /// Erases a value: overwrites it with as many zeros before its row is deleted, so that a database
    /// that leaves deleted rows in its file keeps no secret.
    pub async fn erase_setting(&self, name: &str) -> Result<(), StoreError> {
        let Some(value) = self.get_setting(name).await? else {
            return Ok(());
        };
        self.put_setting(name, &"0".repeat(value.len())).await?;
        self.delete_json(name).await
    }

    /// The JSON value with that name, such as the last run of the orphan check.
    ///
    /// # Errors
    /// When the store fails, or the value is not valid JSON.
    pub async fn get_json(&self, name: &str) -> Result<Option<Value>, StoreError> {
        self.get_setting(name)
            .await?
            .as_deref()
            .map(json)
            .transpose()
    }

    /// The JSON values with these names, in one read; missing and invalid ones are left out.
    pub async fn get_jsons(&self, names: &[String]) -> Result<BTreeMap<String, Value>, StoreError> {
        let sql = for_ids!(self, "select name, value from setting where name", "");
        let rows = fetch!(self, (String, String), sql, to_json(&names)?)?;
        Ok(rows
            .into_iter()
            .filter_map(|(name, value)| Some((name, json(&value).ok()?)))
            .collect())
    }

    /// Stores a JSON value under a name, replacing the previous one.
    pub async fn put_json(&self, name: &str, value: &Value) -> Result<(), StoreError> {
        self.put_setting(name, &to_json(value)?).await
    }

    /// Deletes the JSON value with that name.
    pub async fn delete_json(&self, name: &str) -> Result<(), StoreError> {
        write_rows!(self, "delete from setting where name = $1", name).map(drop)
    }
}
