//! How to reach an org, and what its picklists call things.

use std::time::Duration;

use jiff::tz::TimeZone;
use secrecy::SecretString;

use crate::{Country, CrmWords, Limits};

/// One org. Client credentials need the org's own My Domain host; `login.salesforce.com` does not
/// serve them.
#[derive(Clone, Debug)]
pub struct SalesforceConfig {
    /// `https://hotel.my.salesforce.com`.
    pub login_url: String,
    /// Consumer key of the connected app.
    pub client_id: String,
    /// Consumer secret.
    pub client_secret: SecretString,
    /// `v62.0`; never below v46, whose upserts answer otherwise.
    pub api_version: String,
    /// For one port call, with the token it may need.
    pub deadline: Duration,
    /// What the org calls things.
    pub words: CrmWords,
    /// Decides which day a check-out's `CloseDate` is.
    pub time_zone: TimeZone,
    /// Whether contacts that one of the org's duplicate rules only warns of are made anyway. A
    /// guest is known by their email, which is unique; two guests of one household share name and
    /// phone, and nobody at the desk should be turned away.
    pub allow_duplicates: bool,
    /// Record id of the account that new contacts belong to. Without one, most orgs show them to
    /// this program's user alone.
    pub guest_account: Option<String>,
    /// The hotel's country, whose phone numbers people write without a country code.
    pub country: Country,
    /// Bounds.
    pub limits: Limits,
}

impl SalesforceConfig {
    /// An org with the defaults: v62.0, 5 seconds, the reference's words, UTC.
    #[must_use]
    pub fn new(
        login_url: impl Into<String>,
        client_id: impl Into<String>,
        client_secret: SecretString,
    ) -> Self {
        Self {
            login_url: login_url.into().trim_end_matches('/').to_owned(),
            client_id: client_id.into(),
            client_secret,
            api_version: "v62.0".to_owned(),
            deadline: Duration::from_secs(5),
            words: CrmWords::default(),
            time_zone: TimeZone::UTC,
            allow_duplicates: true,
            guest_account: None,
            country: Country::default(),
            limits: Limits::default(),
        }
    }
}
