//! Connection to one Twilio account.

use std::time::Duration;

use secrecy::SecretString;

use crate::Limits;

/// One account and its sender number.
#[derive(Clone, Debug)]
pub struct TwilioConfig {
    /// `AC…`; part of every path.
    pub account_sid: String,
    /// The account's token.
    pub auth_token: SecretString,
    /// Sender number, E.164.
    pub from: String,
    /// `https://api.twilio.com` by default.
    pub api_base: String,
    /// Deadline of one exchange.
    pub deadline: Duration,
    /// Limits.
    pub limits: Limits,
}

impl TwilioConfig {
    /// Twilio's default address, 10 seconds for an exchange.
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
