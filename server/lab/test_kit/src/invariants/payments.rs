//! I2, I8 and I9 for payments: refunded at most once and with one record; injected payments are
//! refunded or left alone, as required.

use std::collections::{BTreeMap, BTreeSet};

use dewy_saga::{Event, State, journal::ProjectionRow};

use super::{COMPENSATE, Evidence, check_outs};
use crate::{
    injected_payments::{InjectedPayment, Kind},
    outside_records::{Payment, Refund},
};

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    let known = evidence.known();
    let held = check_outs::captured_holds(evidence);
    let planted: BTreeSet<&str> = evidence
        .planted
        .iter()
        .map(|p| p.payment.as_str())
        .collect();
    let lost: BTreeSet<&str> = evidence
        .planted
        .iter()
        .filter_map(|p| p.execution.as_deref())
        .collect();
    let records: BTreeMap<&str, &ProjectionRow> = evidence
        .found
        .compensations
        .iter()
        .map(|c| (c.key.as_str(), c))
        .collect();
    if !evidence.found.orphan_check_ran {
        wrong.push("I9: no sweep has come to its end after the faults".to_owned());
    }
    for (id, payment) in &evidence.ledger.payments {
        let times = payment.refunds.iter().filter(|r| ours(evidence, r)).count();
        // Where others refund as well, the rest may follow what turns out to be a part.
        if times > 1 && !evidence.others {
            wrong.push(format!("I2: {id} was given back {times} times"));
        }
        let owner = payment.owner.as_deref().unwrap_or(id);
        let others = evidence.others && payment.owner.is_none();
        if payment.taken > 0
            && !others
            && !planted.contains(id.as_str())
            && !known.contains_key(owner)
            && !held.contains(id)
            && !evidence.elsewhere.iter().any(|one| one == owner)
        {
            wrong.push(format!(
                "I8: a charge of {owner}, of which the journal knows nothing"
            ));
        }
        wrong.extend(recorded(
            evidence,
            id,
            payment,
            records.get(id.as_str()).copied(),
        ));
    }
    for (id, record) in &records {
        if !evidence.ledger.payments.contains_key(*id)
            || !known.contains_key(&record.execution.to_string())
        {
            wrong.push(format!(
                "I10: a compensation record of {id} by {}, and one of them is unknown",
                record.execution
            ));
        }
    }
    let mut begun: BTreeMap<&str, u32> = BTreeMap::new();
    // A refused one has sent nothing: its process was killed before it read, or Stripe did not allow
    // it. The next check begins it again.
    for record in evidence
        .of(COMPENSATE)
        .filter(|r| r.caller == "clock:sweep" && r.state != State::Refused)
    {
        *begun
            .entry(
                record.input["payment_intent_id"]
                    .as_str()
                    .unwrap_or_default(),
            )
            .or_default() += 1;
    }
    let again = begun.into_iter().filter(|(_, n)| *n > 1);
    wrong.extend(again.map(|(id, n)| format!("I9: the sweep began {n} compensations of {id}")));
    for orphan in evidence.planted {
        let found = settled(
            evidence,
            orphan,
            records.get(orphan.payment.as_str()).copied(),
        );
        wrong.extend(
            found.map(|found| format!("I9: {:?} {}: {found}", orphan.kind, orphan.payment)),
        );
    }
    // A compensation's pair of lines has the execution's id too, with a suffix.
    let name = |id: &String| id.split('#').next().unwrap_or_default().to_owned();
    let strangers = evidence
        .ledger
        .marked()
        .filter(|id| id.starts_with("exe_") && !known.contains_key(&name(id)));
    let strangers = strangers
        .filter(|id| !lost.contains(name(id).as_str()) && !evidence.elsewhere.contains(&name(id)));
    wrong.extend(
        strangers
            .map(|id| format!("I8: a payment line of {id}, of which the journal knows nothing")),
    );
}

/// Whether the hotel made this refund, and it has not failed.
fn ours(evidence: &Evidence<'_>, refund: &Refund) -> bool {
    refund.stands && (refund.installation.is_some() || !evidence.others)
}

/// A payment that the hotel refunded has one compensation record, which says so.
fn recorded(
    evidence: &Evidence<'_>,
    id: &str,
    payment: &Payment,
    record: Option<&ProjectionRow>,
) -> Option<String> {
    let Some(record) = record else {
        let refunded = payment.refunds.iter().any(|refund| ours(evidence, refund));
        return refunded
            .then(|| format!("I10: {id} was given back and has no compensation record"));
    };
    let (status, refund) = (
        record.body["status"].as_str().unwrap_or_default(),
        record.body["refund_id"].as_str(),
    );
    match status {
        "compensated" if payment.refunded != payment.taken => Some(format!(
            "I1: {id}'s record says compensated, and {} was given back of {}",
            payment.refunded, payment.taken
        )),
        "compensated"
            if !payment
                .refunds
                .iter()
                .any(|r| r.stands && Some(r.id.as_str()) == refund) =>
        {
            Some(format!(
                "I10: {id}'s record names {refund:?}, and Stripe has {:?}",
                payment.refunds
            ))
        }
        "compensated" | "needs_attention" | "solved" => None,
        other => Some(format!("I7: {id}'s record is still {other}")),
    }
}

/// Violations concerning an injected payment.
fn settled(
    evidence: &Evidence<'_>,
    orphan: &InjectedPayment,
    record: Option<&ProjectionRow>,
) -> Option<String> {
    let none = Payment::default();
    let payment = evidence
        .ledger
        .payments
        .get(&orphan.payment)
        .unwrap_or(&none);
    let (taken, given_back) = (payment.taken, payment.refunded);
    let whole = taken > 0 && given_back == taken;
    let reason = record.and_then(|r| {
        r.body["cause"]
            .as_str()
            .or_else(|| r.body["reason"].as_str())
    });
    let status = record.and_then(|r| r.body["status"].as_str());
    let money =
        format!("{given_back} given back of {taken}, its record is {status:?} ({reason:?})");
    let right = match orphan.kind {
        Kind::Ours => whole && record.is_some(),
        // Without its booking nobody can tell whether that check-out was completed.
        Kind::OfNoBooking if given_back == 0 => reason == Some("UNKNOWN_OUTCOME"),
        Kind::OfNoBooking => whole && a_person_said_so(evidence, &orphan.payment),
        Kind::OverLimit if given_back == 0 => reason == Some("ORPHAN_OVER_LIMIT"),
        Kind::OverLimit => whole && a_person_said_so(evidence, &orphan.payment),
        Kind::Finished => given_back == 0 && record.is_none(),
        // I12: its owner handles it; here it raises nothing.
        Kind::Neighbors | Kind::Foreign | Kind::ForeignWithWords => {
            given_back == 0 && record.is_none()
        }
    };
    if !right {
        return Some(money);
    }
    // On the folio a payment and its refund cancel each other out.
    let owed = evidence.ledger.balance(orphan.opportunity.as_deref()?);
    (owed != orphan.owed)
        .then(|| format!("the folio owes {owed}, it owed {}; {money}", orphan.owed))
}

/// Whether staff had the payment refunded: by requesting it, or by releasing a flagged refund.
fn a_person_said_so(evidence: &Evidence<'_>, payment: &str) -> bool {
    evidence
        .of(COMPENSATE)
        .filter(|r| r.input["payment_intent_id"] == payment)
        .any(|r| {
            (r.caller.starts_with("staff:") && r.state != State::Refused)
                || r.rows
                    .iter()
                    .any(|row| matches!(row.event, Event::Resumed { .. } | Event::Reopened { .. }))
        })
}
