//! Folios with payments or refunds: one query.

use dewy_domain::{paid_folio::PaidFolioQuery, upstream_request::Call};
use jiff::Timestamp;

use super::{Requests, stay_queries::LINE};
use crate::salesforce::{Picklist, soql};

impl Requests {
    /// Queried from the opportunity, as with stays: a refund's line names the refund, and only
    /// another line of the folio names the payment.
    pub(crate) fn paid_folios(&self, query: &PaidFolioQuery) -> Call {
        let kinds =
            ["Payment", "Refund"].map(|kind| self.vocabulary.theirs(Picklist::LineType, kind));
        let kinds = soql::among("Transaction_Type__c", &kinds);
        let mut fits = format!(
            "(Transaction_Date__c >= {} AND Transaction_Date__c < {})",
            moment(query.from),
            moment(query.to)
        );
        if !query.payment_intents.is_empty() {
            let named = soql::among("Stripe_Transaction_ID__c", &query.payment_intents);
            fits = format!("({fits} OR {named})");
        }
        self.query(&format!(
            "SELECT Id, (SELECT Name, Primary_Guest__r.Email FROM Bookings__r ORDER BY Name), \
             (SELECT {LINE} FROM Payment_Transactions__r WHERE {kinds} ORDER BY Name) FROM Opportunity WHERE Id IN \
             (SELECT Opportunity__c FROM Payment_Transaction__c WHERE {kinds} AND {fits}) ORDER BY Id LIMIT {}",
            query.limit
        ))
    }
}

/// SOQL literal: unquoted, UTC.
fn moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
