//! Rate limits on sign-in attempts, per address and per account.

use std::{net::IpAddr, time::Duration};

use dewy_domain::ports::{Clock, SignInError};
use dewy_saga::StoreError;
use dewy_store::Store;
use sha2::{Digest, Sha256};

/// Rate limit.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    name: &'static str,
    hits: u64,
    window: Duration,
}

/// Requests for codes from one address: many guests may share the hotel's own network.
pub const CODES_PER_ADDRESS: Limit = Limit {
    name: "codes",
    hits: 60,
    window: Duration::from_secs(3600),
};
/// Codes for new guests to one phone: anyone can enter another person's number.
pub const CODES_PER_PHONE: Limit = Limit {
    name: "codes",
    hits: 3,
    window: Duration::from_secs(3600),
};
/// CRM lookups for sign-ins from one address. Each sign-in takes two: one when the code is
/// requested, one when it is entered. Even so, one network uses a small part of the CRM's daily
/// quota.
pub const READS_PER_ADDRESS: Limit = Limit {
    name: "guest_reads",
    hits: 500,
    window: Duration::from_secs(6 * 3600),
};
/// Code attempts from one address.
pub const GUESSES_PER_ADDRESS: Limit = Limit {
    name: "guesses",
    hits: 100,
    window: Duration::from_secs(900),
};
/// Code attempts for one account.
pub const GUESSES_PER_ACCOUNT: Limit = Limit {
    name: "guesses",
    hits: 15,
    window: Duration::from_secs(900),
};
/// Password attempts from one address.
pub const PASSWORDS_PER_ADDRESS: Limit = Limit {
    name: "passwords",
    hits: 60,
    window: Duration::from_secs(900),
};
/// Password attempts for one account.
pub const PASSWORDS_PER_ACCOUNT: Limit = Limit {
    name: "passwords",
    hits: 10,
    window: Duration::from_secs(900),
};

/// Counts one attempt against the limit of an address.
///
/// # Errors
/// `TooMany`, or `Unavailable` when the store failed.
pub async fn count_address_attempt(
    store: &Store,
    clock: &dyn Clock,
    limit: Limit,
    ip: IpAddr,
) -> Result<(), SignInError> {
    count(store, clock, limit, &format!("ip:{}", network(ip))).await
}

/// Network of an address for rate limiting: IPv6 addresses are counted by /64, which usually
/// belongs to one customer.
#[must_use]
pub fn network(ip: IpAddr) -> String {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => ip
            .segments()
            .iter()
            .take(4)
            .map(|s| format!("{s:x}"))
            .collect::<Vec<_>>()
            .join(":"),
    }
}

/// Counts one attempt against the limit of an account or a phone, whether or not it exists.
///
/// # Errors
/// `TooMany`, or `Unavailable` when the store failed.
pub async fn count_account_attempt(
    store: &Store,
    clock: &dyn Clock,
    limit: Limit,
    name: &str,
) -> Result<(), SignInError> {
    // This table must not contain email addresses.
    count(
        store,
        clock,
        limit,
        &format!("account:{}", hex::encode(Sha256::digest(name))),
    )
    .await
}

async fn count(
    store: &Store,
    clock: &dyn Clock,
    limit: Limit,
    user: &str,
) -> Result<(), SignInError> {
    let hits = store
        .count_rate_limit_hit(&format!("{}:{user}", limit.name), limit.window, clock.now())
        .await
        .map_err(unavailable)?;
    if hits > limit.hits {
        Err(SignInError::TooMany { wait: limit.window })
    } else {
        Ok(())
    }
}

/// Logs a store failure and returns an error without its details.
pub fn unavailable(error: StoreError) -> SignInError {
    tracing::error!(%error, "the store failed during authentication");
    SignInError::Unavailable
}
