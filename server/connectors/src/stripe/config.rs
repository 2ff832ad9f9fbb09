//! Connection to one Stripe account.

use std::time::Duration;

use secrecy::SecretString;

use crate::Limits;

/// One account, in test or live mode depending on its key.
#[derive(Clone, Debug)]
pub struct StripeConfig {
    /// `sk_…`.
    pub secret_key: SecretString,
    /// `https://api.stripe.com` by default.
    pub api_base: String,
    /// Deadline of a POST. A short one only causes unknown outcomes: Stripe may take half a minute
    /// for a confirmation.
    pub deadline_post: Duration,
    pub deadline_other: Duration,
    pub limits: Limits,
}

impl StripeConfig {
    /// Stripe's default address, 30 seconds for a POST, 10 for other requests.
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
