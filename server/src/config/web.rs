//! Where we listen and under which address people see us.

use std::net::SocketAddr;

use url::Url;

use super::reader::{Reader, is_loopback};

/// Listening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Web {
    /// `LEPTOS_SITE_ADDR`.
    pub address: SocketAddr,
    /// `PUBLIC_URL`, if given; else it follows from the address bound.
    pub public_url: Option<Url>,
    /// `DEWY_SITE_ROOT`: where the browser bundle was built to.
    pub site_root: String,
    /// `CALLS_PER_MINUTE`: how often one holder of tokens may call.
    pub calls_per_minute: u32,
}

impl Web {
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
                    "must be scheme, host and port only, such as https://hotel.example",
                );
            }
            plain
        });
        let site_root = from
            .text("DEWY_SITE_ROOT")
            .unwrap_or_else(|| "target/site".to_owned());
        let calls = from.number("CALLS_PER_MINUTE", 600, 1..=10_000_000);
        Self {
            address,
            public_url,
            site_root,
            calls_per_minute: u32::try_from(calls).unwrap_or(600),
        }
    }

    /// The address people see once `bound` is known; without a slash at the end.
    #[must_use]
    pub fn public_url(&self, bound: SocketAddr) -> String {
        match &self.public_url {
            Some(url) => url.as_str().trim_end_matches('/').to_owned(),
            None => format!("http://{bound}"),
        }
    }

    /// Whether cookies may only travel encrypted.
    #[must_use]
    pub fn https(&self) -> bool {
        self.public_url
            .as_ref()
            .is_some_and(|url| url.scheme() == "https")
    }

    /// Whether people reach us over a network without encryption; worth a warning.
    #[must_use]
    pub fn exposed_in_plain(&self) -> bool {
        match &self.public_url {
            Some(url) => url.scheme() == "http" && !is_loopback(url),
            None => !self.address.ip().is_loopback(),
        }
    }
}
