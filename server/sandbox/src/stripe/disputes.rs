//! Disputes: the cardholder contests the charge. The bank takes the money back, so the charge can
//! no longer be refunded.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{Call, Stripe};

const TABLE: &str = "disputes";
/// Evidence fields of a merchant; all empty.
const EVIDENCE: &str = "access_activity_log billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal customer_communication customer_email_address customer_name customer_purchase_ip customer_signature duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id product_description receipt refund_policy refund_policy_disclosure refund_refusal_explanation service_date service_documentation shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number uncategorized_file uncategorized_text";
/// Status of an inquiry.
const INQUIRY: &str = "warning_needs_response";
/// Time to respond.
const RESPONSE_SECONDS: i64 = 9 * 86_400;

impl Stripe {
    /// Opens a dispute on a charge, or an inquiry, which takes no money; a second one has no effect.
    pub(super) fn open_dispute(&mut self, charge_id: &str, status: &str, call: &Call) {
        let Some(charge) = self
            .ledger
            .get("charges", charge_id)
            .filter(|charge| charge["disputed"] != true)
            .cloned()
        else {
            return;
        };
        let id = self.ledger.id("du_1", 23);
        let seq = self.ledger.next();
        let dispute = json!({
            "id": id, "object": "dispute", "amount": charge["amount"], "balance_transactions": [], "charge": charge_id,
            "created": call.now.as_second(), "currency": charge["currency"],
            "enhanced_eligibility_types": [], "evidence": evidence(),
            "evidence_details": {"due_by": call.now.as_second() + RESPONSE_SECONDS, "enhanced_eligibility": {}, "has_evidence": false, "past_due": false, "submission_count": 0, "submission_method": "not_submitted"},
            "intended_submission_method": "manual", "is_charge_refundable": false, "livemode": false, "metadata": {}, "payment_intent": charge["payment_intent"],
            "reason": "fraudulent", "status": status, "_seq": seq,
        });
        self.ledger.put(TABLE, dispute.clone());
        self.ledger.change("charges", charge_id, |charge| {
            charge["disputed"] = json!(true)
        });
        self.emit("charge.dispute.created", &dispute, call);
        if status == "needs_response" {
            self.emit("charge.dispute.funds_withdrawn", &dispute, call);
        }
    }

    /// Turns the inquiry about a charge into a dispute; false if there is none.
    fn escalate(&mut self, charge: &str, call: &Call) -> bool {
        let inquiry = self
            .ledger
            .all(TABLE)
            .find(|dispute| dispute["charge"] == charge && dispute["status"] == INQUIRY);
        let id = inquiry.and_then(|dispute| dispute["id"].as_str());
        let Some(id) = id.map(str::to_owned) else {
            return false;
        };
        let dispute = self.ledger.change(TABLE, &id, |dispute| {
            dispute["status"] = json!("needs_response")
        });
        self.emit("charge.dispute.updated", &dispute, call);
        self.emit("charge.dispute.funds_withdrawn", &dispute, call);
        true
    }

    /// Admin API: opens a dispute on a charge, or on the payment's latest one, at `now`; with
    /// `inquiry`, only an inquiry, which the next dispute of the same charge turns into one.
    ///
    /// # Errors
    /// A message.
    pub fn dispute_at(&mut self, id: &str, inquiry: bool, now: Timestamp) -> Result<(), String> {
        let of_intent = self
            .ledger
            .get("payment_intents", id)
            .and_then(|intent| intent["latest_charge"].as_str());
        let charge = of_intent.unwrap_or(id).to_owned();
        match self.ledger.get("charges", &charge) {
            Some(found) if found["paid"] != true => Err(format!("id: {id} was never paid")),
            Some(found) if found["disputed"] == true => {
                let turned = !inquiry && self.escalate(&charge, &Call::by_itself(now, ""));
                let already = || format!("id: {id} is disputed already");
                turned.then_some(()).ok_or_else(already)
            }
            Some(_) => {
                let status = if inquiry { INQUIRY } else { "needs_response" };
                self.open_dispute(&charge, status, &Call::by_itself(now, ""));
                Ok(())
            }
            None => Err(format!("id: there is no charge or payment {id}")),
        }
    }

    /// Admin API: closes a dispute at `now` as `won` or `lost`.
    ///
    /// # Errors
    /// A message.
    pub fn close_dispute_at(
        &mut self,
        id: &str,
        status: &str,
        now: Timestamp,
    ) -> Result<(), String> {
        if !matches!(status, "won" | "lost") {
            return Err("status: must be won or lost".to_owned());
        }
        let dispute = self
            .ledger
            .get(TABLE, id)
            .ok_or_else(|| format!("id: there is no dispute {id}"))?;
        if matches!(dispute["status"].as_str(), Some("won" | "lost")) {
            return Err(format!("id: {id} is closed already"));
        }
        let call = Call::by_itself(now, "");
        let dispute = self
            .ledger
            .change(TABLE, id, |dispute| dispute["status"] = json!(status));
        if status == "won" {
            let charge = dispute["charge"].as_str().unwrap_or_default().to_owned();
            self.ledger.change("charges", &charge, |charge| {
                charge["disputed"] = json!(false)
            });
            self.emit("charge.dispute.funds_reinstated", &dispute, &call);
        }
        self.emit("charge.dispute.closed", &dispute, &call);
        Ok(())
    }

    /// Admin API: changes a refund's status at `now`.
    ///
    /// # Errors
    /// A message.
    pub fn turn_refund_at(&mut self, id: &str, status: &str, now: Timestamp) -> Result<(), String> {
        self.set_refund_status(id, status, &Call::by_itself(now, ""))
    }
}

fn evidence() -> Value {
    let mut evidence: Map<String, Value> = EVIDENCE
        .split(' ')
        .map(|name| (name.to_owned(), Value::Null))
        .collect();
    evidence.insert("enhanced_evidence".to_owned(), json!({}));
    Value::Object(evidence)
}
