//! What was written last, of each kind: one composite that only reads, so that looking costs one
//! call of the daily quota.

use dewy_domain::call::Call;

use super::Requests;
use crate::salesforce::composite::Composite;

/// By which name each kind is asked for, and what it is called there. A composite takes five
/// queries and no more.
pub(crate) const KINDS: [(&str, &str); 5] = [
    ("rooms", "Hotel_Room__c"),
    ("bookings", "Booking__c"),
    ("opportunities", "Opportunity"),
    ("lines", "Payment_Transaction__c"),
    ("cases", "Case"),
];

/// Stamps are whole seconds: of several rows written within one, all are seen.
const ROWS: u32 = 5;

impl Requests {
    /// The change probe.
    pub(crate) fn change_probe(&self) -> Call {
        let mut composite = Composite::new(&self.api_version);
        for (name, object) in KINDS {
            let newest = format!(
                "SELECT Id, LastModifiedDate FROM {object} ORDER BY LastModifiedDate DESC, Id DESC LIMIT {ROWS}"
            );
            composite = composite.query(name, &newest);
        }
        Call {
            operation: "change_probe".to_owned(),
            ..composite.call()
        }
    }
}
