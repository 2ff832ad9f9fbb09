//! How to reach one Stripe account.

use std::time::Duration;

use secrecy::SecretString;

use crate::Limits;

/// One account, in test or live mode as its key says.
#[derive(Clone, Debug)]
pub struct StripeConfig {
    /// `sk_…`.
    pub secret_key: SecretString,
    /// `https://api.stripe.com`, unless told otherwise.
    pub api_base: String,
    /// For a POST. Giving up early only makes unknown outcomes: Stripe itself may work half a
    /// minute on a confirmation.
    pub deadline_post: Duration,
    /// For a GET.
    pub deadline_other: Duration,
    /// Bounds.
    pub limits: Limits,
}

impl StripeConfig {
    /// Stripe's own address, 30 seconds for a POST, 10 for the rest.
    #[must_use]
    pub fn new(secret_key: SecretString) -> Self {
        Self {
            secret_key,
            api_base: "https://api.stripe.com".to_owned(),
            deadline_post: Duration::from_secs(30),
            deadline_other: Duration::from_secs(10),
            limits: Limits::default(),
        }
    }
}
