//! System at the other end of a request.

use super::webhook_addresses;

/// System of a request, by its path; others, such as the sandbox's admin API, are passed on
/// unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum System {
    Salesforce,
    Stripe,
    Twilio,
    /// The hotel's webhook, which receives events.
    Webhook,
}

impl System {
    pub const ALL: [Self; 4] = [Self::Salesforce, Self::Stripe, Self::Twilio, Self::Webhook];

    pub(super) fn of(path: &str) -> Option<Self> {
        // The hotel registers its webhook itself only with the sandbox; a real account's operator
        // does it once.
        let ours = [webhook_addresses::ENDPOINTS, "/v1/chat/", "/v1/models"]
            .iter()
            .any(|p| path.starts_with(p));
        match path.split('/').nth(1) {
            Some("services") => Some(Self::Salesforce),
            Some("v1") if !ours => Some(Self::Stripe),
            Some("2010-04-01") => Some(Self::Twilio),
            Some("webhooks") => Some(Self::Webhook),
            _ => None,
        }
    }

    /// Percentage of requests with a fault. Texts are few, and events only shorten a wait.
    pub(super) const fn percent(self) -> u64 {
        match self {
            Self::Salesforce | Self::Stripe => 8,
            Self::Twilio | Self::Webhook => 20,
        }
    }
}
