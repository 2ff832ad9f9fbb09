//! Sign-in codes. The statement that checks a code also counts the attempt, so a hundred concurrent
//! guesses are still only five.

use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{
    row_conversion::micros,
    small_writes::{write, write_returning},
    store::Store,
};

/// Maximum number of guesses per code.
const MAX_GUESSES: i64 = 5;
/// Maximum number of codes sent to an address per hour.
const SENDS: i64 = 3;
const HOUR: i64 = 3_600_000_000;

/// A code about to be sent. Both hashes should be keyed: six digits are easily guessed from a plain
/// hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCode {
    /// Hash of the address, in lower case.
    pub email_hash: [u8; 32],
    /// Hash of the code.
    pub code_hash: [u8; 32],
    /// Expiration time: ten minutes from now.
    pub expires_at: Timestamp,
    /// Current time.
    pub sent_at: Timestamp,
}

/// Whether a code may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeSend {
    /// Stored; the previous code is invalid: send it.
    Send,
    /// The address had its three codes this hour; nothing was stored.
    TooMany,
}

/// Result of a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeCheck {
    /// Correct; the code cannot be used again.
    Right,
    /// Wrong.
    Wrong {
        /// Guesses left until a new code is needed.
        left: u32,
    },
    /// No valid code: none was sent, or it expired, was used, or had too many guesses.
    Gone,
}

impl Store {
    /// Stores a code and counts it, if the address may get another one this hour.
    pub async fn store_code(&self, new: &NewCode) -> Result<CodeSend, StoreError> {
        let sql = "insert into sign_in_code (email_hash, code_hash, expires_at, tries, used, sends, window_start)
                   values ($1, $2, $3, 0, 0, 1, $4)
                   on conflict (email_hash) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries = 0,
                       used = 0,
                       sends = case when sign_in_code.window_start <= $5 then 1 else sign_in_code.sends + 1 end,
                       window_start = case when sign_in_code.window_start <= $5 then $4 else sign_in_code.window_start end
                   where sign_in_code.window_start <= $5 or sign_in_code.sends < $6";
        let (email, code, at) = (
            hex::encode(new.email_hash),
            hex::encode(new.code_hash),
            micros(new.sent_at),
        );
        let stored = write!(
            self,
            sql,
            &email,
            &code,
            micros(new.expires_at),
            at,
            at - HOUR,
            SENDS
        )?;
        Ok(if stored == 1 {
            CodeSend::Send
        } else {
            CodeSend::TooMany
        })
    }

    /// Checks a guess and counts it.
    pub async fn check_code(
        &self,
        email_hash: &[u8; 32],
        code_hash: &[u8; 32],
        at: Timestamp,
    ) -> Result<CodeCheck, StoreError> {
        let sql = "update sign_in_code set tries = tries + 1, used = case when code_hash = $2 then 1 else 0 end
                   where email_hash = $1 and used = 0 and tries < $4 and expires_at > $3 returning used, tries";
        let (email, code) = (hex::encode(email_hash), hex::encode(code_hash));
        Ok(
            match write_returning!(
                self,
                (i64, i64),
                sql,
                &email,
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
