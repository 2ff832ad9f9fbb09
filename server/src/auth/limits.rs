//! How often somebody may try, per address and per account.

use std::{net::IpAddr, time::Duration};

use dewy_domain::ports::{Clock, DoorError};
use dewy_saga::StoreError;
use dewy_store::Store;
use sha2::{Digest, Sha256};

/// One limit.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    name: &'static str,
    hits: u64,
    window: Duration,
}

/// Asking for codes, from one address: many guests may share the hotel's own network.
pub const CODES_PER_ADDRESS: Limit = Limit {
    name: "codes",
    hits: 60,
    window: Duration::from_secs(3600),
};
/// Guessing codes, from one address.
pub const GUESSES_PER_ADDRESS: Limit = Limit {
    name: "guesses",
    hits: 100,
    window: Duration::from_secs(900),
};
/// Guessing codes for one account.
pub const GUESSES_PER_ACCOUNT: Limit = Limit {
    name: "guesses",
    hits: 15,
    window: Duration::from_secs(900),
};
/// Passwords from one address.
pub const PASSWORDS_PER_ADDRESS: Limit = Limit {
    name: "passwords",
    hits: 60,
    window: Duration::from_secs(900),
};
/// Passwords for one account.
pub const PASSWORDS_PER_ACCOUNT: Limit = Limit {
    name: "passwords",
    hits: 10,
    window: Duration::from_secs(900),
};

/// Counts one try against the limit of an address.
///
/// # Errors
/// `TooMany`, or `Unavailable` when the store failed.
pub async fn address(
    store: &Store,
    clock: &dyn Clock,
    limit: Limit,
    ip: IpAddr,
) -> Result<(), DoorError> {
    count(store, clock, limit, &format!("ip:{}", network(ip))).await
}

/// The network that an address belongs to, as far as limits count: a whole IPv6 network belongs to
/// one customer.
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

/// Counts one try against the limit of an account, whether it exists or not.
///
/// # Errors
/// `TooMany`, or `Unavailable` when the store failed.
pub async fn account(
    store: &Store,
    clock: &dyn Clock,
    limit: Limit,
    email: &str,
) -> Result<(), DoorError> {
    // No addresses of people in a table that is not about people.
    count(
        store,
        clock,
        limit,
        &format!("account:{}", hex::encode(Sha256::digest(email))),
    )
    .await
}

async fn count(store: &Store, clock: &dyn Clock, limit: Limit, who: &str) -> Result<(), DoorError> {
    let hits = store
        .hit(&format!("{}:{who}", limit.name), limit.window, clock.now())
        .await
        .map_err(unavailable)?;
    if hits > limit.hits {
        Err(DoorError::TooMany { wait: limit.window })
    } else {
        Ok(())
    }
}

/// Logs a store's failure and answers it without its details.
pub fn unavailable(error: StoreError) -> DoorError {
    tracing::error!(%error, "the store failed during authentication");
    DoorError::Unavailable
}
