//! Records of the outside systems, read once and queried often.

use std::collections::BTreeMap;

use dewy_sandbox::{CallEntry, Sandbox};
use serde_json::{Value, json};

/// Records of Salesforce and Stripe.
pub struct SandboxLedger(pub Value);

impl SandboxLedger {
    /// All ledgers, and the number of messages delivered to the carrier twice, which it can't
    /// detect.
    pub fn of(sandbox: &Sandbox) -> Self {
        let mut state = sandbox.state();
        let calls = sandbox.calls();
        let twice =
            |call: &&CallEntry| call.replay_of.is_some() && call.operation == "message_create";
        state["messages_brought_again"] = json!(calls.iter().filter(twice).count());
        Self(state)
    }

    /// Records of a Salesforce object.
    pub fn rows(&self, object: &str) -> Vec<Value> {
        self.each(object).to_vec()
    }

    /// Records of a Salesforce object, to look at.
    pub fn each(&self, object: &str) -> &[Value] {
        self.0["salesforce"][object]
            .as_array()
            .map_or(&[], Vec::as_slice)
    }

    /// Record of an object whose field has this value.
    pub fn row(&self, object: &str, field: &str, value: &str) -> Value {
        only(self.each(object), object, field, value)
    }

    /// Refunds of the payments that name an execution.
    pub fn refunds_of(&self, execution: &str) -> Vec<String> {
        let payments = self.ledger();
        let refunds = self.0["stripe"]["refunds"].as_array().into_iter().flatten();
        let of_it = refunds.filter(|refund| {
            let payment = refund["payment_intent"]
                .as_str()
                .and_then(|id| payments.get(id));
            payment.is_some_and(|(_, _, owner)| owner.as_deref() == Some(execution))
        });
        of_it
            .filter_map(|refund| refund["id"].as_str().map(str::to_owned))
            .collect()
    }

    /// Stripe's ledger: (captured, refunded, owner) by payment intent.
    pub fn ledger(&self) -> BTreeMap<String, (i64, i64, Option<String>)> {
        ledger(&self.0["stripe"])
    }
}

/// The ledger of an account: (captured, refunded, owner) by payment intent.
pub fn ledger(stripe: &Value) -> BTreeMap<String, (i64, i64, Option<String>)> {
    let mut ledger = BTreeMap::new();
    for payment in stripe["payment_intents"].as_array().into_iter().flatten() {
        let taken = if payment["status"] == "succeeded" {
            payment["amount_received"].as_i64().unwrap_or(0)
        } else {
            0
        };
        let owner = payment["metadata"]["execution_id"]
            .as_str()
            .map(str::to_owned);
        ledger.insert(
            payment["id"].as_str().unwrap_or_default().to_owned(),
            (taken, 0, owner),
        );
    }
    for refund in stripe["refunds"].as_array().into_iter().flatten() {
        let stands = matches!(
            refund["status"].as_str(),
            Some("succeeded" | "pending" | "requires_action")
        );
        if let Some(entry) = refund["payment_intent"]
            .as_str()
            .and_then(|id| ledger.get_mut(id))
            && stands
        {
            entry.1 += refund["amount"].as_i64().unwrap_or(0);
        }
    }
    ledger
}
/// The record whose field has this value.
pub fn only(rows: &[Value], object: &str, field: &str, value: &str) -> Value {
    let found: Vec<_> = rows.iter().filter(|r| r[field] == value).collect();
    assert_eq!(found.len(), 1, "{object} with {field} = {value}");
    found[0].clone()
}
