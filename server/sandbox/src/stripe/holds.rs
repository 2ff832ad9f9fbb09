//! Holds: manual capture, its expiry, and the release of what is not captured.

use jiff::SignedDuration;
use serde_json::{Map, Value, json};

use super::cards::Behavior;
use super::error_body::Refusal;
use super::intents::unexpected;
use super::params::Params;
use super::{Call, Stripe};

const TABLE: &str = "payment_intents";
const CHARGES: &str = "charges";

/// Stripe's window for card payments that the cardholder started.
const ONLINE: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Its shorter window for Visa payments that the merchant started: documented as 5 days, "exactly 4
/// days and 18 hours".
const VISA_OFF_SESSION: SignedDuration = SignedDuration::from_hours(4 * 24 + 18);

impl Stripe {
    /// Starts the window of an authorized intent; returns its charge.
    pub(super) fn start_hold(&mut self, intent: &Value, call: &Call) -> Value {
        let charge = intent["latest_charge"].as_str().unwrap_or_default();
        let brand = self.ledger.found(CHARGES, &json!(charge));
        let visa = brand["payment_method_details"]["card"]["brand"] == "visa";
        let window = if visa && intent["_merchant_initiated"] == true {
            VISA_OFF_SESSION
        } else {
            ONLINE
        };
        let until = call.now.saturating_add(window).unwrap_or(call.now);
        let id = intent["id"].as_str().unwrap_or_default();
        self.schedule(id, "expires", window, call);
        self.ledger.change(CHARGES, charge, |charge| {
            charge["payment_method_details"]["card"]["capture_before"] = json!(until.as_second());
        })
    }

    pub(super) fn capture_intent(
        &mut self,
        id: &str,
        params: &Params,
        call: &Call,
    ) -> Result<Value, Refusal> {
        params.only("amount_to_capture metadata")?;
        let asked = params.integer("amount_to_capture")?;
        if asked.is_some_and(|amount| amount < 1) {
            return Err(Refusal::below_one("amount_to_capture"));
        }
        let intent = self.intent(id)?;
        let mut metadata = intent["metadata"].as_object().cloned().unwrap_or_default();
        params.merge_metadata(&mut metadata)?;
        match intent["status"].as_str().unwrap_or_default() {
            "requires_capture" => {}
            "succeeded" => {
                let message = "This PaymentIntent could not be captured because it has already been captured.";
                return Err(unexpected(message.to_owned(), &intent));
            }
            status => {
                let message = format!(
                    "This PaymentIntent could not be captured because it has a status of {status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture."
                );
                return Err(unexpected(message, &intent));
            }
        }
        let held = intent["amount_capturable"].as_i64().unwrap_or(0);
        let sum = asked.unwrap_or(held);
        if sum > held {
            let message = "The payment could not be captured because the requested capture amount is greater than the authorized amount. If you are trying to collect a tip or over-capture, your account might not be configured for those features. Contact us via https://support.stripe.com/contact/";
            return Err(Refusal::state("amount_too_large", message)
                .param("amount_to_capture")
                .with("payment_intent", super::shown(&intent)));
        }
        let charge = intent["latest_charge"].as_str().unwrap_or_default();
        let captured = self.ledger.change(CHARGES, charge, |charge| {
            charge["captured"] = json!(true);
            charge["amount_captured"] = json!(sum);
        });
        if sum < held {
            self.release(charge, held - sum, None, call);
        }
        let intent = self.ledger.change(TABLE, id, |intent| {
            intent["status"] = json!("succeeded");
            intent["amount_received"] = json!(sum);
            intent["amount_capturable"] = json!(0);
            intent["metadata"] = Value::Object(metadata);
        });
        let charge = self.ledger.found(CHARGES, &intent["latest_charge"]);
        self.emit("charge.captured", &charge, call);
        self.emit("payment_intent.succeeded", &intent, call);
        if self.behavior(&captured) == Behavior::Disputes {
            let charge = captured["id"].as_str().unwrap_or_default();
            self.open_dispute(charge, "needs_response", call);
        }
        Ok(intent)
    }

    /// Releases an amount that was held and not captured. Stripe counts it as refunded and writes a
    /// refund for it, although no money moves.
    pub(super) fn release(&mut self, charge: &str, sum: i64, reason: Option<&str>, call: &Call) {
        let charge = self.ledger.found(CHARGES, &json!(charge));
        self.put_refund(&charge, sum, reason, Map::new(), "succeeded", call);
    }

    /// The window is over: what is still held is released, and the intent is canceled.
    pub(super) fn expire_hold(&mut self, id: &str, call: &Call) {
        let Ok(intent) = self.intent(id) else { return };
        if intent["status"] != "requires_capture" {
            return;
        }
        let held = intent["amount_capturable"].as_i64().unwrap_or(0);
        let charge = intent["latest_charge"].as_str().unwrap_or_default();
        self.release(charge, held, Some("expired_uncaptured_charge"), call);
        let charge = self.ledger.found(CHARGES, &intent["latest_charge"]);
        self.emit("charge.expired", &charge, call);
        self.canceled(id, Some("automatic"), call);
    }
}
