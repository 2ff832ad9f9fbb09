//! Payment methods: only Stripe's published test cards.

use serde_json::{Value, json};

use super::cards::{self, Behavior, Card};
use super::error_body::Refusal;
use super::params::Params;
use super::{Call, Stripe};

/// Stripe's message for a card that paid without being attached to a customer.
const SPENT: &str = "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.";

impl Stripe {
    /// Writes the card of a test token under a new id.
    pub(super) fn put_card(
        &mut self,
        id: &str,
        token: &str,
        customer: Option<&str>,
        created: i64,
    ) -> Value {
        let seq = self.ledger.next();
        let card = cards::card(token);
        let (brand, last4) = card.map_or(("visa", "4242"), |card| (card.brand, card.last4));
        let method = json!({
            "id": id, "object": "payment_method", "allow_redisplay": "unspecified",
            "billing_details": {"address": {"city": null, "country": null, "line1": null, "line2": null, "postal_code": null, "state": null},
                "email": null, "name": null, "phone": null, "tax_id": null},
            "card": {"brand": brand, "checks": {"address_line1_check": null, "address_postal_code_check": null, "cvc_check": "pass"},
                "country": "US", "display_brand": brand, "exp_month": 8, "exp_year": 2030,
                "fingerprint": format!("fp{last4}"), "funding": "credit", "generated_from": null, "last4": last4,
                "networks": {"available": [brand], "preferred": null}, "regulated_status": "unregulated", "three_d_secure_usage": {"supported": true}, "wallet": null},
            "created": created, "customer": customer, "customer_account": null, "livemode": false, "metadata": {}, "type": "card",
            "_token": token, "_seq": seq,
        });
        self.ledger.put("payment_methods", method.clone());
        method
    }

    /// Payment method by id, or a new one from a test token: as in Stripe, each use of a token
    /// creates one.
    pub(super) fn method(&mut self, id: &str, param: &str, call: &Call) -> Result<Value, Refusal> {
        if cards::card(id).is_some() {
            let fresh = self.ledger.id("pm_1", 23);
            return Ok(self.put_card(&fresh, id, None, call.now.as_second()));
        }
        let method = self
            .ledger
            .get("payment_methods", id)
            .cloned()
            .ok_or_else(|| Refusal::missing_reference("PaymentMethod", id, param))?;
        if method["_spent"] == true {
            return Err(Refusal::invalid(SPENT).param(param).begun());
        }
        Ok(method)
    }

    /// Test card behind a stored payment method.
    pub(super) fn card_of(method: &Value) -> Card {
        let token = method["_token"].as_str().unwrap_or("pm_card_visa");
        cards::card(token).unwrap_or(Card {
            behavior: Behavior::Pays,
            brand: "visa",
            last4: "4242",
        })
    }

    pub(super) fn customers_payment_method(
        &self,
        customer: &str,
        id: &str,
        params: &Params,
    ) -> Result<Value, Refusal> {
        let method = self.retrieve("payment_methods", "PaymentMethod", id, params)?;
        if method["customer"] == customer {
            Ok(method)
        } else {
            Err(Refusal::not_found("PaymentMethod", id))
        }
    }

    pub(super) fn list_payment_methods(
        &self,
        of: Option<&str>,
        params: &Params,
    ) -> Result<Value, Refusal> {
        let mut params = params.clone();
        let url = of.map(|id| format!("/v1/customers/{id}/payment_methods"));
        if let Some(id) = of {
            params.only("type limit starting_after ending_before")?;
            params.0.insert("customer".to_owned(), json!(id));
        }
        match (params.text("customer")?, of) {
            (Some(id), None) => self.need_customer(id)?,
            (Some(id), Some(_)) if self.ledger.get("customers", id).is_none() => {
                return Err(Refusal::not_found("customer", id));
            }
            (Some(_), Some(_)) => {}
            // Without a customer Stripe lists none of the attached payment methods.
            (None, _) => drop(params.0.insert("customer".to_owned(), json!("none"))),
        }
        let mut list = self.list("payment_methods", "type customer", &params)?;
        if let Some(url) = url {
            list["url"] = json!(url);
        }
        Ok(list)
    }

