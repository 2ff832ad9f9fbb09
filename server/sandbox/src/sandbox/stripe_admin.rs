//! Stripe commands of the admin API, except faults.

use serde_json::{Map, Value, json};

use super::Sandbox;
use super::admin::{InvalidInput, missing_field, named, number, only, text};
use crate::System;
use crate::stripe::{AccountSettings, ExternalPayment, KeySettings};

impl Sandbox {
    /// Executes one order about Stripe's objects or keys.
    pub(super) fn stripe_command(
        &self,
        path: &str,
        input: &Map<String, Value>,
    ) -> Result<Value, InvalidInput> {
        match path {
            "/admin/refund" => {
                only(input, &["id", "status"])?;
                let id = text(input, "id")?.ok_or_else(|| missing_field("id"))?;
                let status = text(input, "status")?.unwrap_or("failed");
                self.turn_refund(id, status)
                    .map_err(|words| named(&words, &["id", "status"]))?;
                Ok(json!({"id": id, "status": status}))
            }
            "/admin/dispute" => {
                only(input, &["id", "status"])?;
                let id = text(input, "id")?.ok_or_else(|| missing_field("id"))?;
                let done = match text(input, "status")? {
                    None => self.dispute(id),
                    Some("warning_needs_response") => self.inquire(id),
                    Some(status) => self.close_dispute(id, status),
                };
                done.map_err(|words| named(&words, &["id", "status"]))?;
                Ok(json!({"id": id}))
            }
            "/admin/stripe/payment" => {
                only(
                    input,
                    &[
                        "amount",
                        "currency",
                        "payment_method",
                        "customer_email",
                        "metadata",
                    ],
                )?;
                let order = payment(input)?;
                let fields = [
                    "payment_method",
                    "amount",
                    "currency",
                    "customer_email",
                    "metadata",
                ];
                let id = self
                    .pay_elsewhere(&order)
                    .map_err(|words| named(&words, &fields))?;
                Ok(json!({"id": id}))
            }
            "/admin/stripe/refund" => {
                only(input, &["payment_intent", "amount"])?;
                let payment = text(input, "payment_intent")?
                    .ok_or_else(|| missing_field("payment_intent"))?;
                let id = self
                    .refund_elsewhere(payment, cents(input)?)
                    .map_err(|words| named(&words, &["payment_intent", "amount"]))?;
                Ok(json!({"id": id}))
            }
            "/admin/stripe/key" => {
                only(input, &["key", "account", "revoked", "lacks"])?;
                let key = text(input, "key")?.ok_or_else(|| missing_field("key"))?;
                let settings = settings(input)?;
                self.set_stripe_key(key, &settings);
                Ok(json!({"key": key}))
            }
            "/admin/stripe/payout" => {
                only(input, &["amount", "failure_code"])?;
                let amount = cents(input)?.ok_or_else(|| missing_field("amount"))?;
                let failure = text(input, "failure_code")?.unwrap_or("account_closed");
                Ok(json!({"id": self.fail_payout(amount, failure)}))
            }
            "/admin/stripe/account" => {
                only(input, &["charges_enabled", "payouts_enabled", "past_due"])?;
                let settings = AccountSettings {
                    takes_payments: flag(input, "charges_enabled")?.unwrap_or(true),
                    pays_out: flag(input, "payouts_enabled")?.unwrap_or(true),
                    past_due: texts(input, "past_due")?.unwrap_or_default(),
                };
                self.restrict_account(&settings);
                Ok(json!({}))
            }
            "/admin/stripe/fraud_warning" => {
                only(input, &["payment_intent"])?;
                let payment = text(input, "payment_intent")?
                    .ok_or_else(|| missing_field("payment_intent"))?;
                let id = self
                    .warn_of_fraud(payment)
                    .map_err(|words| named(&words, &["payment_intent"]))?;
                Ok(json!({"id": id}))
            }
            _ => {
                only(input, &["fields"])?;
                let fields = texts(input, "fields")?.ok_or_else(|| missing_field("fields"))?;
                if let Some(wrong) = fields.iter().find(|field| !field.contains('.')) {
                    return Err(InvalidInput(
                        "fields",
                        format!("{wrong} is not object.field"),
                    ));
                }
                self.omit_from_stripe(&fields);
                Ok(json!({"fields": fields}))
            }
        }
    }
}

fn payment(input: &Map<String, Value>) -> Result<ExternalPayment, InvalidInput> {
    let usual = ExternalPayment::default();
    let metadata = match input.get("metadata") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(metadata)) => metadata.clone(),
        Some(_) => {
            return Err(InvalidInput(
                "metadata",
                "must be an object of texts".to_owned(),
            ));
        }
    };
    Ok(ExternalPayment {
        amount: cents(input)?.ok_or_else(|| missing_field("amount"))?,
        currency: text(input, "currency")?.map_or(usual.currency, str::to_owned),
        payment_method: text(input, "payment_method")?.map_or(usual.payment_method, str::to_owned),
        customer_email: text(input, "customer_email")?.map(str::to_owned),
        metadata,
    })
}

fn settings(input: &Map<String, Value>) -> Result<KeySettings, InvalidInput> {
    let lacks = texts(input, "lacks")?.unwrap_or_default();
    let known = System::Stripe.operations();
    if let Some(wrong) = lacks
        .iter()
        .find(|lacked| !known.contains(&lacked.as_str()))
    {
        return Err(InvalidInput(
            "lacks",
            format!("{wrong} is none of {}", known.join(", ")),
        ));
    }
    let account = text(input, "account")?.map(str::to_owned);
    if account
        .as_ref()
        .is_some_and(|account| !account.starts_with("acct_") || account.contains('/'))
    {
        return Err(InvalidInput("account", "must begin with acct_".to_owned()));
    }
    let revoked = flag(input, "revoked")?.unwrap_or(false);
    Ok(KeySettings {
        account,
        revoked,
        lacks,
    })
}

fn flag(input: &Map<String, Value>, field: &'static str) -> Result<Option<bool>, InvalidInput> {
    match input.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(*flag)),
        Some(_) => Err(InvalidInput(field, "must be true or false".to_owned())),
    }
}

fn cents(input: &Map<String, Value>) -> Result<Option<i64>, InvalidInput> {
    let amount = number(input, "amount")?;
    amount
        .map(|amount| {
            i64::try_from(amount).map_err(|_| InvalidInput("amount", "is too large".to_owned()))
        })
        .transpose()
}

fn texts(
    input: &Map<String, Value>,
    field: &'static str,
) -> Result<Option<Vec<String>>, InvalidInput> {
    let wrong = || InvalidInput(field, "must be a list of texts".to_owned());
    match input.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong))
            .collect::<Result<_, _>>()
            .map(Some),
        Some(_) => Err(wrong()),
    }
}
