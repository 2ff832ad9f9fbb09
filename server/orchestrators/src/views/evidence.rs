//! Evidence of an execution: its view, and its journal and audit trail as they are stored.

use dewy_domain::{
    caller::Caller,
    evidence::{
        Evidence, EvidenceAnswer, EvidenceRequest, EvidenceRow, EvidenceStateChange, EvidenceSums,
        FORMAT,
    },
    execution_view::{EventView, MoneyView},
};
use dewy_saga::{Event, Row, State, hash_chain::AuditRow, journal::ExecutionRecord};

use crate::{
    hotel::hotel_service::Hotel,
    saga_parts::{engine_conversions, withheld_secrets::without_secrets},
    views::execution_view,
};

pub(crate) fn of(hotel: &Hotel, caller: &Caller, record: &ExecutionRecord) -> Evidence {
    let view = execution_view::of(&hotel.engine, &hotel.settings, caller, record);
    let requests = requests(&record.rows, &view.timeline);
    let journal = journal(record, &view.timeline);
    let mut asked = record.input.clone();
    if let Some(fields) = asked.as_object_mut() {
        // Who asked is stated apart; the credential is nobody's business
        fields.remove("_by");
    }
    Evidence {
        format: FORMAT.to_owned(),
        made_at: hotel.clock.now(),
        made_by: caller.key(),
        hotel: hotel.settings.hotel.name.clone(),
        execution_id: view.execution_id,
        title: view.title,
        state: view.state,
        summary: view.summary.to_string(),
        asked_by: view.asked_by,
        triggers: view.triggers,
        created_at: view.created_at,
        updated_at: view.updated_at,
        guest_email: view.guest_email,
        booking_number: view.booking_number,
        room_number: view.room_number,
        asked: without_secrets(asked).0,
        answered: view.answer.map(|answer| without_secrets(answer).0),
        sums: view.money.map(sums),
        ids: view.ids,
        requests,
        journal,
        audit: audit(record),
    }
}

pub(super) fn sums(money: MoneyView) -> EvidenceSums {
    EvidenceSums {
        currency: money.currency,
        charged: money.captured,
        refunded: money.refunded,
        kept: money.net(),
    }
}

/// Requests with their outcomes; `timeline` has an entry for each row.
pub(super) fn requests(rows: &[Row], timeline: &[EventView]) -> Vec<EvidenceRequest> {
    let mut sent: Vec<EvidenceRequest> = Vec::new();
    for (row, entry) in rows.iter().zip(timeline) {
        match &row.event {
            Event::Intended { step, request, .. } => {
                let (call, _) = without_secrets(request.payload["call"].clone());
                let text = |name: &str| call[name].as_str().unwrap_or_default().to_owned();
                sent.push(EvidenceRequest {
                    seq: row.seq,
                    at: row.at,
                    step: step.clone(),
                    title: entry.title.clone(),
                    system: text("system"),
                    method: text("method"),
                    path: text("path"),
                    key: request.key.clone(),
                    body: text("body"),
                    answers: Vec::new(),
                });
            }
            Event::Settled {
                looked, outcome, ..
            } => {
                let of = entry.settled.as_ref().and_then(|settled| settled.request);
                let mut sent = sent.iter_mut();
                if let Some(request) = sent.find(|request| Some(request.seq) == of) {
                    request.answers.push(EvidenceAnswer {
                        seq: row.seq,
                        at: row.at,
                        looked_up: *looked,
                        outcome: without_secrets(engine_conversions::value(outcome)).0,
                    });
                }
            }
            _ => {}
        }
    }
    sent
}

fn journal(record: &ExecutionRecord, timeline: &[EventView]) -> Vec<EvidenceRow> {
    let rows = record.rows.iter().zip(timeline).map(|(row, entry)| {
        let (shown, withheld) = without_secrets(engine_conversions::value(&row.event));
        // The digest covers the very text that is stored
        let stored = serde_json::to_string(&row.event).unwrap_or_default();
        EvidenceRow {
            seq: row.seq,
            at: row.at,
            at_us: row.at.as_microsecond(),
            by: row.by.clone(),
            fence: row.fence,
            title: entry.title.clone(),
            event: if withheld { shown.to_string() } else { stored },
            withheld,
            digest: row.digest.clone(),
        }
    });
    rows.collect()
}

fn audit(record: &ExecutionRecord) -> Vec<EvidenceStateChange> {
    let change = |row: &AuditRow| EvidenceStateChange {
        seq: row.seq,
        at: row.at,
        at_us: row.at.as_microsecond(),
        actor: row.actor.clone(),
        from: row.from.map(|state| State::name(state).to_owned()),
        to: row.to.name().to_owned(),
        journal: row.journal.clone(),
        hash: row.hash.clone(),
    };
    record.audit.iter().map(change).collect()
}
