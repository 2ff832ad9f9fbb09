//! Evidence of an execution: its view, and its journal and audit trail as they are stored.

use dewy_domain::{
    caller::Caller,
    evidence::{
        Evidence, EvidenceAnswer, EvidenceRequest, EvidenceRow, EvidenceStateChange, EvidenceSums,
        FORMAT,
    },
};
use dewy_saga::{Event, Row, State, hash_chain::AuditRow, journal::ExecutionRecord};
use serde_json::Value;

use crate::{hotel::hotel_service::Hotel, saga_parts::engine_conversions, views::execution_view};

/// Stands for what was taken out.
const WITHHELD: &str = "(withheld)";

pub(crate) fn of(hotel: &Hotel, caller: &Caller, record: &ExecutionRecord) -> Evidence {
    let view = execution_view::of(&hotel.engine, &hotel.settings, caller, record);
    let titles: Vec<_> = view.timeline.iter().map(|row| row.title.clone()).collect();
    let title = |n: usize| titles.get(n).cloned().unwrap_or_default();
    let mut asked = record.input.clone();
    if let Some(fields) = asked.as_object_mut() {
        // Who asked is stated apart; the credential is nobody's business
        fields.remove("_by");
    }
    Evidence {
        format: FORMAT,
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
        sums: view.money.map(|money| EvidenceSums {
            currency: money.currency,
            charged: money.captured,
            refunded: money.refunded,
            kept: money.net(),
        }),
        ids: view.ids,
        requests: requests(record, title),
        journal: journal(record, title),
        audit: audit(record),
    }
}

/// Requests with their outcomes.
fn requests(record: &ExecutionRecord, title: impl Fn(usize) -> String) -> Vec<EvidenceRequest> {
    let mut sent: Vec<((&str, _, bool), EvidenceRequest)> = Vec::new();
    for (n, row) in record.rows.iter().enumerate() {
        match &row.event {
            Event::Intended {
                step,
                direction,
                guard,
                request,
                ..
            } => {
                let (call, _) = without_secrets(request.payload["call"].clone());
                let text = |name: &str| call[name].as_str().unwrap_or_default().to_owned();
                let one = EvidenceRequest {
                    seq: row.seq,
                    at: row.at,
                    step: step.clone(),
                    title: title(n),
                    system: text("system"),
                    method: text("method"),
                    path: text("path"),
                    key: request.key.clone(),
                    body: text("body"),
                    answers: Vec::new(),
                };
                sent.push(((step, *direction, *guard), one));
            }
            Event::Settled {
                step,
                direction,
                guard,
                looked,
                outcome,
            } => {
                let which = (step.as_str(), *direction, *guard);
                let asked = sent.iter_mut().rev().find(|(of, _)| *of == which);
                if let Some((_, request)) = asked {
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
    sent.into_iter().map(|(_, request)| request).collect()
}

fn journal(record: &ExecutionRecord, title: impl Fn(usize) -> String) -> Vec<EvidenceRow> {
    let row = |(n, row): (usize, &Row)| {
        let (shown, withheld) = without_secrets(engine_conversions::value(&row.event));
        // The digest covers the very text that is stored
        let stored = serde_json::to_string(&row.event).unwrap_or_default();
        EvidenceRow {
            seq: row.seq,
            at: row.at,
            at_us: row.at.as_microsecond(),
            by: row.by.clone(),
            title: title(n),
            event: if withheld { shown.to_string() } else { stored },
            withheld,
            digest: row.digest.clone(),
        }
    };
    record.rows.iter().enumerate().map(row).collect()
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

/// Takes out what opens something at a vendor, such as the secret in the address of a bank's page;
/// true if there was any.
fn without_secrets(value: Value) -> (Value, bool) {
    match value {
        Value::String(text) if text.contains("_secret") => (WITHHELD.into(), true),
        Value::Array(items) => {
            let (items, withheld): (Vec<_>, Vec<_>) =
                items.into_iter().map(without_secrets).unzip();
            (items.into(), withheld.contains(&true))
        }
        Value::Object(fields) => {
            let mut any = false;
            let fields = fields.into_iter().map(|(name, value)| {
                let (value, withheld) = match value {
                    Value::String(_) if name.contains("secret") => (WITHHELD.into(), true),
                    value => without_secrets(value),
                };
                any |= withheld;
                (name, value)
            });
            (Value::Object(fields.collect()), any)
        }
        value => (value, false),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_taken_out_wherever_they_are() {
        let bank = "https://hooks.stripe.com/3ds?payment_intent_client_secret=pi_1_secret_x";
        let event =
            json!({ "value": [{ "next_action_url": bank }], "client_secret": "x", "id": "pi_1" });
        let (shown, withheld) = without_secrets(event);
        assert!(withheld);
        let expected = json!({ "value": [{ "next_action_url": WITHHELD }], "client_secret": WITHHELD, "id": "pi_1" });
        assert_eq!(shown, expected);
        let plain = json!({ "id": "pi_1", "amount": 1 });
        assert_eq!(without_secrets(plain.clone()), (plain, false));
    }
}
