//! Sign-in codes. The statement that checks a code also counts the attempt, so a hundred concurrent
//! guesses are still only five.

use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{
    fetch::fetch,
    row_conversion::micros,
    small_writes::{write_returning, write_rows},
    store::Store,
};

/// Maximum number of guesses per code.
const MAX_GUESSES: i64 = 5;

/// A code about to be sent. Both hashes must be keyed with a key that is not in the store: six
/// digits are easily guessed from a hash whose key is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCode {
    /// Hash of the address and of the browser that asked: another browser's code is another row.
    pub asked_hash: [u8; 32],
    pub code_hash: [u8; 32],
    /// Expiration time: ten minutes from now.
    pub expires_at: Timestamp,
    /// Current time.
    pub sent_at: Timestamp,
}

/// Result of a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeCheck {
    /// Correct; the code cannot be used again.
    Right,
    Wrong {
        /// Guesses left until a new code is needed.
        left: u32,
    },
    /// No valid code: none was sent, or it expired, was used, or had too many guesses.
    Gone,
}

impl Store {
    /// Stores a code; the previous one for the same address and browser is invalid from then on.
    pub async fn store_code(&self, new: &NewCode) -> Result<(), StoreError> {
        // `sends` and `window_start` are required by the table and read by no release from this one on
        let sql = "insert into sign_in_code (email_hash, code_hash, expires_at, tries, used, sends, window_start)
                   values ($1, $2, $3, 0, 0, 1, $4)
                   on conflict (email_hash) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at,
                       tries = 0, used = 0, window_start = excluded.window_start";
        let (asked, code) = (hex::encode(new.asked_hash), hex::encode(new.code_hash));
        write_rows!(
            self,
            sql,
            &asked,
            &code,
            micros(new.expires_at),
            micros(new.sent_at)
        )
        .map(drop)
    }

    /// Whether a code can still be used: it was neither used nor replaced, and is not too old.
    pub async fn code_is_open(
        &self,
        asked_hash: &[u8; 32],
        code_hash: &[u8; 32],
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let sql =
            "select tries from sign_in_code where email_hash = $1 and code_hash = $2 and used = 0
                   and tries < $4 and expires_at > $3";
        let (asked, code) = (hex::encode(asked_hash), hex::encode(code_hash));
        let found = fetch!(self, (i64,), sql, &asked, &code, micros(at), MAX_GUESSES)?;
        Ok(!found.is_empty())
    }

    /// Checks a guess and counts it.
    pub async fn check_code(
        &self,
        asked_hash: &[u8; 32],
        code_hash: &[u8; 32],
        at: Timestamp,
    ) -> Result<CodeCheck, StoreError> {
        let sql = "update sign_in_code set tries = tries + 1, used = case when code_hash = $2 then 1 else 0 end
                   where email_hash = $1 and used = 0 and tries < $4 and expires_at > $3 returning used, tries";
        let (asked, code) = (hex::encode(asked_hash), hex::encode(code_hash));
        Ok(
            match write_returning!(
                self,
                (i64, i64),
                sql,
                &asked,
                &code,
                micros(at),
                MAX_GUESSES
            )?
            .pop()
            {
                None => CodeCheck::Gone,
                Some((1, _)) => CodeCheck::Right,
                Some((_, tries)) => CodeCheck::Wrong {
                    left: u32::try_from(MAX_GUESSES - tries).unwrap_or(0),
                },
            },
        )
    }
}
