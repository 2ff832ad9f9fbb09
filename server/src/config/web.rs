//! Listening address and public address.

use std::net::SocketAddr;

use url::Url;

use super::variable_reader::{Reader, is_loopback};
use crate::config::{
    client_address::{NoNetwork, TrustedProxies},
    wall_screen_access::WallToken,
};

/// Minimum length of a token that cannot be guessed.
const WALL_TOKEN: usize = 32;

/// Web server settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebConfig {
    /// `LEPTOS_SITE_ADDR`.
    pub address: SocketAddr,
    /// `PUBLIC_URL`, if set; otherwise derived from the bound address.
    pub public_url: Option<Url>,
    /// `DEWY_SITE_ROOT`: directory of the browser bundle.
    pub site_root: String,
    /// `HOTEL_WALL_TOKEN`: opens the board for the wall.
    pub wall_token: Option<WallToken>,
    /// `CALLS_PER_MINUTE`: maximum number of calls per bearer token and minute.
    pub calls_per_minute: u32,
    /// `TRUSTED_PROXIES`: whose `X-Forwarded-For` is believed.
    pub trusted_proxies: TrustedProxies,
}

impl WebConfig {
    pub(super) fn read(from: &mut Reader<'_>) -> Self {
        let address = from
            .parsed(
                "LEPTOS_SITE_ADDR",
                "an address and port such as 127.0.0.1:3000",
            )
            .unwrap_or(SocketAddr::from(([127, 0, 0, 1], 3000)));
        let public_url: Option<Url> =
            from.parsed("PUBLIC_URL", "a web address such as https://hotel.example");
        let public_url = public_url.filter(|url| {
            let plain = matches!(url.scheme(), "http" | "https")
                && url.host().is_some()
                && url.path() == "/"
                && url.query().is_none();
            if !plain {
                from.problem(
                    "PUBLIC_URL",
                    "must be only scheme, host, and port, such as https://hotel.example",
                );
            }
            plain
        });
        let site_root = from
            .text("DEWY_SITE_ROOT")
            .unwrap_or_else(|| "target/site".to_owned());
        let wall_token = from.text("HOTEL_WALL_TOKEN");
        let plain = |token: &String| {
            token.len() >= WALL_TOKEN && token.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        if wall_token.as_ref().is_some_and(|token| !plain(token)) {
            from.problem(
                "HOTEL_WALL_TOKEN",
                "must be at least 32 random letters and digits, such as the output of: openssl rand -hex 24",
            );
        }
        let calls = from.number("CALLS_PER_MINUTE", 600, 1..=10_000_000);
        Self {
            address,
            public_url,
            site_root,
            wall_token: wall_token.as_deref().map(WallToken::of),
            calls_per_minute: u32::try_from(calls).unwrap_or(600),
            trusted_proxies: trusted_proxies(from),
        }
    }

    /// Public address once `bound` is known, without a trailing slash.
    #[must_use]
    pub fn public_url(&self, bound: SocketAddr) -> String {
        match &self.public_url {
            Some(url) => url.as_str().trim_end_matches('/').to_owned(),
            None => format!("http://{bound}"),
        }
    }

    /// Whether cookies must only be sent encrypted.
    #[must_use]
    pub fn https(&self) -> bool {
        self.public_url
            .as_ref()
            .is_some_and(|url| url.scheme() == "https")
    }

    /// Whether users reach the server over an unencrypted network; worth a warning.
    #[must_use]
    pub fn is_exposed_unencrypted(&self) -> bool {
        match &self.public_url {
            Some(url) => url.scheme() == "http" && !is_loopback(url),
            None => !self.address.ip().is_loopback(),
        }
    }
}

fn trusted_proxies(from: &mut Reader<'_>) -> TrustedProxies {
    match from.text("TRUSTED_PROXIES").map(|text| text.parse()) {
        None => TrustedProxies::default(),
        Some(Ok(proxies)) => proxies,
        Some(Err(NoNetwork(why))) => {
            from.problem("TRUSTED_PROXIES", why);
            TrustedProxies::default()
        }
    }
}
