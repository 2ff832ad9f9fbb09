//! I13: a refund line always has a payment line, and each payment is on the folio once.

use std::collections::BTreeSet;

use super::Evidence;

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    let lines = evidence.ledger.rows("Payment_Transaction__c").iter();
    let references: BTreeSet<&str> = lines
        .filter_map(|line| line["External_ID__c"].as_str())
        .collect();
    for record in &evidence.found.records {
        let id = record.id.to_string();
        let marked = references.contains(id.as_str());
        let [payment, refund] =
            ["payment", "refund"].map(|what| references.contains(format!("{id}#{what}").as_str()));
        if refund && !payment && !marked {
            wrong.push(format!("I13: {id}: a refund's line without its payment's"));
        }
        if payment && marked {
            wrong.push(format!("I13: {id}: the payment stands on the folio twice"));
        }
    }
}
