//! Address that Twilio reports the status of texts to, and the token that its reports are signed
//! with.

use std::net::SocketAddr;

use secrecy::SecretString;

use crate::{
    config::{Config, is_loopback},
    systems::{connect_systems::SANDBOX_TOKEN, webhook_registration::local_url},
};

pub const TWILIO_PATH: &str = "/webhooks/twilio";

/// Where reports go.
#[derive(Clone, Debug)]
pub struct StatusCallback {
    /// Address, as Twilio is told.
    pub url: String,
    pub token: SecretString,
}

impl StatusCallback {
    /// Where the reports of this configuration go, if they can arrive: Twilio must reach the public
    /// address, and signs with the account's token, which an API key doesn't replace. The sandbox
    /// runs on this machine.
    #[must_use]
    pub fn of(config: &Config, bound: SocketAddr) -> Option<Self> {
        let (base, token) = match &config.twilio {
            None if config.texts() => (local_url(bound), SecretString::from(SANDBOX_TOKEN)),
            None => return None,
            Some(keys) => {
                let url = config.web.public_url.as_ref();
                let url = url.filter(|url| !is_loopback(url))?;
                // Twilio takes no host with an underscore
                let host = url.host_str().filter(|host| !host.contains('_'));
                host.zip(keys.auth_token.clone())
                    .map(|(_, token)| (url.as_str().trim_end_matches('/').to_owned(), token))?
            }
        };
        Some(Self {
            url: format!("{base}{TWILIO_PATH}"),
            token,
        })
    }
}
