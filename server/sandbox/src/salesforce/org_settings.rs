//! Organization settings: everything about an org that its administrators decide and a client must
//! handle.

mod condition;
mod duplicate_rule;
mod flow;
mod timestamp_precision;
mod validation_rule;

pub use condition::Condition;
pub use duplicate_rule::DuplicateRule;
pub use flow::{Flow, FlowTiming};
pub use timestamp_precision::TimestampPrecision;
pub use validation_rule::ValidationRule;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::auto_number_format::AutoNumberFormat;
use super::schema::Object;

/// Settings of one org. The default is an org as Salesforce delivers it, with its standard
/// duplicate rule for contacts and one currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OrgSettings {
    /// Precision of `CreatedDate` and `LastModifiedDate`.
    pub stamps: TimestampPrecision,
    /// Maximum rows per page of a query and of a child list; `None` means Salesforce's own limits.
    pub page_size: Option<usize>,
    /// Maximum number of calls in 24 hours. Calls over the limit are refused and not counted.
    pub daily_calls: u64,
    /// ISO code of the corporate currency.
    pub currency: String,
    /// Display format of booking numbers. When it changes, existing bookings are renumbered, as when
    /// an administrator makes a field an auto-number.
    pub booking_numbers: String,
    /// Whether records have a `CurrencyIsoCode` and the org a `CurrencyType` object.
    pub multi_currency: bool,
    /// Whether texts are stored with CRLF line ends, as browsers send the org's own text areas.
    pub crlf_line_ends: bool,
    /// Fields that the integration user does not see, as `Hotel_Room__c.View_Type__c`.
    pub hidden_fields: Vec<String>,
    /// Fields that it sees and may not write.
    pub read_only_fields: Vec<String>,
    /// Refusal of every token request, such as that of an inactive user.
    pub token_refusal: Option<TokenRefusal>,
    /// Whether data calls are refused, because the org's edition has no API.
    pub api_disabled: bool,
    /// Host of the org, as `http://localhost:4500`, after a move: tokens name it, and any other host
    /// answers that the page is not there. By default every host is the org's.
    pub instance: Option<String>,
    /// Record-triggered flows, in order.
    pub flows: Vec<Flow>,
    pub validation_rules: Vec<ValidationRule>,
    pub duplicate_rules: Vec<DuplicateRule>,
}

/// Answer of the token endpoint that only an operator can change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenRefusal {
    /// OAuth error: `inactive_user`, `invalid_client`.
    pub error: String,
    /// Description for the operator.
    pub error_description: String,
}

impl Default for OrgSettings {
    fn default() -> Self {
        Self {
            stamps: TimestampPrecision::default(),
            page_size: None,
            daily_calls: 100_000,
            currency: "USD".to_owned(),
            booking_numbers: "BK-{0000}".to_owned(),
            multi_currency: false,
            crlf_line_ends: false,
            hidden_fields: Vec::new(),
            read_only_fields: Vec::new(),
            token_refusal: None,
            api_disabled: false,
            instance: None,
            flows: Vec::new(),
            validation_rules: Vec::new(),
            duplicate_rules: vec![DuplicateRule::standard_contact()],
        }
    }
}

impl OrgSettings {
    /// These settings with the given members replaced.
    ///
    /// # Errors
    /// A message that starts with the member's name and a colon.
    pub fn merged(&self, changes: &Map<String, Value>) -> Result<Self, String> {
        let mut all = serde_json::to_value(self).map_err(|e| format!("body: {e}"))?;
        if let Some(all) = all.as_object_mut() {
            all.extend(changes.clone());
        }
        let merged: Self = serde_json::from_value(all).map_err(|e| format!("body: {e}"))?;
        merged.check()?;
        Ok(merged)
    }

    fn check(&self) -> Result<(), String> {
        if self.page_size == Some(0) {
            return Err("page_size: must be at least 1".to_owned());
        }
        if self.currency.len() != 3 || !self.currency.bytes().all(|b| b.is_ascii_uppercase()) {
            return Err("currency: must be an ISO 4217 code such as USD".to_owned());
        }
        AutoNumberFormat::read(&self.booking_numbers)
            .map_err(|words| format!("booking_numbers: {words}"))?;
        for (setting, names) in [
            ("hidden_fields", &self.hidden_fields),
            ("read_only_fields", &self.read_only_fields),
        ] {
            for name in names {
                let (of, field) = name
                    .split_once('.')
                    .ok_or_else(|| format!("{setting}: {name} is not Object.Field"))?;
                object(of)
                    .and_then(|object| need_field(object, field))
                    .map_err(|words| format!("{setting}: {words}"))?;
            }
        }
        for flow in &self.flows {
            flow.check().map_err(|words| format!("flows: {words}"))?;
        }
        for rule in &self.validation_rules {
            rule.check()
                .map_err(|words| format!("validation_rules: {words}"))?;
        }
        for rule in &self.duplicate_rules {
            rule.check()
                .map_err(|words| format!("duplicate_rules: {words}"))?;
        }
        Ok(())
    }
}

/// Whether one of a limited number is left; counts it.
fn spend(count: &mut Option<u32>) -> bool {
    match count {
        None => true,
        Some(0) => false,
        Some(left) => {
            *left -= 1;
            true
        }
    }
}

fn object(name: &str) -> Result<&'static Object, String> {
    Object::named(name).ok_or_else(|| format!("there is no object {name}"))
}

/// Checks that the object has a field with this name.
fn need_field(object: &'static Object, name: &str) -> Result<(), String> {
    object
        .field(name)
        .map(|_| ())
        .ok_or_else(|| format!("{} has no field {name}", object.name))
}
