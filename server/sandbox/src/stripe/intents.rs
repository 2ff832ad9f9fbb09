//! PaymentIntents: create, confirm, cancel, list.

use serde_json::{Map, Value, json};

use super::error_body::Refusal;
use super::intent_params::{self, IntentParams};
use super::params::Params;
use super::{Call, Stripe, shown};

const TABLE: &str = "payment_intents";
/// Further members of an intent, unused here.
const UNUSED: &str = "application application_fee_amount customer_account excluded_payment_method_types managed_payments on_behalf_of payment_method_configuration_details payment_record processing review shipping source transfer_data transfer_group";

impl Stripe {
    pub(super) fn create_intent(&mut self, params: &Params, call: &Call) -> Result<Value, Refusal> {
        let wanted = intent_params::parse_create(params)?;
        if wanted.confirm && self.retrieve_account()["charges_enabled"] == false {
            return Err(Refusal::invalid(
                "Your account cannot currently make charges.",
            ));
        }
        let mut metadata = Map::new();
        params.merge_metadata(&mut metadata)?;
        let customer = params.text("customer")?;
        if let Some(id) = customer {
            self.need_customer(id)?;
        }
        let method = match params.text("payment_method")? {
            None => Value::Null,
            Some(id) => {
                let method = self.method(id, "payment_method", call)?;
                owned(&method, customer)?;
                method["id"].clone()
            }
        };
        let id = self.ledger.id("pi_3", 23);
        let mut intent = self.blank_intent(&id, &wanted, call);
        intent["metadata"] = Value::Object(metadata);
        intent["customer"] = json!(customer);
        intent["payment_method"] = method;
        intent["allowed_payment_method_types"] =
            json!(params.0.get("allowed_payment_method_types"));
        for field in [
            "description",
            "receipt_email",
            "setup_future_usage",
            "statement_descriptor",
            "statement_descriptor_suffix",
        ] {
            intent[field] = json!(params.text(field)?);
        }
        let status = if intent["payment_method"].is_null() {
            "requires_payment_method"
        } else {
            "requires_confirmation"
        };
        intent["status"] = json!(status);
        self.ledger.put(TABLE, intent.clone());
        self.emit("payment_intent.created", &intent, call);
        if wanted.confirm {
            self.pay(&id, params, call)
        } else {
            Ok(intent)
        }
    }

    fn blank_intent(&mut self, id: &str, wanted: &IntentParams, call: &Call) -> Value {
        let secret = self.ledger.id(&format!("{id}_secret_"), 25);
        let seq = self.ledger.next();
        let automatic = if wanted.automatic {
            json!({"allow_redirects": if wanted.redirects { "always" } else { "never" }, "enabled": true})
        } else {
            Value::Null
        };
        let mut intent = json!({
            "id": id, "object": "payment_intent", "amount": wanted.amount, "amount_capturable": 0,
            "amount_details": {"tip": {}}, "amount_received": 0, "automatic_payment_methods": automatic,
            "canceled_at": null, "cancellation_reason": null,
            "capture_method": if wanted.manual_capture { "manual" } else { "automatic_async" }, "client_secret": secret,
            "confirmation_method": "automatic", "created": call.now.as_second(), "currency": wanted.currency,
            "customer": null, "description": null, "last_payment_error": null, "latest_charge": null,
            "livemode": false, "metadata": {}, "next_action": null, "payment_method": null,
            "payment_method_options": {"card": {"installments": null, "mandate_options": null, "network": null,
                "request_three_d_secure": "automatic"}},
            "payment_method_types": ["card"], "receipt_email": null, "setup_future_usage": null,
            "statement_descriptor": null, "statement_descriptor_suffix": null, "status": "requires_payment_method",
            "_seq": seq,
        });
        for name in UNUSED.split(' ') {
            intent[name] = Value::Null;
        }
        intent
    }

    pub(super) fn retrieve_intent(&self, id: &str, params: &Params) -> Result<Value, Refusal> {
        params.only("client_secret")?;
        self.intent(id)
    }

    /// Intent, or Stripe's 404.
    pub(super) fn intent(&self, id: &str) -> Result<Value, Refusal> {
        self.ledger.get(TABLE, id).cloned().ok_or_else(|| {
            let mut refusal = Refusal::not_found("payment_intent", id);
            refusal.error.insert("param".to_owned(), json!("intent"));
            refusal
        })
    }

