//! How to reach one Twilio account.

use std::time::Duration;

use secrecy::SecretString;

use crate::Limits;

/// One account and the number it sends from.
#[derive(Clone, Debug)]
pub struct TwilioConfig {
    /// `AC…`; part of every path.
    pub account_sid: String,
    /// The account's token.
    pub auth_token: SecretString,
    /// Our number, E.164.
    pub from: String,
    /// `https://api.twilio.com`, unless told otherwise.
    pub api_base: String,
    /// For one exchange.
    pub deadline: Duration,
    /// Bounds.
    pub limits: Limits,
}

impl TwilioConfig {
    /// Twilio's own address, 10 seconds for an exchange.
    #[must_use]
    pub fn new(
        account_sid: impl Into<String>,
        auth_token: SecretString,
        from: impl Into<String>,
    ) -> Self {
        Self {
            account_sid: account_sid.into(),
            auth_token,
            from: from.into(),
            api_base: "https://api.twilio.com".to_owned(),
            deadline: Duration::from_secs(10),
            limits: Limits::default(),
        }
    }
}
