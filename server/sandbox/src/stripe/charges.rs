//! Charges: what really happened to the money of an intent.

use serde_json::{Value, json};

use super::refusal::Refusal;
use super::{Call, Stripe};

impl Stripe {
    /// Writes the charge of an intent; `failure` is its code and sentence.
    pub(super) fn put_charge(
        &mut self,
        intent: &str,
        failure: Option<(&str, &str)>,
        call: &Call,
    ) -> Result<Value, Refusal> {
        let intent = self.intent(intent)?;
        let method_id = intent["payment_method"].as_str().unwrap_or_default();
        let method = self.ledger.get("payment_methods", method_id).cloned().unwrap_or_default();
        let id = self.ledger.id("ch_3", 23);
        let seq = self.ledger.next();
        let paid = failure.is_none();
        let captured = paid && intent["capture_method"] != "manual";
        let outcome = match failure {
            None => {
                json!({"network_status": "approved_by_network", "reason": null, "risk_level": "normal", "seller_message": "Payment complete.", "type": "authorized"})
            }
            Some((code, _)) => {
                json!({"network_status": "declined_by_network", "reason": code, "risk_level": "normal", "seller_message": "The bank did not return any further details with this decline.", "type": "issuer_declined"})
            }
        };
        let receipt = paid.then(|| format!("{}/receipts/{id}", call.base));
        let charge = json!({
            "id": id, "object": "charge", "amount": intent["amount"], "amount_captured": if captured { intent["amount"].clone() } else { json!(0) },
            "amount_refunded": 0, "balance_transaction": null, "billing_details": method["billing_details"],
            "calculated_statement_descriptor": "DEWY", "captured": captured, "created": call.now.as_second(),
            "currency": intent["currency"], "customer": intent["customer"], "description": intent["description"],
            "disputed": false, "failure_code": failure.map(|(code, _)| code), "failure_message": failure.map(|(_, words)| words),
            "fraud_details": {}, "livemode": false, "metadata": intent["metadata"], "outcome": outcome, "paid": paid,
            "payment_intent": intent["id"], "payment_method": method["id"],
            "payment_method_details": {"card": {"amount_authorized": intent["amount"], "brand": method["card"]["brand"],
                "country": "US", "exp_month": method["card"]["exp_month"], "exp_year": method["card"]["exp_year"],
                "fingerprint": method["card"]["fingerprint"], "funding": "credit", "last4": method["card"]["last4"],
                "network": method["card"]["brand"], "three_d_secure": null, "wallet": null}, "type": "card"},
            "receipt_email": intent["receipt_email"], "receipt_number": null, "receipt_url": receipt, "refunded": false,
            "review": null, "shipping": null, "statement_descriptor": intent["statement_descriptor"],
            "status": if paid { "succeeded" } else { "failed" }, "transfer_data": null, "transfer_group": null,
            "_seq": seq,
        });
        self.ledger.put("charges", charge.clone());
        Ok(charge)
    }
}
