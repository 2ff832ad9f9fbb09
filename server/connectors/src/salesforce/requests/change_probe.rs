//! Latest changes of each kind: one read-only composite, so that a probe costs one call of the
//! daily quota.

use dewy_domain::upstream_request::Call;

use super::Requests;
use crate::salesforce::composite::Composite;

/// Name of each kind in the request, and its object. A composite allows at most five queries.
pub(crate) const KINDS: [(&str, &str); 5] = [
    ("rooms", "Hotel_Room__c"),
    ("bookings", "Booking__c"),
    ("opportunities", "Opportunity"),
    ("lines", "Payment_Transaction__c"),
    ("cases", "Case"),
];

/// Stamps are whole seconds: this reads several rows written within one second.
const ROWS: u32 = 5;

impl Requests {
    pub(crate) fn change_probe(&self) -> Call {
        let mut composite = Composite::new(self);
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
