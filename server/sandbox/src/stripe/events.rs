//! Events and their deliveries.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::object_tables::ObjectTables;
use super::{API_VERSION, Call, Stripe, shown};

const DELIVERIES: &str = "_deliveries";
/// Stripe gives up after three days.
const DELIVERY_LIMIT: SignedDuration = SignedDuration::from_hours(72);

/// Delivery of one event to one endpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// Id of the delivery, for its acknowledgment.
    pub id: String,
    pub url: String,
    /// The endpoint's signing secret, `whsec_` included.
    pub secret: String,
    pub event: Value,
    pub attempts: u32,
    /// Time of the next attempt.
    pub next: Timestamp,
}

impl Stripe {
    /// Records an event and queues it for every subscribed endpoint.
    pub(super) fn emit(&mut self, kind: &str, object: &Value, call: &Call) {
        let id = self.ledger.id("evt_1", 23);
        let seq = self.ledger.next();
        let wanted: Vec<String> = self
            .ledger
            .all("webhook_endpoints")
            .filter(|endpoint| {
                endpoint["enabled_events"]
                    .as_array()
                    .is_some_and(|kinds| kinds.iter().any(|asked| asked == "*" || asked == kind))
            })
            .filter_map(|endpoint| endpoint["id"].as_str().map(str::to_owned))
            .collect();
        let request = if call.request_id.is_empty() {
            json!({"id": null, "idempotency_key": null})
        } else {
            json!({"id": call.request_id, "idempotency_key": call.key})
        };
        self.ledger.put(
            "events",
            json!({
                "id": id, "object": "event", "api_version": API_VERSION, "created": call.now.as_second(),
                "data": {"object": shown(object)}, "livemode": false, "pending_webhooks": wanted.len(),
                "request": request, "type": kind, "_seq": seq,
            }),
        );
        for endpoint in wanted {
            self.ledger.put(
                DELIVERIES,
                json!({
                    "id": format!("{id}:{endpoint}"), "event": id, "endpoint": endpoint, "attempts": 0,
                    "since": call.now.to_string(), "next": call.now.to_string(), "_seq": seq,
                }),
            );
        }
    }

    /// All unacknowledged deliveries, in order.
    #[must_use]
    pub fn deliveries(&self) -> Vec<Delivery> {
        let ledgers = std::iter::once(&self.ledger).chain(self.others.values());
        ledgers.flat_map(of_ledger).collect()
    }

    /// Records a 2xx response.
    pub fn delivered(&mut self, id: &str) {
        let account = self.account_of(id);
        self.within(&account, |stripe| stripe.taken(id));
    }

    /// Account of a delivery's event.
    fn account_of(&self, delivery: &str) -> String {
        let found = self
            .others
            .iter()
            .find(|(_, ledger)| ledger.get(DELIVERIES, delivery).is_some());
        found.map_or_else(|| super::ACCOUNT.to_owned(), |(account, _)| account.clone())
    }

    fn taken(&mut self, id: &str) {
        if let Some(row) = self.ledger.remove(DELIVERIES, id)
            && let Some(event) = row["event"].as_str()
        {
            self.ledger.change("events", event, |event| {
                event["pending_webhooks"] = json!(
                    event["pending_webhooks"]
                        .as_u64()
                        .unwrap_or(1)
                        .saturating_sub(1)
                );
            });
        }
    }

    /// Records a failed attempt: the delay doubles each time, up to an hour.
    pub fn undelivered(&mut self, id: &str, now: Timestamp) {
        let account = self.account_of(id);
        self.within(&account, |stripe| stripe.not_taken(id, now));
    }

    fn not_taken(&mut self, id: &str, now: Timestamp) {
        let since = self
            .ledger
            .get(DELIVERIES, id)
            .and_then(|row| row["since"].as_str())
            .and_then(|text| text.parse::<Timestamp>().ok());
        if since.is_some_and(|since| now.duration_since(since) >= DELIVERY_LIMIT) {
            self.ledger.remove(DELIVERIES, id);
            return;
        }
        self.ledger.change(DELIVERIES, id, |row| {
            let attempts = row["attempts"].as_u64().unwrap_or(0) + 1;
            let seconds = 1_i64 << attempts.saturating_sub(1).min(12);
            let next = now
                .saturating_add(SignedDuration::from_secs(seconds.min(3600)))
                .unwrap_or(now);
            row["attempts"] = json!(attempts);
            row["next"] = json!(next.to_string());
        });
    }
}

fn of_ledger(ledger: &ObjectTables) -> Vec<Delivery> {
    let mut rows: Vec<&Value> = ledger.all(DELIVERIES).collect();
    rows.sort_by_key(|row| (row["_seq"].as_u64(), row["id"].as_str()));
    rows.into_iter()
        .filter_map(|row| delivery(ledger, row))
        .collect()
}

fn delivery(ledger: &ObjectTables, row: &Value) -> Option<Delivery> {
    let endpoint = ledger.get("webhook_endpoints", row["endpoint"].as_str()?)?;
    let event = ledger.get("events", row["event"].as_str()?)?;
    Some(Delivery {
        id: row["id"].as_str()?.to_owned(),
        url: endpoint["url"].as_str()?.to_owned(),
        secret: endpoint["_secret"].as_str()?.to_owned(),
        event: shown(event),
        attempts: row["attempts"]
            .as_u64()
            .and_then(|tries| u32::try_from(tries).ok())
            .unwrap_or(0),
        next: row["next"].as_str()?.parse().ok()?,
    })
}
