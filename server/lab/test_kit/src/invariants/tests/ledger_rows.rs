//! Builders for records of the outside systems in tests.

use serde_json::{Value, json};

pub(super) fn stay(
    name: &str,
    status: &str,
    room: &str,
    guest: Option<&str>,
    stage: &str,
) -> Value {
    json!({
        "booking": { "id": format!("b-{name}"), "status": status, "guest_id": format!("c-{name}") },
        "room": { "id": format!("r-{name}"), "status": room, "current_guest": guest },
        "opportunity": { "id": format!("o-{name}"), "stage": stage, "amount": 25_000, "close_date": null, "payment_id": null },
    })
}

pub(super) fn payment(id: &str, cents: i64, owner: Option<&str>) -> Value {
    json!({ "id": id, "status": "succeeded", "amount_received": cents, "metadata": { "execution_id": owner } })
}

pub(super) fn refund(id: &str, payment: &str, cents: i64) -> Value {
    json!({ "id": id, "payment_intent": payment, "status": "succeeded", "amount": cents })
}

pub(super) fn line(
    id: &str,
    of: &str,
    kind: &str,
    external: &str,
    status: &str,
    amount: f64,
) -> Value {
    json!({ "Id": id, "Opportunity__c": format!("o-{of}"), "Transaction_Type__c": kind, "External_ID__c": external,
        "Status__c": status, "Amount__c": amount })
}
