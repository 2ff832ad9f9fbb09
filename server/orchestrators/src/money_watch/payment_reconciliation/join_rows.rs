//! Joins the reads into one row per payment; pure.

use dewy_domain::{
    money::Cents,
    paid_folio::PaidFolio,
    payment::{Payment, PaymentStatus},
    payment_intent_id::PaymentIntentId,
    ports::{CrmRecord, Discrepancy, JournalRecord, ProcessorRecord, ReconciliationRow},
    stay::{Line, LineKind},
};
use dewy_saga::{ExecutionId, State, journal::ExecutionRecord};
use jiff::Timestamp;

use super::{
    discrepancy::{PaymentRecords, discrepancy},
    read_systems::{PAYMENT, SystemRecords, intent, made_by, written_by},
};
use crate::{
    saga_parts::engine_conversions,
    sagas::{self, check_out::CHECK_OUT, compensate_checkout::COMPENSATE},
};

/// One row per payment, in no order. Payments without money in any system (declined, canceled) are
/// left out.
pub(super) fn rows(found: &SystemRecords, began: Timestamp) -> Vec<ReconciliationRow> {
    found
        .payments
        .iter()
        .filter_map(|(id, payment)| row(id, payment.as_ref(), found, began))
        .collect()
}

fn row(
    id: &PaymentIntentId,
    payment: Option<&Payment>,
    found: &SystemRecords,
    began: Timestamp,
) -> Option<ReconciliationRow> {
    let SystemRecords {
        folios,
        records,
        installations,
        ..
    } = found;
    let folio = folios.iter().find(|folio| {
        folio
            .lines
            .iter()
            .any(|line| intent(line).as_ref() == Some(id))
    });
    let lines = folio.map(|folio| lines_of(id, folio)).unwrap_or_default();
    let maker = payment.and_then(|payment| made_by(payment, installations));
    let writers: Vec<ExecutionId> = lines.iter().filter_map(|line| written_by(line)).collect();
    let about: Vec<&ExecutionRecord> = records
        .iter()
        .filter(|r| {
            Some(r.id) == maker
                || writers.contains(&r.id)
                || r.label(PAYMENT).is_some_and(|of| *id == of)
        })
        .collect();
    let owner = about.iter().find(|r| r.saga == CHECK_OUT);
    let taken = payment.map(taken);
    let written = (!lines.is_empty()).then(|| crm_record(&lines));
    let known = owner
        .or_else(|| about.iter().find(|r| r.saga == COMPENSATE))
        .map(|record| known(record, id));
    let verdict = discrepancy(PaymentRecords {
        taken: taken.as_ref(),
        written: written.as_ref(),
        known: known.as_ref(),
        ours: maker.is_some() || owner.is_some() || !writers.is_empty(),
        in_progress: about
            .iter()
            .any(|r| !r.state.has_ended() || r.updated_at >= began),
    });
    let nothing = taken.as_ref().is_none_or(|taken| taken.captured.0 == 0)
        && written.is_none()
        && known.as_ref().is_none_or(|known| known.captured.0 == 0);
    if nothing && verdict != Discrepancy::UnderWay {
        return None;
    }
    let one_booking = folio.and_then(|folio| match folio.booking_numbers.as_slice() {
        [number] => Some(number.clone()),
        _ => None,
    });
    let waiting = about.iter().find(|r| r.state == State::NeedsAttention);
    let labelled = |name: &str| about.iter().find_map(|record| record.label(name));
    Some(ReconciliationRow {
        payment_intent_id: id.clone(),
        at: payment
            .map(|p| p.created)
            .or_else(|| lines.iter().filter_map(|line| line.at).min()),
        booking_number: labelled("booking_number")
            .or_else(|| Some(payment?.metadata.get("booking_number")?.as_str()))
            .map(Into::into)
            .or(one_booking),
        guest_email: labelled("guest_email")
            .map(Into::into)
            .or_else(|| folio.and_then(|folio| folio.guest_email.clone())),
        processor: taken,
        crm: written,
        journal: known,
        discrepancy: verdict,
        waiting: waiting.map(|record| record.id.to_string()),
    })
}

/// The payment's own lines and its refunds: those of the same execution and, on a folio with one
/// payment, all.
fn lines_of<'a>(id: &PaymentIntentId, folio: &'a PaidFolio) -> Vec<&'a Line> {
    let own: Vec<&Line> = folio
        .lines
        .iter()
        .filter(|line| intent(line).as_ref() == Some(id))
        .collect();
    let alone = folio
        .lines
        .iter()
        .filter(|line| line.kind == LineKind::Payment)
        .all(|line| intent(line).as_ref() == Some(id));
    let writers: Vec<ExecutionId> = own.iter().filter_map(|line| written_by(line)).collect();
    let belongs = |line: &&Line| match written_by(line) {
        Some(writer) => writers.contains(&writer) || (alone && writers.is_empty()),
        None => alone,
    };
    let refunds = folio
        .lines
        .iter()
        .filter(|line| line.kind == LineKind::Refund)
        .filter(belongs);
    own.iter().copied().chain(refunds).collect()
}

fn taken(payment: &Payment) -> ProcessorRecord {
    let status = match &payment.status {
        PaymentStatus::Other(word) => word.clone(),
        known => engine_conversions::value(known)
            .as_str()
            .unwrap_or_default()
            .to_owned(),
    };
    ProcessorRecord {
        status,
        captured: payment.received,
        refunded: payment.refunded,
    }
}

/// Follows the folio's own rules: what does not count there does not count here.
fn crm_record(lines: &[&Line]) -> CrmRecord {
    let sum = |kind: LineKind| -> Cents {
        let lines = lines.iter().filter(|line| line.kind == kind);
        lines.filter_map(|line| line.owed()).sum()
    };
    CrmRecord {
        paid: Cents(0) - sum(LineKind::Payment),
        refunded: sum(LineKind::Refund),
        numbers: lines.iter().map(|line| line.number.clone()).collect(),
    }
}

/// What the execution knows of this payment.
fn known(record: &ExecutionRecord, payment: &PaymentIntentId) -> JournalRecord {
    let presentation = sagas::presentation(&record.saga);
    let progress = record.progress().ok();
    let money = progress
        .as_ref()
        .and_then(|progress| presentation.money(progress));
    let one = progress.and_then(|progress| presentation.captured_by(&progress, payment));
    JournalRecord {
        execution_id: record.id.to_string(),
        state: engine_conversions::execution_state(record.state),
        captured: one
            .or(money.map(|money| money.captured))
            .unwrap_or_default(),
        refunded: money.map_or(Cents(0), |money| money.refunded),
    }
}
