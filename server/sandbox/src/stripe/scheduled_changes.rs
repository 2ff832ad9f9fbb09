//! Scheduled changes: refunds that change status, payments in processing.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{Call, Stripe};

const SCHEDULED: &str = "_later";
const INTENTS: &str = "payment_intents";
/// Duration of a payment's processing.
const ARRIVES_AFTER: SignedDuration = SignedDuration::from_secs(30);

impl Stripe {
    /// Schedules the change of an object.
    pub(super) fn schedule(&mut self, id: &str, turn: &str, after: SignedDuration, call: &Call) {
        let due = call.now.saturating_add(after).unwrap_or(call.now);
        let seq = self.ledger.next();
        let row =
            json!({"id": id, "due": due.to_string(), "turn": turn, "base": call.base, "_seq": seq});
        self.ledger.put(SCHEDULED, row);
    }

    /// Payment that stays in processing first.
    pub(super) fn stay_processing(
        &mut self,
        id: &str,
        comes: bool,
        call: &Call,
    ) -> Result<Value, super::Refusal> {
        let intent = self.ledger.change(INTENTS, id, |intent| {
            intent["status"] = json!("processing");
            intent["next_action"] = Value::Null;
            intent["last_payment_error"] = Value::Null;
        });
        let turn = if comes { "arrives" } else { "bounces" };
        self.schedule(id, turn, ARRIVES_AFTER, call);
        self.emit("payment_intent.processing", &intent, call);
        Ok(intent)
    }

    /// Time of the next scheduled change.
    #[must_use]
    pub fn next_due(&self) -> Option<Timestamp> {
        let ledgers = std::iter::once(&self.ledger).chain(self.others.values());
        ledgers
            .flat_map(|ledger| ledger.all(SCHEDULED))
            .filter_map(due)
            .min()
    }

    /// Applies all changes due at `now`.
    pub fn settle(&mut self, now: Timestamp) {
        self.settle_here(now);
        for account in self.others.keys().cloned().collect::<Vec<_>>() {
            self.within(&account, |stripe| stripe.settle_here(now));
        }
    }

    fn settle_here(&mut self, now: Timestamp) {
        let mut ready: Vec<Value> = self
            .ledger
            .all(SCHEDULED)
            .filter(|row| due(row).is_some_and(|at| at <= now))
            .cloned()
            .collect();
        ready.sort_by_key(|row| (due(row), row["_seq"].as_u64()));
        for row in ready {
            let id = row["id"].as_str().unwrap_or_default();
            self.ledger.remove(SCHEDULED, id);
            let base = row["base"].as_str().unwrap_or_default();
            let call = Call::by_itself(due(&row).unwrap_or(now), base);
            match row["turn"].as_str() {
                Some("arrives") => self.arrive(id, true, &call),
                Some("bounces") => self.arrive(id, false, &call),
                Some("expires") => self.expire_hold(id, &call),
                // A change made by the admin API in the meantime stays.
                turn => drop(self.set_refund_status(id, turn.unwrap_or("succeeded"), &call)),
            }
        }
    }

    fn arrive(&mut self, id: &str, comes: bool, call: &Call) {
        let Ok(intent) = self.intent(id) else { return };
        if intent["status"] != "processing" {
            return;
        }
        if comes {
            drop(self.paid(id, call));
            return;
        }
        let method = self
            .ledger
            .found("payment_methods", &intent["payment_method"]);
        drop(self.decline(id, &method, "card_declined", "generic_decline", call));
    }
}

fn due(row: &Value) -> Option<Timestamp> {
    row["due"].as_str()?.parse().ok()
}
