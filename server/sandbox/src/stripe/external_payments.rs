//! Activity of others on the same account: other programs, other installations, people in Stripe's
//! dashboard.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::error_body::Refusal;
use super::params::Params;
use super::{Call, Stripe};

/// Payment by another program.
#[derive(Clone, Debug)]
pub struct ExternalPayment {
    /// Amount in the smallest unit.
    pub amount: i64,
    /// ISO code in lower case.
    pub currency: String,
    /// Test card.
    pub payment_method: String,
    /// Email of an existing customer, if it is a customer's payment.
    pub customer_email: Option<String>,
    /// Metadata written by that program: unrelated, or another installation's.
    pub metadata: Map<String, Value>,
}

impl Default for ExternalPayment {
    fn default() -> Self {
        Self {
            amount: 9900,
            currency: "usd".to_owned(),
            payment_method: "pm_card_visa".to_owned(),
            customer_email: None,
            metadata: Map::new(),
        }
    }
}

impl Stripe {
    /// Takes a payment as another program on the account would; returns its id.
    ///
    /// # Errors
    /// The invalid field, and Stripe's message.
    pub fn external_payment_at(
        &mut self,
        order: &ExternalPayment,
        now: Timestamp,
    ) -> Result<String, String> {
        let mut params = Map::new();
        params.insert("amount".to_owned(), json!(order.amount.to_string()));
        params.insert("currency".to_owned(), json!(order.currency));
        params.insert("payment_method".to_owned(), json!(order.payment_method));
        params.insert("allowed_payment_method_types".to_owned(), json!(["card"]));
        params.insert("confirm".to_owned(), json!("true"));
        params.insert("metadata".to_owned(), Value::Object(order.metadata.clone()));
        if let Some(email) = &order.customer_email {
            let found = self
                .ledger
                .all("customers")
                .find(|customer| customer["email"] == email.as_str());
            let id = found.map(|customer| customer["id"].clone());
            params.insert(
                "customer".to_owned(),
                id.ok_or_else(|| format!("customer_email: no customer {email}"))?,
            );
        }
        id(
            self.create_intent(&Params(params), &Call::by_itself(now, "")),
            "payment_method",
        )
    }

    /// Refunds a payment in the dashboard: this amount, or the whole remainder; returns the
    /// refund's id.
    ///
    /// # Errors
    /// The invalid field, and Stripe's message.
    pub fn external_refund_at(
        &mut self,
        payment_intent: &str,
        amount: Option<i64>,
        now: Timestamp,
    ) -> Result<String, String> {
        let mut params = Map::new();
        params.insert("payment_intent".to_owned(), json!(payment_intent));
        params.insert("reason".to_owned(), json!("requested_by_customer"));
        params.extend(amount.map(|amount| ("amount".to_owned(), json!(amount.to_string()))));
        id(
            self.create_refund(&Params(params), &Call::by_itself(now, "")),
            "payment_intent",
        )
    }
}

fn id(made: Result<Value, Refusal>, field: &str) -> Result<String, String> {
    match made {
        Ok(object) => Ok(object["id"].as_str().unwrap_or_default().to_owned()),
        Err(refusal) => {
            let text = |name: &str| refusal.error.get(name).and_then(Value::as_str);
            Err(format!(
                "{}: {}",
                text("param").unwrap_or(field),
                text("message").unwrap_or("refused")
            ))
        }
    }
}
