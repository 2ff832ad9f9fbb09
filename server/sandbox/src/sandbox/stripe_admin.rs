//! Stripe commands of the admin API, except faults.

use serde_json::{Map, Value, json};

use super::Sandbox;
use super::admin::{Input, InvalidInput};
use crate::System;
use crate::stripe::{AccountSettings, ExternalPayment, KeySettings};

impl Sandbox {
    /// Executes one order about Stripe's objects or keys.
    pub(super) fn stripe_command(
        &self,
        path: &str,
        input: &Map<String, Value>,
    ) -> Result<Value, InvalidInput> {
        let with = |known| Input::new(input, known);
        match path {
            "/admin/refund" => {
                let input = with("id status")?;
                let id = input.required("id")?;
                let status = input.optional("status")?.unwrap_or("failed");
                self.turn_refund(id, status)
                    .map_err(|words| input.named(&words))?;
                Ok(json!({"id": id, "status": status}))
            }
            "/admin/dispute" => {
                let input = with("id status")?;
                let id = input.required("id")?;
                let done = match input.optional("status")? {
                    None => self.dispute(id),
                    Some("warning_needs_response") => self.inquire(id),
                    Some(status) => self.close_dispute(id, status),
                };
                done.map_err(|words| input.named(&words))?;
                Ok(json!({"id": id}))
            }
            "/admin/stripe/payment" => {
                let input = with("payment_method amount currency customer_email metadata")?;
                let usual = ExternalPayment::default();
                let order = ExternalPayment {
                    amount: input.required::<u32>("amount")?.into(),
                    currency: input.optional("currency")?.unwrap_or(usual.currency),
                    payment_method: input
                        .optional("payment_method")?
                        .unwrap_or(usual.payment_method),
                    customer_email: input.optional("customer_email")?,
                    metadata: input.optional("metadata")?.unwrap_or_default(),
                };
                let id = self
                    .pay_elsewhere(&order)
                    .map_err(|words| input.named(&words))?;
                Ok(json!({"id": id}))
            }
            "/admin/stripe/refund" => {
                let input = with("payment_intent amount")?;
                let amount = input.optional::<u32>("amount")?.map(i64::from);
                let id = self
                    .refund_elsewhere(input.required("payment_intent")?, amount)
                    .map_err(|words| input.named(&words))?;
                Ok(json!({"id": id}))
            }
            "/admin/stripe/key" => {
                let input = with("key account revoked lacks")?;
                let key = input.required("key")?;
                self.set_stripe_key(key, &settings(&input)?);
                Ok(json!({"key": key}))
            }
            "/admin/stripe/payout" => {
                let input = with("amount failure_code")?;
                let amount: u32 = input.required("amount")?;
                let failure = input.optional("failure_code")?.unwrap_or("account_closed");
                Ok(json!({"id": self.fail_payout(amount.into(), failure)}))
            }
            "/admin/stripe/account" => {
                let input = with("charges_enabled payouts_enabled past_due")?;
                self.restrict_account(&AccountSettings {
                    takes_payments: input.optional("charges_enabled")?.unwrap_or(true),
                    pays_out: input.optional("payouts_enabled")?.unwrap_or(true),
                    past_due: input.optional("past_due")?.unwrap_or_default(),
                });
                Ok(json!({}))
            }
            "/admin/stripe/fraud_warning" => {
                let input = with("payment_intent")?;
                let id = self
                    .warn_of_fraud(input.required("payment_intent")?)
                    .map_err(|words| input.named(&words))?;
                Ok(json!({"id": id}))
            }
            _ => {
                let fields: Vec<String> = with("fields")?.required("fields")?;
                if let Some(wrong) = fields.iter().find(|field| !field.contains('.')) {
                    let message = format!("{wrong} is not object.field");
                    return Err(InvalidInput("fields", message));
                }
                self.omit_from_stripe(&fields);
                Ok(json!({"fields": fields}))
            }
        }
    }
}

fn settings(input: &Input<'_>) -> Result<KeySettings, InvalidInput> {
    let settings = KeySettings {
        account: input.optional("account")?,
        revoked: input.optional("revoked")?.unwrap_or(false),
        lacks: input.optional("lacks")?.unwrap_or_default(),
    };
    let known = System::Stripe.operations();
    if let Some(wrong) = settings
        .lacks
        .iter()
        .find(|lacked| !known.contains(&lacked.as_str()))
    {
        let message = format!("{wrong} is none of {}", known.join(", "));
        return Err(InvalidInput("lacks", message));
    }
    match &settings.account {
        Some(account) if !account.starts_with("acct_") || account.contains('/') => {
            Err(InvalidInput("account", "must begin with acct_".to_owned()))
        }
        _ => Ok(settings),
    }
}
