//! Limits on sign-in attempts. What a stranger does counts against the browser and the network that
//! did it, and against an account only with so much room that its owner still gets in.
//!
//! ```text
//! browser that the account knows ─► its own allowance, nothing else
//! any other ─► account and browser ─► account and network ─► account and region ─► network, all accounts
//! code, of an account, phone or network that asks for many ─► never refused: the common code
//! ```
//! Counts are in the store: an attacker must not gain by waiting for a restart or by changing the
//! instance. A bucket's name is a keyed hash, so the table names neither people nor addresses.

use std::{net::IpAddr, time::Duration};

use dewy_domain::{email_address::EmailAddress, ports::SignInError};
use dewy_saga::StoreError;

use super::authenticator::RequestAuthenticator;
use crate::config::network::Network;

/// Maximum number of hits in a window.
#[derive(Clone, Copy, Debug)]
struct Limit {
    name: &'static str,
    hits: u64,
    window: Duration,
}

impl Limit {
    const fn new(name: &'static str, hits: u64, minutes: u64) -> Self {
        Self {
            name,
            hits,
            window: Duration::from_secs(minutes * 60),
        }
    }
}

const PASSWORDS_PER_KNOWN_BROWSER: Limit = Limit::new("password:known", 10, 15);
const PASSWORDS_PER_BROWSER: Limit = Limit::new("password:browser", 10, 15);
const PASSWORDS_PER_NETWORK: Limit = Limit::new("password:network", 10, 15);
/// A region is what one customer of a provider can have: 256 IPv4 addresses or 65,536 IPv6 networks.
const PASSWORDS_PER_REGION: Limit = Limit::new("password:region", 300, 15);
/// Passwords for all accounts: a staff of hundreds may share one network, on a day when all are new.
const PASSWORDS_ON_NETWORK: Limit = Limit::new("passwords", 300, 15);
/// Wrong passwords for one account from everywhere, above which a guess by an unknown browser takes
/// longer. It never refuses: that would lock out the owner.
const PASSWORDS_BEFORE_DELAY: Limit = Limit::new("password", 300, 15);
/// How long such a guess is held up.
const DELAY: Duration = Duration::from_secs(1);

const CODES_PER_KNOWN_BROWSER: Limit = Limit::new("code:known", 3, 60);
const CODES_PER_BROWSER: Limit = Limit::new("code:browser", 3, 60);
/// Codes of their own, for browsers that the guest did not sign in with; whoever asks beyond gets the
/// common code. So nobody is refused for what others did, and no phone is bombarded.
const CODES_PER_NETWORK: Limit = Limit::new("code:network", 9, 60);
const CODES_PER_HOUR: Limit = Limit::new("code:hour", 12, 60);
const CODES_PER_DAY: Limit = Limit::new("code:day", 36, 24 * 60);
/// Codes for new guests to one phone: anyone can enter another person's number.
const SIGN_UPS_PER_PHONE_AND_BROWSER: Limit = Limit::new("phone:browser", 3, 60);
const SIGN_UPS_PER_PHONE: Limit = Limit::new("phone:hour", 9, 60);
/// Codes for all accounts: many guests share the hotel's own network.
const CODES_ON_NETWORK: Limit = Limit::new("codes", 600, 60);

/// Guesses at codes. A code is bound to its browser, and has five guesses of its own.
const GUESSES_PER_BROWSER: Limit = Limit::new("guess:browser", 15, 15);
const GUESSES_ON_NETWORK: Limit = Limit::new("guesses", 300, 15);
/// Reads of a guest in the CRM, of which each sign-in takes two: one network uses a small part of the
/// CRM's daily quota.
const READS_ON_NETWORK: Limit = Limit::new("guest_reads", 2000, 6 * 60);

/// Counted hits, which are taken back if the attempt was right.
#[derive(Debug, Default)]
pub(super) struct Attempt(Vec<String>);

impl RequestAuthenticator {
    /// Counts an attempt at a staff account's password, and holds up guesses at an account that is
    /// attacked from many networks.
    pub(super) async fn count_password(
        &self,
        email: &EmailAddress,
    ) -> Result<Attempt, SignInError> {
        let (account, browser) = (email.as_str().as_bytes(), self.from.browser.id());
        let mut attempt = Attempt::default();
        if self.from.browser.is_known_to(&staff_key(email)) {
            let own = [account, &browser.0];
            self.count(&mut attempt, PASSWORDS_PER_KNOWN_BROWSER, &own)
                .await?;
            return Ok(attempt);
        }
        let (network, region) = self.networks();
        for (limit, parts) in [
            (PASSWORDS_PER_BROWSER, [account, &browser.0]),
            (PASSWORDS_PER_NETWORK, [account, &network]),
            (PASSWORDS_PER_REGION, [account, &region]),
            (PASSWORDS_ON_NETWORK, [b"", &network]),
        ] {
            self.count(&mut attempt, limit, &parts).await?;
        }
        let limit = PASSWORDS_BEFORE_DELAY;
        let hits = self.hit(&mut attempt, limit, &[account]).await?.0;
        if hits > limit.hits {
            if hits == limit.hits + 1 {
                tracing::warn!(
                    account = %email,
                    "a staff password is being guessed from many networks; browsers that the account has used before are not affected"
                );
            }
            metrics::counter!("dewy_password_guesses_delayed_total").increment(1);
            tokio::time::sleep(DELAY).await;
        }
        Ok(attempt)
    }

