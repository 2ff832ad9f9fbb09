//! Small facts of this installation: the id of the webhook endpoint it registered, and the like.

use dewy_saga::{ExecutionId, Journal, StoreError};
use serde_json::Value;

use crate::{
    codec::{json, micros, to_json},
    read::fetch,
    store::Store,
    write::write,
};

impl Store {
    /// What was last put under that name.
    ///
    /// # Errors
    /// When the store failed.
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

    /// Puts a value under a name, in place of what was there.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn put_setting(&self, name: &str, value: &str) -> Result<(), StoreError> {
        let sql = "insert into setting (name, value, updated_at) values ($1, $2, $3)
                   on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at";
        write!(self, sql, name, value, micros(self.clock.now())).map(drop)
    }

    /// Writes a little, by the way of all writers: whether anything can be written at all.
    ///
    /// # Errors
    /// When it cannot.
    pub async fn try_writing(&self) -> Result<(), StoreError> {
        // Of nobody: it goes through the journal's writer and changes nothing.
        Journal::wake(self, ExecutionId(uuid::Uuid::nil()), self.clock.now()).await?;
        self.put_setting("last_written", &self.clock.now().to_string())
            .await
    }

    /// Puts a value under a name unless there is one, and answers the one that is there then; of
    /// several who try, one wins.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn settle_setting(&self, name: &str, value: &str) -> Result<String, StoreError> {
        let sql = "insert into setting (name, value, updated_at) values ($1, $2, $3) on conflict (name) do nothing";
        write!(self, sql, name, value, micros(self.clock.now()))?;
        Ok(self
            .get_setting(name)
            .await?
            .unwrap_or_else(|| value.to_owned()))
    }

    /// The JSON value that was last put under that name: the last run of the sweep, and the like.
    ///
    /// # Errors
    /// When the store failed, or what is there is no JSON.
    pub async fn get_fact(&self, name: &str) -> Result<Option<Value>, StoreError> {
        self.get_setting(name)
            .await?
            .as_deref()
            .map(json)
            .transpose()
    }

    /// Puts a JSON value under a name, in place of what was there.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn put_fact(&self, name: &str, value: &Value) -> Result<(), StoreError> {
        self.put_setting(name, &to_json(value)?).await
    }
}
