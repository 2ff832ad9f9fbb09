//! Charges: the actual payments of an intent.

use serde_json::{Value, json};

use super::error_body::Refusal;
use super::intent_params::STATEMENT_PREFIX;
use super::{Call, Stripe};

/// Further members of a charge, unused here.
const UNUSED: &str = "application application_fee application_fee_amount balance_transaction failure_balance_transaction on_behalf_of receipt_number review shipping source source_transfer transfer_data transfer_group";

impl Stripe {
    /// Writes the charge of an intent; `failure` is its code and message.
    pub(super) fn put_charge(
        &mut self,
        intent: &str,
        failure: Option<(&str, &str)>,
        call: &Call,
    ) -> Result<Value, Refusal> {
        let intent = self.intent(intent)?;
        let method = self
            .ledger
            .found("payment_methods", &intent["payment_method"]);
        let id = self.ledger.id("ch_3", 23);
        let seq = self.ledger.next();
        let paid = failure.is_none();
        let captured = paid && intent["capture_method"] != "manual";
        let descriptor = match intent["statement_descriptor_suffix"].as_str() {
            Some(suffix) => format!("{STATEMENT_PREFIX}* {}", suffix.to_uppercase()),
            None => STATEMENT_PREFIX.to_owned(),
        };
        let receipt = paid.then(|| format!("{}/receipts/{id}", call.base));
        let mut charge = json!({
            "id": id, "object": "charge", "amount": intent["amount"], "amount_captured": if captured { intent["amount"].clone() } else { json!(0) },
            "amount_refunded": 0, "billing_details": method["billing_details"],
            "calculated_statement_descriptor": descriptor, "captured": captured, "created": call.now.as_second(),
            "currency": intent["currency"], "customer": intent["customer"], "description": intent["description"],
            "disputed": false, "failure_code": failure.map(|(code, _)| code), "failure_message": failure.map(|(_, words)| words),
            "fraud_details": {}, "livemode": false, "metadata": intent["metadata"], "outcome": outcome(failure.map(|(code, _)| code)), "paid": paid,
            "payment_intent": intent["id"], "payment_method": method["id"],
            "payment_method_details": {"card": card_details(&method["card"], &intent["amount"]), "type": "card"},
            "receipt_email": intent["receipt_email"], "receipt_url": receipt, "refunded": false,

            "statement_descriptor": intent["statement_descriptor"],
            "statement_descriptor_suffix": intent["statement_descriptor_suffix"],
            "status": if paid { "succeeded" } else { "failed" },
            "_seq": seq,
        });
        for name in UNUSED.split(' ') {
            charge[name] = Value::Null;
        }
        self.ledger.put("charges", charge.clone());
        Ok(charge)
    }
}

/// Outcome reported by the network; `decline` is a decline code.
fn outcome(decline: Option<&str>) -> Value {
    let (network, kind, words) = match decline {
        None => ("approved_by_network", "authorized", "Payment complete."),
        Some(_) => {
            let words = "The bank did not return any further details with this decline.";
            ("declined_by_network", "issuer_declined", words)
        }
    };
    json!({
        "advice_code": null, "network_advice_code": null, "network_decline_code": null, "network_status": network,
        "reason": decline, "risk_level": "normal", "seller_message": words, "type": kind,
    })
}

fn card_details(card: &Value, amount: &Value) -> Value {
    json!({
        "amount_authorized": amount, "authorization_code": null, "brand": card["brand"], "checks": card["checks"],
        "country": "US", "electronic_commerce_indicator": null, "exp_month": card["exp_month"],
        "exp_year": card["exp_year"], "fingerprint": card["fingerprint"], "funding": "credit", "installments": null,
        "last4": card["last4"], "mandate": null, "network": card["brand"], "network_transaction_id": null,
        "regulated_status": card["regulated_status"], "three_d_secure": null, "transaction_link_id": null,
        "wallet": null,
    })
}