    pub(super) fn confirm_intent(
        &mut self,
        id: &str,
        params: &Params,
        call: &Call,
    ) -> Result<Value, Refusal> {
        intent_params::check_confirm(params)?;
        let intent = self.intent(id)?;
        let status = intent["status"].as_str().unwrap_or_default();
        if !matches!(
            status,
            "requires_payment_method" | "requires_confirmation" | "requires_action"
        ) {
            let message = format!(
                "This PaymentIntent's status is {status}, but must be one of requires_payment_method, requires_confirmation, or requires_action to be confirmed."
            );
            return Err(unexpected(message, &intent));
        }
        match params.text("payment_method")? {
            Some(given) => {
                let method = self.method(given, "payment_method", call)?;
                owned(&method, intent["customer"].as_str())?;
                self.ledger.change(TABLE, id, |intent| {
                    intent["payment_method"] = method["id"].clone()
                });
            }
            None if intent["payment_method"].is_null() => {
                return Err(intent_params::no_method()
                    .with("payment_intent", shown(&intent))
                    .begun());
            }
            None => {}
        }
        let automatic = &intent["automatic_payment_methods"];
        if !automatic.is_null()
            && automatic["allow_redirects"] == "always"
            && params.text("return_url")?.is_none()
        {
            return Err(intent_params::no_return_url());
        }
        self.pay(id, params, call)
    }

    pub(super) fn cancel_intent(
        &mut self,
        id: &str,
        params: &Params,
        call: &Call,
    ) -> Result<Value, Refusal> {
        params.only("cancellation_reason")?;
        let reason = params
            .choice(
                "cancellation_reason",
                &[
                    "duplicate",
                    "fraudulent",
                    "requested_by_customer",
                    "abandoned",
                ],
            )?
            .map(str::to_owned);
        let intent = self.intent(id)?;
        let status = intent["status"].as_str().unwrap_or_default();
        // Stripe cancels a payment in processing only "in rare cases".
        if matches!(status, "succeeded" | "canceled" | "processing") {
            let message = format!(
                "You cannot cancel this PaymentIntent because it has a status of {status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing."
            );
            return Err(unexpected(message, &intent));
        }
        if let (true, Some(charge)) = (
            status == "requires_capture",
            intent["latest_charge"].as_str(),
        ) {
            let amount = intent["amount"].as_i64().unwrap_or(0);
            self.release(charge, amount, None, call);
        }
        Ok(self.canceled(id, reason.as_deref(), call))
    }

    /// Ends an intent.
    pub(super) fn canceled(&mut self, id: &str, reason: Option<&str>, call: &Call) -> Value {
        let canceled = self.ledger.change(TABLE, id, |intent| {
            intent["status"] = json!("canceled");
            intent["canceled_at"] = json!(call.now.as_second());
            intent["cancellation_reason"] = json!(reason);
            intent["next_action"] = Value::Null;
            intent["amount_capturable"] = json!(0);
        });
        self.emit("payment_intent.canceled", &canceled, call);
        canceled
    }
}

/// Wrong state: the error includes the intent, so that the caller sees its state.
pub(super) fn unexpected(message: String, intent: &Value) -> Refusal {
    Refusal::state("payment_intent_unexpected_state", message).with("payment_intent", shown(intent))
}

/// A customer's card can only pay for that customer.
fn owned(method: &Value, customer: Option<&str>) -> Result<(), Refusal> {
    let id = method["id"].as_str().unwrap_or_default();
    match (method["customer"].as_str(), customer) {
        (Some(owner), Some(given)) if owner != given => Err(Refusal::invalid(format!(
            "The customer does not have a payment method with the ID {id}. The payment method must be attached to the customer."
        ))
        .param("payment_method")
        .begun()),
        (Some(owner), None) => Err(Refusal::invalid(format!(
            "The payment method supplied ({id}) belongs to the Customer {owner}. Please include the Customer in the `customer` parameter on the PaymentIntent."
        ))
        .param("payment_method")
        .begun()),
        _ => Ok(()),
    }
}
