//! Confirmation of an intent: the payment succeeds, is declined, or requires authentication.

use serde_json::{Value, json};

use super::cards::{self, Behavior};
use super::error_body::Refusal;
use super::params::Params;
use super::{Call, Stripe, shown};

const TABLE: &str = "payment_intents";

impl Stripe {
    /// Charges the intent's payment method.
    pub(super) fn pay(&mut self, id: &str, params: &Params, call: &Call) -> Result<Value, Refusal> {
        let intent = self.intent(id)?;
        let method = self
            .ledger
            .found("payment_methods", &intent["payment_method"]);
        let off_session = params.flag("off_session")? == Some(true);
        if intent["capture_method"] == "manual" {
            self.ledger.change(TABLE, id, |intent| {
                intent["_merchant_initiated"] = json!(off_session);
            });
        }
        let must_not_ask = params.flag("error_on_requires_action")? == Some(true);
        let asks = match Self::card_of(&method).behavior {
            Behavior::Declines(code, decline) => {
                return Err(self.decline(id, &method, code, decline, call));
            }
            Behavior::DeclinesOnceAttached => {
                return Err(self.decline(id, &method, "card_declined", "generic_decline", call));
            }
            Behavior::Authenticates => true,
            // Once authenticated during setup, it can be charged without authentication.
            Behavior::AuthenticatesOnSetup => method["customer"].is_null(),
            Behavior::Processing(comes) => return self.stay_processing(id, comes, call),
            Behavior::Pays
            | Behavior::PendingRefund
            | Behavior::RefundFails
            | Behavior::Disputes => false,
        };
        if !asks {
            return self.paid(id, call);
        }
        if off_session || must_not_ask {
            return Err(self.decline(
                id,
                &method,
                "authentication_required",
                "authentication_required",
                call,
            ));
        }
        let action = match params.text("return_url")? {
            Some(back) => {
                json!({"type": "redirect_to_url", "redirect_to_url": {"return_url": back, "url": format!("{}/3ds/{id}", call.base)}})
            }
            None => {
                json!({"type": "use_stripe_sdk", "use_stripe_sdk": {"type": "three_d_secure_redirect", "stripe_js": format!("{}/3ds/{id}", call.base)}})
            }
        };
        let waiting = self.ledger.change(TABLE, id, |intent| {
            intent["status"] = json!("requires_action");
            intent["next_action"] = action;
            intent["last_payment_error"] = Value::Null;
        });
        self.emit("payment_intent.requires_action", &waiting, call);
        Ok(waiting)
    }

    /// Completes the payment.
    pub(super) fn paid(&mut self, id: &str, call: &Call) -> Result<Value, Refusal> {
        let mut charge = self.put_charge(id, None, call)?;
        let charge_id = charge["id"].clone();
        let manual = self.intent(id)?["capture_method"] == "manual";
        let (status, sum, kind) = if manual {
            let kind = "payment_intent.amount_capturable_updated";
            ("requires_capture", "amount_capturable", kind)
        } else {
            ("succeeded", "amount_received", "payment_intent.succeeded")
        };
        let intent = self.ledger.change(TABLE, id, |intent| {
            intent["status"] = json!(status);
            intent[sum] = intent["amount"].clone();
            intent["latest_charge"] = charge_id;
            intent["next_action"] = Value::Null;
            intent["last_payment_error"] = Value::Null;
        });
        if manual {
            charge = self.start_hold(&intent, call);
        }
        self.after_use(&intent, call);
        self.emit("charge.succeeded", &charge, call);
        self.emit(kind, &intent, call);
        if !manual && self.behavior(&charge) == Behavior::Disputes {
            let charge = charge["id"].as_str().unwrap_or_default();
            self.open_dispute(charge, "needs_response", call);
        }
        Ok(intent)
    }

    /// A card that paid is attached to its customer if requested, and becomes unusable without a
    /// customer.
    fn after_use(&mut self, intent: &Value, call: &Call) {
        let Some(method) = intent["payment_method"].as_str() else {
            return;
        };
        let loose = self
            .ledger
            .get("payment_methods", method)
            .is_some_and(|found| found["customer"].is_null());
        match intent["customer"].as_str() {
            Some(customer) if loose && !intent["setup_future_usage"].is_null() => {
                self.attach_to(method, customer, call);
            }
            _ if loose => drop(self.ledger.change("payment_methods", method, |method| {
                method["_spent"] = json!(true)
            })),
            _ => {}
        }
    }

    /// Declines the payment: the intent stays open and requires another payment method.
    pub(super) fn decline(
        &mut self,
        id: &str,
        method: &Value,
        code: &str,
        decline: &str,
        call: &Call,
    ) -> Refusal {
        let message = cards::decline_message(code, decline);
        let charge = match self.put_charge(id, Some((code, message)), call) {
            Ok(charge) => charge,
            Err(refusal) => return refusal,
        };
        let refusal = Refusal::card(code, Some(decline), message)
            .with("charge", charge["id"].clone())
            .with("payment_method", shown(method));
        self.failed(id, charge["id"].clone(), &refusal, call);
        self.emit("charge.failed", &charge, call);
        let intent = shown(&self.ledger.found(TABLE, &json!(id)));
        let log = format!("https://dashboard.stripe.com/test/logs/{}", call.request_id);
        refusal
            .with("payment_intent", intent)
            .with("request_log_url", json!(log))
    }

    /// Authentication failed on the bank's page.
    pub(super) fn unauthenticated(&mut self, id: &str, call: &Call) {
        let message = "We are unable to authenticate your payment method. Please choose a different payment method and try again.";
        let refusal = Refusal::invalid(message).code("payment_intent_authentication_failure");
        let intent = self.ledger.found(TABLE, &json!(id));
        let method = &intent["payment_method"];
        let method = shown(&self.ledger.found("payment_methods", method));
        let refusal = refusal.with("payment_method", method);
        self.failed(id, Value::Null, &refusal, call);
    }

    fn failed(&mut self, id: &str, charge: Value, refusal: &Refusal, call: &Call) {
        let error = Value::Object(refusal.error.clone());
        let intent = self.ledger.change(TABLE, id, |intent| {
            intent["status"] = json!("requires_payment_method");
            intent["payment_method"] = Value::Null;
            intent["next_action"] = Value::Null;
            intent["last_payment_error"] = error;
            if !charge.is_null() {
                intent["latest_charge"] = charge;
            }
        });
        self.emit("payment_intent.payment_failed", &intent, call);
    }
}
