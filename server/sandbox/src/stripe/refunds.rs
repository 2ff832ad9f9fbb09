//! Refunds: limits, and refunds whose status changes later.

use jiff::SignedDuration;
use serde_json::{Map, Value, json};

use super::cards::Behavior;
use super::error_body::Refusal;
use super::params::Params;
use super::{Call, Stripe};

/// Delays until a pending refund settles, and until a failing one fails.
const SETTLES_AFTER: SignedDuration = SignedDuration::from_secs(30);

impl Stripe {
    pub(super) fn create_refund(&mut self, params: &Params, call: &Call) -> Result<Value, Refusal> {
        params.only("payment_intent charge amount reason metadata")?;
        let reason = params
            .choice(
                "reason",
                &["duplicate", "fraudulent", "requested_by_customer"],
            )?
            .map(str::to_owned);
        let asked = params.integer("amount")?;
        if asked.is_some_and(|amount| amount < 1) {
            return Err(Refusal::below_one("amount"));
        }
        let mut metadata = Map::new();
        params.merge_metadata(&mut metadata)?;
        let charge = self.refundable(params)?;
        let charge_id = charge["id"].as_str().unwrap_or_default().to_owned();
        let amount = charge["amount"].as_i64().unwrap_or(0);
        if charge["disputed"] == true {
            let message =
                format!("Charge {charge_id} has been charged back; cannot issue a refund.");
            return Err(Refusal::state("charge_disputed", message));
        }
        let left = amount - charge["amount_refunded"].as_i64().unwrap_or(0);
        if left == 0 {
            return Err(Refusal::state(
                "charge_already_refunded",
                format!("Charge {charge_id} has already been refunded."),
            ));
        }
        let sum = asked.unwrap_or(left);
        if sum > left {
            let most = if left == amount {
                "charge amount"
            } else {
                "unrefunded amount on charge"
            };
            let message = format!(
                "Refund amount ({}) is greater than {most} ({})",
                dollars(sum),
                dollars(left)
            );
            return Err(Refusal::invalid(message).param("amount").begun());
        }
        let behavior = self.behavior(&charge);
        let pending = behavior == Behavior::PendingRefund;
        let status = if pending { "pending" } else { "succeeded" };
        let refund = self.put_refund(&charge, sum, reason.as_deref(), metadata, status, call);
        let id = refund["id"].as_str().unwrap_or_default();
        if matches!(behavior, Behavior::PendingRefund | Behavior::RefundFails) {
            let fails = behavior == Behavior::RefundFails;
            let turn = if fails { "failed" } else { "succeeded" };
            self.schedule(id, turn, SETTLES_AFTER, call);
        }
        Ok(refund)
    }

    /// Writes a refund and adjusts its charge.
    pub(super) fn put_refund(
        &mut self,
        charge: &Value,
        sum: i64,
        reason: Option<&str>,
        metadata: Map<String, Value>,
        status: &str,
        call: &Call,
    ) -> Value {
        let charge_id = charge["id"].as_str().unwrap_or_default();
        let id = self.ledger.id("re_3", 23);
        let seq = self.ledger.next();
        let refund = json!({
            "id": id, "object": "refund", "amount": sum, "balance_transaction": null, "charge": charge_id,
            "created": call.now.as_second(), "currency": charge["currency"], "customer": charge["customer"], "customer_account": null,
            "destination_details": {"card": {"reference_status": "pending", "reference_type": "acquirer_reference_number", "type": "refund"}, "type": "card"},
            "metadata": metadata, "payment_intent": charge["payment_intent"], "payment_method": charge["payment_method"], "reason": reason, "receipt_number": null,
            "source_transfer_reversal": null, "status": status,
            "transfer_reversal": null, "_seq": seq,
        });
        self.ledger.put("refunds", refund.clone());
        let charge = self.adjust_refunded(charge_id, sum);
        self.emit("charge.refunded", &charge, call);
        self.emit("refund.created", &refund, call);
        refund
    }