    /// Counts a request for a code; `phone` is the one that someone new entered. True if so many were
    /// asked for that this one gets the common code.
    pub(super) async fn count_code(
        &self,
        email: &EmailAddress,
        phone: Option<&str>,
    ) -> Result<bool, SignInError> {
        let (account, browser) = (email.as_str().as_bytes(), self.from.browser.id());
        let mut attempt = Attempt::default();
        if self.from.browser.is_known_to(&guest_key(email)) && phone.is_none() {
            let own = [account, &browser.0];
            self.count_on_page(&mut attempt, CODES_PER_KNOWN_BROWSER, &own)
                .await?;
            return Ok(false);
        }
        let (network, _) = self.networks();
        for limit in [CODES_ON_NETWORK, READS_ON_NETWORK] {
            self.count(&mut attempt, limit, &[&network]).await?;
        }
        if let Some(phone) = phone {
            let phone = phone.as_bytes();
            let limit = SIGN_UPS_PER_PHONE_AND_BROWSER;
            self.count(&mut attempt, limit, &[phone, &browser.0])
                .await?;
        }
        let own = [account, &browser.0];
        self.count_on_page(&mut attempt, CODES_PER_BROWSER, &own)
            .await?;
        for (limit, parts) in [
            Some((CODES_PER_NETWORK, vec![account, &network])),
            phone.map(|phone| (SIGN_UPS_PER_PHONE, vec![phone.as_bytes()])),
            Some((CODES_PER_HOUR, vec![account])),
            Some((CODES_PER_DAY, vec![account])),
        ]
        .into_iter()
        .flatten()
        {
            // One that is over its limit uses up no other
            if self.hit(&mut attempt, limit, &parts).await?.0 > limit.hits {
                metrics::counter!("dewy_common_sign_in_codes_total").increment(1);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Counts an attempt to enter a code.
    pub(super) async fn count_guess(&self, email: &EmailAddress) -> Result<Attempt, SignInError> {
        let mut attempt = Attempt::default();
        let browser = self.from.browser.id();
        self.count(&mut attempt, GUESSES_PER_BROWSER, &[&browser.0])
            .await?;
        if !self.from.browser.is_known_to(&guest_key(email)) {
            let (network, _) = self.networks();
            self.count(&mut attempt, GUESSES_ON_NETWORK, &[&network])
                .await?;
            // Stays counted: the read is made either way
            self.count(&mut Attempt::default(), READS_ON_NETWORK, &[&network])
                .await?;
        }
        Ok(attempt)
    }

    /// Counts a read of a guest in the CRM.
    pub(super) async fn count_read(&self) -> Result<(), SignInError> {
        let (network, _) = self.networks();
        self.count(&mut Attempt::default(), READS_ON_NETWORK, &[&network])
            .await
    }

    /// Takes back the hits of an attempt that turned out right.
    pub(super) async fn take_back(&self, attempt: Attempt) {
        for bucket in attempt.0 {
            let taken = self.sign_in_state.store.take_back_rate_limit_hit(&bucket);
            if let Err(error) = taken.await {
                tracing::warn!(%error, "a right attempt stays counted as a wrong one");
            }
        }
    }

    fn networks(&self) -> (Vec<u8>, Vec<u8>) {
        let ip: IpAddr = self.from.ip;
        (
            Network::of(ip).to_string().into(),
            Network::region_of(ip).to_string().into(),
        )
    }

    /// Counts a hit; beyond the limit the form is answered with a page of its own.
    async fn count(
        &self,
        attempt: &mut Attempt,
        limit: Limit,
        parts: &[&[u8]],
    ) -> Result<(), SignInError> {
        let counted = self.count_on_page(attempt, limit, parts).await;
        if let Err(SignInError::TooMany { wait }) = counted {
            self.from.rate_limit_mark.record(wait);
        }
        counted
    }

    /// Counts a hit; beyond the limit the page with the form says so.
    async fn count_on_page(
        &self,
        attempt: &mut Attempt,
        limit: Limit,
        parts: &[&[u8]],
    ) -> Result<(), SignInError> {
        let (hits, wait) = self.hit(attempt, limit, parts).await?;
        if hits > limit.hits {
            Err(SignInError::TooMany { wait })
        } else {
            Ok(())
        }
    }

    async fn hit(
        &self,
        attempt: &mut Attempt,
        limit: Limit,
        parts: &[&[u8]],
    ) -> Result<(u64, Duration), SignInError> {
        let state = &self.sign_in_state;
        let hash = state.installation_key.hash(limit.name, parts);
        let bucket = format!("{}:{}", limit.name, hex::encode(&hash[..16]));
        let now = state.clock.now();
        let counted = state.store.count_rate_limit_hit(&bucket, limit.window, now);
        let counted = counted.await.map_err(unavailable)?;
        attempt.0.push(bucket);
        let wait = counted.until.duration_since(now).unsigned_abs();
        // In whole seconds, and never "0 minutes"
        let wait = Duration::from_secs(wait.as_secs() + u64::from(wait.subsec_nanos() > 0));
        Ok((counted.hits, wait))
    }
}

/// Name of a staff account in the browser's cookie.
pub(super) fn staff_key(email: &EmailAddress) -> String {
    format!("staff:{email}")
}

/// Name of a guest in the browser's cookie.
pub(super) fn guest_key(email: &EmailAddress) -> String {
    format!("guest:{email}")
}

/// Logs a store failure and returns an error without its details.
pub fn unavailable(error: StoreError) -> SignInError {
    tracing::error!(%error, "the store failed during authentication");
    SignInError::Unavailable
}
