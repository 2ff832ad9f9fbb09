//! Salesforce's timestamps: `2026-03-10T12:00:00.000+0000`.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, de::Error};

/// Timestamp in Salesforce's format, whose offset has no colon.
#[derive(Clone, Copy, Debug)]
pub(super) struct SalesforceTimestamp(pub(super) Timestamp);

impl<'de> Deserialize<'de> for SalesforceTimestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let zulu = text.strip_suffix("+0000").map(|t| format!("{t}Z"));
        zulu.as_deref()
            .unwrap_or(&text)
            .parse()
            .map(Self)
            .map_err(|_| D::Error::custom("not a moment"))
    }
}