    /// Refuses a parameter that names no customer.
    pub(super) fn need_customer(&self, id: &str) -> Result<(), Refusal> {
        match self.ledger.get("customers", id) {
            Some(_) => Ok(()),
            None => Err(Refusal::missing_reference("customer", id, "customer")),
        }
    }

    pub(super) fn attach(
        &mut self,
        id: &str,
        params: &Params,
        call: &Call,
    ) -> Result<Value, Refusal> {
        params.only("customer")?;
        let customer = params
            .text("customer")?
            .ok_or_else(|| Refusal::needs("customer"))?
            .to_owned();
        self.need_customer(&customer)?;
        let stored = self.ledger.get("payment_methods", id);
        if cards::card(id).is_none() && stored.is_none() {
            return Err(Refusal::not_found("PaymentMethod", id));
        }
        let owner = stored.and_then(|method| method["customer"].as_str());
        if owner.is_some_and(|owner| owner != customer) {
            return Err(Refusal::invalid(
                "The payment method you provided has already been attached to a customer.",
            )
            .begun());
        }
        if stored.is_some_and(|method| method["_spent"] == true) {
            return Err(Refusal::invalid(SPENT).begun());
        }
        let method = self.check_attachable(id, "payment_method")?;
        Ok(self.attach_to(&method, &customer, call))
    }

    /// Takes a payment method from its customer, for ever.
    pub(super) fn detach(
        &mut self,
        id: &str,
        params: &Params,
        call: &Call,
    ) -> Result<Value, Refusal> {
        params.only("")?;
        let stored = self.ledger.get("payment_methods", id);
        let Some(stored) = stored else {
            return Err(Refusal::not_found("PaymentMethod", id));
        };
        let owner = stored["customer"].as_str().map(str::to_owned);
        if owner.is_none() {
            return Err(Refusal::invalid(
                "The payment method you provided is not attached to a customer so detachment is impossible.",
            )
            .begun());
        }
        let detached = self.ledger.change("payment_methods", id, |method| {
            method["customer"] = Value::Null;
            method["_spent"] = json!(true);
        });
        if let Some(customer) = owner {
            self.ledger.change("customers", &customer, |customer| {
                let default = &mut customer["invoice_settings"]["default_payment_method"];
                if *default == id {
                    *default = Value::Null;
                }
            });
        }
        self.emit("payment_method.detached", &detached, call);
        Ok(detached)
    }

    /// The id of a payment method that can be attached. A card that declines is refused here already.
    pub(super) fn check_attachable(&self, id: &str, param: &str) -> Result<String, Refusal> {
        let card = match self.ledger.get("payment_methods", id) {
            Some(stored) => Self::card_of(stored),
            None => cards::card(id)
                .ok_or_else(|| Refusal::missing_reference("PaymentMethod", id, param))?,
        };
        match card.behavior {
            Behavior::Declines(code, decline) => Err(Refusal::card(
                code,
                Some(decline),
                cards::decline_message(code, decline),
            )),
            _ => Ok(id.to_owned()),
        }
    }

    /// Attaches a payment method (or a new one from a test token) to a customer.
    pub(super) fn attach_to(&mut self, id: &str, customer: &str, call: &Call) -> Value {
        let method = if self.ledger.get("payment_methods", id).is_some() {
            self.ledger.change("payment_methods", id, |method| {
                method["customer"] = json!(customer)
            })
        } else {
            let fresh = self.ledger.id("pm_1", 23);
            self.put_card(&fresh, id, Some(customer), call.now.as_second())
        };
        self.emit("payment_method.attached", &method, call);
        method
    }
}
