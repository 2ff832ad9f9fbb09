//! Content of an event, as far as a notification needs it. All state is read from Stripe again:
//! events come late, twice and in any order.

use std::collections::BTreeMap;

use dewy_domain::{
    money::Cents,
    payment::{FraudWarning, Payout, RefundStatus},
    payment_intent_id::PaymentIntentId,
};
use jiff::Timestamp;
use serde::Deserialize;

use crate::stripe::responses::{Linked, ObjectId, status};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// `evt_…`: unique; a redelivery has the same id.
    pub id: String,
    /// `payment_intent.succeeded`, `refund.failed`, …
    pub kind: String,
    pub created: Timestamp,
    /// The payment, if the event is about one or one of its objects.
    pub payment_intent: Option<PaymentIntentId>,
    /// `metadata.execution_id` of the object: the payment's own, or the refund's, which names the
    /// execution that issued it.
    pub execution_id: Option<String>,
    /// `metadata.installation_id` of the same object.
    pub installation_id: Option<String>,
    pub refund: Option<EventRefund>,
    /// Card network's warning, if the event is about one.
    pub fraud_warning: Option<FraudWarning>,
    /// Payout to the bank, if the event is about one.
    pub payout: Option<Payout>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRefund {
    /// `re_…`.
    pub id: String,
    /// Its status at the time.
    pub status: RefundStatus,
}

#[derive(Deserialize)]
struct EventRow {
    id: String,
    object: String,
    #[serde(rename = "type")]
    kind: String,
    created: i64,
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    object: EventObject,
}

/// Object of the event: a payment, charge, refund, dispute, or anything else.
#[derive(Deserialize)]
struct EventObject {
    id: Option<String>,
    object: Option<String>,
    status: Option<String>,
    amount: Option<i64>,
    currency: Option<String>,
    failure_code: Option<String>,
    failure_message: Option<String>,
    fraud_type: Option<String>,
    payment_intent: Option<Linked<ObjectId>>,
    metadata: Option<BTreeMap<String, String>>,
}

/// Parses a body whose signature was verified; `None` when it is not an event.
pub(super) fn read(body: &[u8]) -> Option<Event> {
    let EventRow {
        id,
        object,
        kind,
        created,
        data: Data { object: about },
    } = serde_json::from_slice(body).ok()?;
    if object != "event" || id.is_empty() {
        return None;
    }
    let id_of = |kind: &str| {
        about
            .id
            .clone()
            .filter(|_| about.object.as_deref() == Some(kind))
    };
    let refund = id_of("refund").map(|id| EventRefund {
        id,
        status: status(
            about.status.as_deref().unwrap_or_default(),
            RefundStatus::Other,
        ),
    });
    let fraud_warning = id_of("radar.early_fraud_warning").map(|id| FraudWarning {
        id,
        kind: about.fraud_type.clone().unwrap_or_default(),
    });
    let payout = id_of("payout").map(|id| Payout {
        id,
        amount: Cents(about.amount.unwrap_or_default()),
        currency: about.currency.clone().unwrap_or_default(),
        failure: (about.failure_message.clone()).or_else(|| about.failure_code.clone()),
    });
    let linked = || about.payment_intent.map(Linked::into_id);
    let payment_intent = id_of("payment_intent").or_else(linked);
    let payment_intent = payment_intent.and_then(|id| id.try_into().ok());
    let mut metadata = about.metadata.unwrap_or_default();
    let mut written = |name: &str| metadata.remove(name).filter(|id| !id.is_empty());
    let (execution_id, installation_id) = (written("execution_id"), written("installation_id"));
    let created = Timestamp::from_second(created).ok()?;
    Some(Event {
        id,
        kind,
        created,
        payment_intent,
        execution_id,
        installation_id,
        refund,
        fraud_warning,
        payout,
    })
}
