//! API tokens for programs. Only hashes are stored.

use dewy_domain::email_address::EmailAddress;
use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::columns::columns;
use crate::{
    error::broken,
    fetch::fetch,
    row_conversion::{json, micros, to_json, to_timestamp},
    small_writes::write_rows,
    store::Store,
};

/// Maximum delay of `last_used_at`, so that not every call writes.
const LAST_USED_LAG: i64 = 60_000_000;

/// Prefix of a token's id.
const ID: &str = "tok_";
/// Number of hash bytes in the id.
const ID_BYTES: usize = 8;

/// A token to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewToken {
    /// SHA-256 of the token.
    pub hash: [u8; 32],
    /// Persona it acts as: `guest` or `staff`.
    pub persona: String,
    /// Email of the person it acts for, if any.
    pub subject_email: Option<EmailAddress>,
    /// Roles it is narrowed to; if empty, the owner's.
    pub roles: Vec<String>,
    /// True if it may only read.
    pub read_only: bool,
    /// Creator: a caller's key, or `cli`.
    pub created_by: Option<String>,
    /// Purpose, in the owner's words.
    pub name: String,
    pub created_at: Timestamp,
    /// Expiration time.
    pub expires_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiToken {
    /// The token's data.
    pub token: NewToken,
    /// Last use; up to a minute behind.
    pub last_used_at: Option<Timestamp>,
    /// Revocation time.
    pub revoked_at: Option<Timestamp>,
}

impl ApiToken {
    /// Id, derived from the hash's first bytes, which reveal nothing about the token.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{ID}{}", hex::encode(&self.token.hash[..ID_BYTES]))
    }
}

/// The first digits of the hash, from an id.
fn digits(id: &str) -> Option<&str> {
    let digits = id.strip_prefix(ID)?;
    let right = digits.len() == ID_BYTES * 2
        && digits
            .bytes()
            .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    right.then_some(digits)
}

columns! {
    struct Columns {
        hash: String,
        persona: String,
        subject_email: Option<String>,
        roles: String,
        read_only: i64,
        created_by: Option<String>,
        name: String,
        created_at: i64,
        expires_at: Option<i64>,
        last_used_at: Option<i64>,
        revoked_at: Option<i64>,
    }
}

impl Columns {
    fn token(self) -> Result<ApiToken, StoreError> {
        let mut hash = [0; 32];
        hex::decode_to_slice(&self.hash, &mut hash).map_err(broken)?;
        let token = NewToken {
            hash,
            persona: self.persona,
            subject_email: self.subject_email.map(EmailAddress::from),
            roles: serde_json::from_value(json(&self.roles)?).map_err(broken)?,
            read_only: self.read_only != 0,
            created_by: self.created_by,
            name: self.name,
            created_at: to_timestamp(self.created_at)?,
            expires_at: self.expires_at.map(to_timestamp).transpose()?,
        };
        let (last_used_at, revoked_at) = (
            self.last_used_at.map(to_timestamp).transpose()?,
            self.revoked_at.map(to_timestamp).transpose()?,
        );
        Ok(ApiToken {
            token,
            last_used_at,
            revoked_at,
        })
    }
}

impl Store {
    /// Stores a token's hash; false when it already exists.
    pub async fn create_token(&self, new: NewToken) -> Result<bool, StoreError> {
        let sql = "insert into api_token (hash, persona, subject_email, roles, name, created_at, expires_at, read_only, created_by)
                   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (hash) do nothing";
        let (roles, expires_at) = (to_json(&new.roles)?, new.expires_at.map(micros));
        let hash = hex::encode(new.hash);
        let subject_email = new.subject_email.map(String::from);
        Ok(write_rows!(
            self,
            sql,
            &hash,
            &new.persona,
            &subject_email,
            &roles,
            &new.name,
            micros(new.created_at),
            expires_at,
            i64::from(new.read_only),
            &new.created_by
        )? == 1)
    }

    /// The active token with that hash: neither expired nor revoked.
    pub async fn find_token_by_hash(
        &self,
        hash: &[u8; 32],
    ) -> Result<Option<ApiToken>, StoreError> {
        let sql = "select hash, persona, subject_email, roles, read_only, created_by, name, created_at, expires_at, last_used_at, revoked_at from api_token
                   where hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)";
        let now = micros(self.clock.now());
        fetch!(self, Columns, sql, hex::encode(hash), now)?
            .pop()
            .map(Columns::token)
            .transpose()
    }

    /// Every token, newest first, including inactive ones.
    pub async fn tokens(&self) -> Result<Vec<ApiToken>, StoreError> {
        let sql = "select hash, persona, subject_email, roles, read_only, created_by, name, created_at, expires_at, last_used_at, revoked_at from api_token
                   order by created_at desc, hash";
        fetch!(self, Columns, sql)?
            .into_iter()
            .map(Columns::token)
            .collect()
    }

    /// Records that a token was used.
    pub async fn touch_token_last_used(
        &self,
        hash: &[u8; 32],
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let sql = "update api_token set last_used_at = $2 where hash = $1 and (last_used_at is null or last_used_at < $3)";
        write_rows!(
            self,
            sql,
            hex::encode(hash),
            micros(at),
            micros(at) - LAST_USED_LAG
        )
        .map(drop)
    }

    /// Revokes a token; false when no active token has that hash.
    pub async fn revoke_token(&self, hash: &[u8; 32], at: Timestamp) -> Result<bool, StoreError> {
        let sql = "update api_token set revoked_at = $2 where hash = $1 and revoked_at is null";
        Ok(write_rows!(self, sql, hex::encode(hash), micros(at))? == 1)
    }
    /// Deletes every token of that person; returns their number.
    ///
    /// # Errors
    /// When the store fails; a retry completes the rest.
    pub async fn delete_tokens_of(
        &self,
        persona: &str,
        email: &EmailAddress,
    ) -> Result<u64, StoreError> {
        let sql = "delete from api_token where persona = $1 and subject_email = $2";
        write_rows!(self, sql, persona, email.as_str())
    }

    /// The token with that id, active or not.
    pub async fn find_token_by_id(&self, id: &str) -> Result<Option<ApiToken>, StoreError> {
        let Some(digits) = digits(id) else {
            return Ok(None);
        };
        let sql = "select hash, persona, subject_email, roles, read_only, created_by, name, created_at, expires_at, last_used_at, revoked_at
                   from api_token where substr(hash, 1, 16) = $1";
        fetch!(self, Columns, sql, digits)?
            .pop()
            .map(Columns::token)
            .transpose()
    }
}
