//! I12: no installation changes anything of another, and each reports only its own payments.

use std::collections::BTreeMap;

use dewy_saga::Event;

use super::{COMPENSATE, Scene};
use crate::rest::AtRest;

/// Installation of each execution, by its id.
pub type Owners = BTreeMap<String, usize>;

/// Owners according to each installation's store.
pub fn owners(found: &[AtRest]) -> Owners {
    let each = found.iter().enumerate();
    each.flat_map(|(n, one)| {
        one.records
            .iter()
            .map(move |record| (record.id.to_string(), n))
    })
    .collect()
}

pub(super) fn judge(scene: &Scene<'_>, wrong: &mut Vec<String>) {
    let payment_of = |payment: &str| {
        let owner = scene.ledger.payments.get(payment)?.owner.as_deref()?;
        Some((scene.owners.get(owner).copied()?, owner))
    };
    for row in &scene.found.compensations {
        let by = scene.owners.get(&row.execution.to_string());
        if let Some((owner, execution)) = payment_of(&row.key)
            && by.is_some_and(|by| *by != owner)
        {
            wrong.push(format!(
                "I12: {} has a compensation record of {}, the payment of {execution}",
                row.execution, row.key
            ));
        }
    }
    for record in &scene.found.records {
        let Some(installation) = scene.owners.get(&record.id.to_string()) else {
            continue;
        };
        let foreign =
            |payment: &str| payment_of(payment).filter(|(owner, _)| owner != installation);
        if record.saga == COMPENSATE
            && let Some(payment) = record.input["payment_intent_id"].as_str()
            && let Some((_, execution)) = foreign(payment)
        {
            wrong.push(format!(
                "I12: {} is about {payment}, the payment of {execution}",
                record.id
            ));
        }
        for row in &record.rows {
            if let Event::Intended { request, .. } = &row.event
                && let Some(payment) = request
                    .key
                    .as_deref()
                    .and_then(|key| key.split(':').find(|part| part.starts_with("pi_")))
                && let Some((_, execution)) = foreign(payment)
            {
                wrong.push(format!(
                    "I12: {} changes {payment}, the payment of {execution}",
                    record.id
                ));
            }
        }
    }
}
