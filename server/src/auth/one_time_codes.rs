//! Sign-in codes: generated, stored as keyed hashes, and accepted once, from the browser that asked
//! for them.
//!
//! ```text
//! few ask for a recipient ─► six digits, for one browser, sent to it
//! many ask ────────────────► the common code: ten digits, the same for all who ask within half an hour, sent once
//! ```
//! So whoever has others ask for codes keeps nobody from signing in, and bombards no phone. The common
//! code is longer because more browsers may guess at it.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    email_address::EmailAddress,
    ports::{Clock, Entropy},
};
use dewy_saga::StoreError;
use dewy_store::{CodeCheck, NewCode, Store};
use jiff::Timestamp;

use crate::{auth::browser_cookie::BrowserId, config::installation_key::InstallationKey};

pub(super) const CODE_LIFETIME: Duration = Duration::from_secs(600);
/// How long a recipient has one common code; whoever asks later gets the next one. Bounds messages.
const COMMON_CODE: Duration = Duration::from_secs(30 * 60);

/// Generates and verifies codes.
#[derive(Clone, Debug)]
pub struct Codes {
    /// Store of the hashes.
    pub store: Store,
    /// Key of the hashes.
    pub key: InstallationKey,
    pub clock: Arc<dyn Clock>,
    /// Source of randomness.
    pub entropy: Arc<dyn Entropy>,
}

/// A code that was just made.
#[derive(Clone)]
pub struct SentCode {
    pub code: String,
    /// Whether all who ask get it.
    pub is_common: bool,
    /// Whether an earlier request had it sent: another message would say the same.
    pub is_sent: bool,
    asked_hash: [u8; 32],
    code_hash: [u8; 32],
}

/// What a code is bound to.
#[derive(Clone, Copy, Debug)]
pub struct CodeBinding<'a> {
    /// Address that was entered.
    pub email: &'a EmailAddress,
    /// Browser that asked.
    pub browser: BrowserId,
    pub of: CodeOwner<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum CodeOwner<'a> {
    /// The one guest with the email.
    OnlyGuest,
    /// Someone new, with this phone.
    Newcomer(&'a str),
    /// One of several guests with the email: the one who has this phone.
    OneOfSeveral(&'a str),
}

impl Codes {
    /// Generates a code and stores its hash; `common` is the recipient of the common code, if it is
    /// that one. It never checks whether the address belongs to anybody, so the answer reveals nothing.
    pub async fn make(
        &self,
        of: CodeBinding<'_>,
        common: Option<&str>,
    ) -> Result<SentCode, StoreError> {
        let now = self.clock.now();
        let (code, is_sent, expires_at) = match common {
            Some(to) => self.common(of, to, now).await?,
            None => (self.six_digits(), false, now + CODE_LIFETIME),
        };
        let new = NewCode {
            asked_hash: self.asked_hash(of),
            code_hash: self.code_hash(of, &code),
            expires_at,
            sent_at: now,
        };
        self.store.store_code(&new).await?;
        Ok(SentCode {
            code,
            is_common: common.is_some(),
            is_sent,
            asked_hash: new.asked_hash,
            code_hash: new.code_hash,
        })
    }

    /// A recipient's common code, whether it was sent, and when it expires. It is derived from its
    /// window, so nothing is stored that tells it. What a newcomer's phone or mailbox gets is never
    /// the code of a guest.
    async fn common(
        &self,
        of: CodeBinding<'_>,
        to: &str,
        now: Timestamp,
    ) -> Result<(String, bool, Timestamp), StoreError> {
        let purpose = match of.of {
            CodeOwner::OnlyGuest => "common code of a guest",
            CodeOwner::Newcomer(_) => "common code of a newcomer",
            CodeOwner::OneOfSeveral(_) => "common code of one of several",
        };
        // Of several guests with one address, each has a code of their own; a newcomer's phone has one,
        // whatever address was entered
        let email = match of.of {
            CodeOwner::Newcomer(_) => "",
            _ => of.email.as_str(),
        };
        let parts = [email.as_bytes(), to.as_bytes()];
        let bucket = hex::encode(&self.key.hash(purpose, &parts)[..16]);
        let bucket = format!("code:common:{bucket}");
        let window = self
            .store
            .count_rate_limit_hit(&bucket, COMMON_CODE, now)
            .await?;
        let until = window.until.as_microsecond().to_be_bytes();
        let hash = self.key.hash(purpose, &[parts[0], parts[1], &until]);
        let number = hash[..16]
            .iter()
            .fold(0, |number, byte| number << 8 | u128::from(*byte));
        let code = format!("{:010}", number % 10_000_000_000);
        Ok((code, window.hits > 1, window.until + CODE_LIFETIME))
    }

    /// Whether the code can still be used: it is of no use to send one that was used or replaced.
    pub async fn is_open(&self, sent: &SentCode) -> bool {
        if sent.is_common {
            // Others wait for it as well
            return true;
        }
        let (asked, code) = (&sent.asked_hash, &sent.code_hash);
        let open = self.store.code_is_open(asked, code, self.clock.now());
        open.await.unwrap_or_else(|error| {
            tracing::warn!(%error, "a sign-in code could not be read");
            true
        })
    }

    /// Whether the code is correct. A code is accepted only once. The comparison is between keyed
    /// hashes, so its timing reveals nothing about the code.
    pub async fn check(&self, of: CodeBinding<'_>, code: &str) -> Result<bool, StoreError> {
        let (asked, code) = (self.asked_hash(of), self.code_hash(of, code));
        let checked = self.store.check_code(&asked, &code, self.clock.now());
        Ok(checked.await? == CodeCheck::Right)
    }

    fn asked_hash(&self, of: CodeBinding<'_>) -> [u8; 32] {
        let (email, browser) = (of.email.as_str().as_bytes(), &of.browser.0[..]);
        match of.of {
            CodeOwner::OnlyGuest | CodeOwner::Newcomer(_) => {
                self.key.hash("sign-in code asked for", &[email, browser])
            }
            CodeOwner::OneOfSeveral(phone) => {
                let parts = [email, browser, phone.as_bytes()];
                self.key.hash("shared sign-in code asked for", &parts)
            }
        }
    }

    fn code_hash(&self, of: CodeBinding<'_>, code: &str) -> [u8; 32] {
        let email = of.email.as_str().as_bytes();
        let (browser, code) = (&of.browser.0[..], code.as_bytes());
        let (purpose, phone) = match of.of {
            CodeOwner::OnlyGuest => {
                return self.key.hash("sign-in code", &[email, browser, code]);
            }
            CodeOwner::Newcomer(phone) => ("sign-up code", phone),
            CodeOwner::OneOfSeveral(phone) => ("shared sign-in code", phone),
        };
        let parts = [email, browser, phone.as_bytes(), code];
        self.key.hash(purpose, &parts)
    }

    /// Idempotency token for the execution that a correct code starts.
    #[must_use]
    pub fn token(&self) -> String {
        let mut random = [0; 16];
        self.entropy.fill(&mut random);
        hex::encode(random)
    }

    fn six_digits(&self) -> String {
        // Values from the uneven end of the range are drawn again, so that every code is equally
        // likely.
        const UNBIASED_LIMIT: u64 = u64::MAX - u64::MAX % 1_000_000;
        loop {
            let number = self.entropy.next_u64();
            if number < UNBIASED_LIMIT {
                return format!("{:06}", number % 1_000_000);
            }
        }
    }
}