    /// Behavior of the card behind a charge.
    pub(super) fn behavior(&self, charge: &Value) -> Behavior {
        let method = &charge["payment_method"];
        Self::card_of(&self.ledger.found("payment_methods", method)).behavior
    }

    /// Charge of a refund.
    fn refundable(&self, params: &Params) -> Result<Value, Refusal> {
        let intent = params.text("payment_intent")?;
        let charge = params.text("charge")?;
        let charge = match (intent, charge) {
            (None, None) => {
                return Err(Refusal::invalid(
                    "One of the following params should be provided for this request: payment_intent or charge.",
                ));
            }
            (Some(_), Some(_)) => {
                return Err(Refusal::invalid(
                    "You may only specify one of these parameters: charge, payment_intent.",
                ));
            }
            (None, Some(id)) => self
                .ledger
                .get("charges", id)
                .cloned()
                .ok_or_else(|| Refusal::not_found("charge", id).param("charge"))?,
            (Some(id), None) => {
                let intent = self
                    .intent(id)
                    .map_err(|refusal| refusal.param("payment_intent"))?;
                let none = || {
                    let message = format!(
                        "This PaymentIntent ({id}) does not have a successful charge to refund."
                    );
                    Refusal::invalid(message).param("payment_intent").begun()
                };
                if intent["status"] != "succeeded" {
                    return Err(none());
                }
                let charge = intent["latest_charge"].as_str().ok_or_else(none)?;
                self.ledger
                    .get("charges", charge)
                    .cloned()
                    .ok_or_else(none)?
            }
        };
        if charge["paid"] == true && charge["captured"] == true {
            Ok(charge)
        } else {
            let id = charge["id"].as_str().unwrap_or_default();
            Err(Refusal::invalid(format!(
                "Charge {id} has not been captured and cannot be refunded."
            ))
            .begun())
        }
    }

    /// Adjusts the charge's `amount_refunded`; a failed refund reduces it.
    fn adjust_refunded(&mut self, charge: &str, sum: i64) -> Value {
        self.ledger.change("charges", charge, |charge| {
            let refunded = charge["amount_refunded"].as_i64().unwrap_or(0) + sum;
            charge["refunded"] = json!(refunded == charge["amount"].as_i64().unwrap_or(0));
            charge["amount_refunded"] = json!(refunded);
        })
    }

    /// Changes a refund's status: on schedule, or on request of the admin API, any number of days
    /// later.
    ///
    /// # Errors
    /// A message.
    pub(super) fn set_refund_status(
        &mut self,
        id: &str,
        status: &str,
        call: &Call,
    ) -> Result<(), String> {
        let refund = self
            .ledger
            .get("refunds", id)
            .ok_or_else(|| format!("id: there is no refund {id}"))?;
        let before = refund["status"].as_str().unwrap_or_default();
        let gives_back = |status: &str| matches!(status, "failed" | "canceled");
        if !matches!(status, "failed" | "succeeded" | "canceled") {
            return Err("status: must be one of failed, succeeded, canceled".to_owned());
        }
        if gives_back(before)
            || (before == status)
            || (before == "succeeded" && status == "canceled")
        {
            return Err(format!(
                "status: a refund that is {before} does not become {status}"
            ));
        }
        let refund = self.ledger.change("refunds", id, |refund| {
            refund["status"] = json!(status);
            if status == "failed" {
                refund["failure_reason"] = json!("expired_or_canceled_card");
            }
        });
        if gives_back(status) {
            let charge = refund["charge"].as_str().unwrap_or_default().to_owned();
            self.adjust_refunded(&charge, -refund["amount"].as_i64().unwrap_or(0));
        }
        // Stripe sends the same event under its older name too.
        self.emit("charge.refund.updated", &refund, call);
        self.emit("refund.updated", &refund, call);
        if status == "failed" {
            self.emit("refund.failed", &refund, call);
        }
        Ok(())
    }
}

fn dollars(cents: i64) -> String {
    format!("${}.{:02}", cents / 100, cents % 100)
}
