//! I12: no installation changes anything of another, each reports only its own payments, and
//! payments of other programs start no review.

use std::collections::{BTreeMap, BTreeSet};

use dewy_saga::{Event, journal::ExecutionRecord};

use super::{COMPENSATE, Evidence};
use crate::{
    outside_records::{Payment, text},
    store_content::StoreContent,
};

/// Installation of each execution, by its id.
pub type Owners = BTreeMap<String, String>;

/// Owners according to each installation's store.
pub fn owners(found: &[StoreContent]) -> Owners {
    let known = found
        .iter()
        .filter_map(|one| Some((one, one.installation.as_ref()?)));
    known
        .flat_map(|(one, installation)| {
            let ids = one.records.iter().map(|record| record.id.to_string());
            ids.map(move |id| (id, installation.clone()))
        })
        .collect()
}

/// Installation that made a payment; none when others did.
fn installation<'a>(evidence: &'a Evidence<'_>, payment: &'a Payment) -> Option<&'a str> {
    let by_execution = || evidence.owners.get(payment.owner.as_deref()?);
    let named = payment.installation.as_ref().or_else(by_execution);
    named.map(String::as_str)
}

/// Maker of a payment that isn't this installation's.
fn foreign<'a>(evidence: &'a Evidence<'_>, own: &str, payment: &str) -> Option<&'a str> {
    let payment = evidence.ledger.payments.get(payment)?;
    let by = installation(evidence, payment);
    (by != Some(own)).then_some(by.unwrap_or("others"))
}

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    for row in &evidence.found.compensations {
        if let Some(own) = evidence.owners.get(&row.execution.to_string())
            && let Some(by) = foreign(evidence, own, &row.key)
        {
            wrong.push(format!(
                "I12: {} has a compensation record of {}, the payment of {by}",
                row.execution, row.key
            ));
        }
    }
    for record in &evidence.found.records {
        if let Some(own) = evidence.owners.get(&record.id.to_string()) {
            wrong.extend(acts(evidence, record, own));
        }
    }
    let owners = evidence.owners.values().chain(&evidence.found.installation);
    let known: BTreeSet<&str> = owners.map(String::as_str).collect();
    for (id, payment) in &evidence.ledger.payments {
        let by = installation(evidence, payment);
        for refund in &payment.refunds {
            if let Some(own) = refund.installation.as_deref()
                && known.contains(own)
                && by != Some(own)
            {
                let refund = &refund.id;
                wrong.push(format!(
                    "I12: {own} refunded {id} by {refund}, which is not its own"
                ));
            }
        }
    }
    for call in evidence
        .ledger
        .calls
        .iter()
        .filter(|c| c["effect"] == "applied")
    {
        let (key, path) = (text(&call["idempotency_key"]), text(&call["path"]));
        if let Some(own) = known.iter().find(|own| key.starts_with(**own))
            && let Some(payment) = path.split('/').find(|part| part.starts_with("pi_"))
            && let Some(by) = foreign(evidence, own, payment)
        {
            let sent = &call["operation"];
            wrong.push(format!(
                "I12: {own} sent {sent} about {payment}, the payment of {by}"
            ));
        }
    }
}

/// What an execution did about payments that its installation did not make.
fn acts(evidence: &Evidence<'_>, record: &ExecutionRecord, own: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let labels = record.labels.iter();
    let label = labels
        .filter(|(name, _)| name == "payment_intent_id")
        .map(|(_, value)| value.as_str())
        .next();
    let input = record.input["payment_intent_id"].as_str();
    let about = label.or_else(|| input.filter(|_| record.saga == COMPENSATE));
    // Staff may ask about any payment, and are refused.
    let asked = |by: &str| by == "others" && record.caller.starts_with("staff:");
    if let Some(payment) = about
        && let Some(by) = foreign(evidence, own, payment).filter(|by| !asked(by))
    {
        wrong.push(format!(
            "I12: {} is about {payment}, the payment of {by}",
            record.id
        ));
    }
    for row in &record.rows {
        if let Event::Intended { request, .. } = &row.event
            && let Some(key) = request.key.as_deref()
            && let Some(payment) = key.split(':').find(|part| part.starts_with("pi_"))
            && let Some(by) = foreign(evidence, own, payment)
        {
            wrong.push(format!(
                "I12: {} changes {payment}, the payment of {by}",
                record.id
            ));
        }
    }
    wrong
}
