//! Connection to one Twilio account.

use std::time::Duration;

use secrecy::SecretString;

use crate::Limits;

/// What messages are sent from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextSender {
    /// A number (E.164), a short code, or a name.
    Number(String),
    /// A Messaging Service, `MG…`: it chooses among its registered senders.
    Service(String),
}

#[derive(Clone, Debug)]
pub struct TwilioConfig {
    /// `AC…`; part of every path.
    pub account_sid: String,
    /// Who signs in: the account itself, or one of its API keys, `SK…`.
    pub user: String,
    /// The account's token, or the key's secret.
    pub secret: SecretString,
    pub sender: TextSender,
    /// Address that gets the status of each message, if it can be reached.
    pub status_callback: Option<String>,
    /// `https://api.twilio.com` by default.
    pub api_base: String,
    /// `https://messaging.twilio.com` by default; has the Messaging Services.
    pub messaging_base: String,
    /// Deadline of one exchange.
    pub deadline: Duration,
    pub limits: Limits,
}

impl TwilioConfig {
    /// An account with its token, sending from a number; Twilio's default address, 10 seconds for an
    /// exchange.
    #[must_use]
    pub fn new(
        account_sid: impl Into<String>,
        auth_token: SecretString,
        from: impl Into<String>,
    ) -> Self {
        let account_sid = account_sid.into();
        Self {
            user: account_sid.clone(),
            account_sid,
            secret: auth_token,
            sender: TextSender::Number(from.into()),
            status_callback: None,
            api_base: "https://api.twilio.com".to_owned(),
            messaging_base: "https://messaging.twilio.com".to_owned(),
            deadline: Duration::from_secs(10),
            limits: Limits::default(),
        }
    }

    /// The same account at another address, which has the Messaging Services too.
    #[must_use]
    pub fn at(mut self, base: &str) -> Self {
        base.trim_end_matches('/').clone_into(&mut self.api_base);
        self.messaging_base.clone_from(&self.api_base);
        self
    }
}
