//! Connection and vocabulary of an org.

use std::time::Duration;

use jiff::tz::TimeZone;
use secrecy::SecretString;

use crate::{Country, Limits, OrgVocabulary};

/// One org. Client credentials need the org's own My Domain host; `login.salesforce.com` doesn't
/// support them.
#[derive(Clone, Debug)]
pub struct SalesforceConfig {
    /// `https://hotel.my.salesforce.com`.
    pub login_url: String,
    /// Consumer key of the connected app.
    pub client_id: String,
    /// Consumer secret.
    pub client_secret: SecretString,
    /// `v62.0`; never below v46, whose upserts respond differently.
    pub api_version: String,
    /// Deadline of one port call, including a token request.
    pub deadline: Duration,
    /// Names of objects and values in the org.
    pub vocabulary: OrgVocabulary,
    /// Decides the date of a check-out's `CloseDate`.
    pub time_zone: TimeZone,
    /// Whether contacts that one of the org's duplicate rules only warns of are created anyway. A
    /// guest is identified by their unique email; two guests of one household share name and phone,
    /// and the front desk should turn nobody away.
    pub allow_duplicates: bool,
    /// Record id of the account that new contacts belong to. Without one, most orgs show them only
    /// to this program's user.
    pub guest_account: Option<String>,
    /// Country of phone numbers written without a country code.
    pub country: Country,
    pub limits: Limits,
}

impl SalesforceConfig {
    /// Creates the default configuration: v62.0, 5 seconds, the reference vocabulary, UTC.
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
            vocabulary: OrgVocabulary::default(),
            time_zone: TimeZone::UTC,
            allow_duplicates: true,
            guest_account: None,
            country: Country::default(),
            limits: Limits::default(),
        }
    }
}
