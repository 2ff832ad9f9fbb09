//! Browser sessions, for `tower-sessions`. A stolen copy of the table grants no access: ids are
//! stored as SHA-256.

use async_trait::async_trait;
use dewy_saga::StoreError;
use jiff::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tower_sessions::{
    SessionStore,
    cookie::time::OffsetDateTime,
    session::{Id, Record},
    session_store::{Error, Result},
};

use crate::{
    fetch::fetch,
    row_conversion::{json, micros, to_timestamp},
    small_writes::write_rows,
    store::Store,
};

/// Key of a session's value that names its subject, as a string; sessions are found and revoked by
/// it.
pub const SUBJECT_KEY: &str = "subject";

/// Number of characters of an id's hash that name a session to its owner; the cookie cannot be
/// derived from it.
const NAME: usize = 16;

/// An active session, as its owner may see it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSession {
    pub name: String,
    pub data: Value,
    pub since: Timestamp,
    /// Last use; up to a minute behind.
    pub last_used: Timestamp,
}

/// The name of a session in lists.
fn name_of(id: &Id) -> String {
    let mut name = id_hash(id);
    name.truncate(NAME);
    name
}

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
    let subject = record
        .data
        .get(SUBJECT_KEY)
        .and_then(|s| s.as_str())
        .map(str::to_owned);
    Ok((
        subject,
        serde_json::to_string(&record.data).map_err(|e| Error::Encode(e.to_string()))?,
    ))
}

#[async_trait]
impl SessionStore for Store {
    async fn create(&self, record: &mut Record) -> Result<()> {
        let sql = "insert into session (id_hash, subject, data, created_at, expires_at) values ($1, $2, $3, $4, $5)
                   on conflict (id_hash) do nothing";
        let (subject, data) = encode(record)?;
        let now = micros(self.clock.now());
        while write_rows!(
            self,
            sql,
            id_hash(&record.id),
            &subject,
            &data,
            now,
            expiry(record)
        )
        .map_err(backend)?
            == 0
        {
            record.id = Id::default();
        }
        Ok(())
    }

    async fn save(&self, record: &Record) -> Result<()> {
        // Only an update: a session revoked during a request must not come back when that request
        // ends.
        let sql = "update session set subject = $2, data = $3, expires_at = $4 where id_hash = $1";
        let (subject, data) = encode(record)?;
        write_rows!(
            self,
            sql,
            id_hash(&record.id),
            &subject,
            &data,
            expiry(record)
        )
        .map(drop)
        .map_err(backend)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let sql = "select data, expires_at from session where id_hash = $1 and expires_at > $2";
        let now = micros(self.clock.now());
        let Some((data, expires_at)) = fetch!(self, (String, i64), sql, id_hash(id), now)
            .map_err(backend)?
            .pop()
        else {
            return Ok(None);
        };
        let data = serde_json::from_str(&data).map_err(|e| Error::Decode(e.to_string()))?;
        let nanos = i128::from(expires_at) * 1000;
        let expiry_date = OffsetDateTime::from_unix_timestamp_nanos(nanos)
            .map_err(|e| Error::Decode(e.to_string()))?;
        Ok(Some(Record {
            id: *id,
            data,
            expiry_date,
        }))
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        write_rows!(self, "delete from session where id_hash = $1", id_hash(id))
            .map(drop)
            .map_err(backend)
    }
}

impl Store {
    /// Ends all sessions of a subject, and of all guests who share the email with others; returns their
    /// number.
    pub async fn revoke_sessions(&self, subject: &str) -> std::result::Result<u64, StoreError> {
        write_rows!(
            self,
            "delete from session where subject = $1 or substr(subject, 1, length($1) + 1) = $1 || ';'",
            subject
        )
    }

    /// A subject's active sessions, last used first.
    pub async fn sessions_of(
        &self,
        subject: &str,
    ) -> std::result::Result<Vec<StoredSession>, StoreError> {
        let sql =
            "select id_hash, data, created_at, coalesce(last_used_at, created_at) from session
                   where subject = $1 and expires_at > $2 order by 4 desc, id_hash";
        let now = micros(self.clock.now());
        let mut found = Vec::new();
        for (hash, data, since, last_used) in
            fetch!(self, (String, String, i64, i64), sql, subject, now)?
        {
            found.push(StoredSession {
                name: hash.chars().take(NAME).collect(),
                data: json(&data)?,
                since: to_timestamp(since)?,
                last_used: to_timestamp(last_used)?,
            });
        }
        Ok(found)
    }

    /// Name of a session in [`Store::sessions_of`].
    #[must_use]
    pub fn session_name(id: &Id) -> String {
        name_of(id)
    }

    /// Records that a session was used; false when it does not exist any more.
    pub async fn touch_session(
        &self,
        id: &Id,
        at: Timestamp,
    ) -> std::result::Result<bool, StoreError> {
        let sql = "update session set last_used_at = $2 where id_hash = $1 and expires_at > $2";
        Ok(write_rows!(self, sql, id_hash(id), micros(at))? == 1)
    }

    /// Whether the session is still valid: it may have been revoked during a long request.
    pub async fn session_is_valid(&self, id: &Id) -> std::result::Result<bool, StoreError> {
        let sql = "select count(*) from session where id_hash = $1 and expires_at > $2";
        let now = micros(self.clock.now());
        Ok(fetch!(self, (i64,), sql, id_hash(id), now)?
            .first()
            .is_some_and(|(n,)| *n == 1))
    }

    /// Ends one of a subject's sessions, by its name; false when there is none.
    pub async fn revoke_session(
        &self,
        subject: &str,
        name: &str,
    ) -> std::result::Result<bool, StoreError> {
        let sql = "delete from session where subject = $1 and substr(id_hash, 1, 16) = $2";
        Ok(write_rows!(self, sql, subject, name)? > 0)
    }

    /// Ends all of a subject's sessions except the named one; returns their number.
    pub async fn revoke_other_sessions(
        &self,
        subject: &str,
        name: &str,
    ) -> std::result::Result<u64, StoreError> {
        let sql = "delete from session where subject = $1 and substr(id_hash, 1, 16) <> $2";
        write_rows!(self, sql, subject, name)
    }
}
