//! Sessions of browsers, for `tower-sessions`. A stolen copy of the table opens nothing: ids are stored as SHA-256.

use async_trait::async_trait;
use dewy_saga::StoreError;
use sha2::{Digest, Sha256};
use tower_sessions::{
    SessionStore,
    cookie::time::OffsetDateTime,
    session::{Id, Record},
    session_store::{Error, Result},
};

use crate::{codec::micros, read::fetch, store::Store, write::write};

/// Under this key a session holds, as a string, whose it is; by it sessions can be found and revoked.
pub const SUBJECT_KEY: &str = "subject";

fn id_hash(id: &Id) -> String {
    hex::encode(Sha256::digest(id.0.to_be_bytes()))
}

fn expiry(record: &Record) -> i64 {
    i64::try_from(record.expiry_date.unix_timestamp_nanos() / 1000).unwrap_or(i64::MAX)
}

fn backend(error: StoreError) -> Error {
    Error::Backend(error.to_string())
}

fn encode(record: &Record) -> Result<(Option<String>, String)> {
    let subject = record.data.get(SUBJECT_KEY).and_then(|s| s.as_str()).map(str::to_owned);
    Ok((subject, serde_json::to_string(&record.data).map_err(|e| Error::Encode(e.to_string()))?))
}

#[async_trait]
impl SessionStore for Store {
    async fn create(&self, record: &mut Record) -> Result<()> {
        let sql = "insert into session (id_hash, subject, data, created_at, expires_at) values ($1, $2, $3, $4, $5)
                   on conflict (id_hash) do nothing";
        let (subject, data) = encode(record)?;
        let now = micros(self.clock.now());
        while write!(self, sql, id_hash(&record.id), &subject, &data, now, expiry(record)).map_err(backend)? == 0 {
            record.id = Id::default();
        }
        Ok(())
    }

    async fn save(&self, record: &Record) -> Result<()> {
        let sql = "insert into session (id_hash, subject, data, created_at, expires_at) values ($1, $2, $3, $4, $5)
                   on conflict (id_hash) do update set subject = excluded.subject, data = excluded.data, expires_at = excluded.expires_at";
        let (subject, data) = encode(record)?;
        let now = micros(self.clock.now());
        write!(self, sql, id_hash(&record.id), &subject, &data, now, expiry(record)).map(drop).map_err(backend)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let sql = "select data, expires_at from session where id_hash = $1 and expires_at > $2";
        let now = micros(self.clock.now());
        let Some((data, expires_at)) = fetch!(self, (String, i64), sql, id_hash(id), now).map_err(backend)?.pop()
        else {
            return Ok(None);
        };
        let data = serde_json::from_str(&data).map_err(|e| Error::Decode(e.to_string()))?;
        let nanos = i128::from(expires_at) * 1000;
        let expiry_date = OffsetDateTime::from_unix_timestamp_nanos(nanos).map_err(|e| Error::Decode(e.to_string()))?;
        Ok(Some(Record { id: *id, data, expiry_date }))
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        write!(self, "delete from session where id_hash = $1", id_hash(id)).map(drop).map_err(backend)
    }
}

impl Store {
    /// How many live sessions somebody has.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn count_sessions(&self, subject: &str) -> std::result::Result<u64, StoreError> {
        let sql = "select count(*) from session where subject = $1 and expires_at > $2";
        let now = micros(self.clock.now());
        Ok(fetch!(self, (i64,), sql, subject, now)?.first().map_or(0, |(n,)| n.unsigned_abs()))
    }

    /// Ends all of somebody's sessions; answers how many.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn revoke_sessions(&self, subject: &str) -> std::result::Result<u64, StoreError> {
        write!(self, "delete from session where subject = $1", subject)
    }
}
