//! Validates parameters for creating or confirming an intent.

use super::error_body::Refusal;
use super::params::Params;

const CREATE: &str = "amount currency customer payment_method confirm metadata description automatic_payment_methods allowed_payment_method_types return_url off_session error_on_requires_action capture_method setup_future_usage receipt_email statement_descriptor statement_descriptor_suffix confirmation_method use_stripe_sdk";
const CONFIRM: &str = "payment_method return_url off_session error_on_requires_action receipt_email setup_future_usage capture_method allowed_payment_method_types use_stripe_sdk";
const CURRENCIES: [&str; 20] = [
    "usd", "eur", "gbp", "aud", "cad", "chf", "cny", "czk", "dkk", "hkd", "inr", "mxn", "nok",
    "nzd", "pln", "sek", "sgd", "thb", "zar", "brl",
];

/// Prefix of every statement descriptor, set in the account.
pub const STATEMENT_PREFIX: &str = "DEWY";

/// Valid parameters of a creation.
#[derive(Debug)]
pub struct IntentParams {
    /// Amount in the minor unit.
    pub amount: i64,
    /// Three letters, lower case.
    pub currency: String,
    /// Whether to confirm in the same call.
    pub confirm: bool,
    /// `automatic_payment_methods[enabled]`, given or by default.
    pub automatic: bool,
    /// Whether redirect methods are allowed.
    pub redirects: bool,
    /// Whether the payment is only authorized.
    pub manual_capture: bool,
}

/// Validates the parameters of a creation.
///
/// # Errors
/// Stripe's message; none of these is stored with the key.
pub fn parse_create(params: &Params) -> Result<IntentParams, Refusal> {
    params.only(CREATE)?;
    params.only_in("automatic_payment_methods", "enabled allow_redirects")?;
    let amount = params
        .integer("amount")?
        .ok_or_else(|| Refusal::needs("amount"))?;
    let currency = params
        .text("currency")?
        .ok_or_else(|| Refusal::needs("currency"))?
        .to_lowercase();
    if !CURRENCIES.contains(&currency.as_str()) {
        let message = format!(
            "Invalid currency: {currency}. Stripe currently supports these currencies: {}",
            CURRENCIES.join(", ")
        );
        return Err(Refusal::invalid(message).param("currency"));
    }
    if amount < 1 {
        return Err(Refusal::below_one("amount"));
    }
    if amount < 50 {
        let message = "Amount must be at least $0.50 usd";
        return Err(Refusal::invalid(message)
            .code("amount_too_small")
            .param("amount"));
    }
    if amount > 99_999_999 {
        return Err(Refusal::invalid("Amount must be no more than $999,999.99")
            .code("amount_too_large")
            .param("amount"));
    }
    let confirm = params.flag("confirm")?.unwrap_or(false);
    for only_confirmed in ["return_url", "off_session", "error_on_requires_action"] {
        if !confirm && params.0.contains_key(only_confirmed) {
            let message = format!(
                "You can only set `{only_confirmed}` when `confirm=true` on this PaymentIntent."
            );
            return Err(Refusal::invalid(message).param(only_confirmed));
        }
    }
    params.flag("off_session")?;
    params.flag("error_on_requires_action")?;
    params.choice("setup_future_usage", &["on_session", "off_session"])?;
    let capture = params.choice(
        "capture_method",
        &["automatic", "automatic_async", "manual"],
    )?;
    let given = params.inner("automatic_payment_methods", "enabled");
    let types = params.0.get("allowed_payment_method_types");
    if types.is_some() && params.0.contains_key("automatic_payment_methods") {
        let message = "You may only specify one of these parameters: allowed_payment_method_types, automatic_payment_methods.";
        return Err(Refusal::invalid(message).param("automatic_payment_methods"));
    }
    // Stripe leaves out what does not fit; nothing is left here without cards.
    if let Some(types) = types
        && !types
            .as_array()
            .is_some_and(|list| list.iter().any(|kind| kind == "card"))
    {
        return Err(Refusal::invalid(
            "No valid payment method types for this PaymentIntent: only card is activated.",
        )
        .param("allowed_payment_method_types"));
    }
    check_descriptors(params)?;
    let redirects = match params.inner("automatic_payment_methods", "allow_redirects") {
        None | Some("always") => true,
        Some("never") => false,
        Some(_) => {
            return Err(Refusal::invalid(
                "Invalid automatic_payment_methods[allow_redirects]: must be one of always or never",
            )
            .param("automatic_payment_methods[allow_redirects]"));
        }
    };
    let automatic = types.is_none() && given != Some("false");
    if confirm {
        if params.text("payment_method")?.is_none() {
            return Err(no_method());
        }
        if automatic && redirects && params.text("return_url")?.is_none() {
            return Err(no_return_url());
        }
    }
    Ok(IntentParams {
        amount,
        currency,
        confirm,
        automatic,
        redirects,
        manual_capture: capture == Some("manual"),
    })
}

/// Rules for what appears on the cardholder's statement, and for the receipt's recipient.
fn check_descriptors(params: &Params) -> Result<(), Refusal> {
    if params.text("statement_descriptor")?.is_some() {
        let message = "Setting `statement_descriptor` for a card charge is not supported. Use `statement_descriptor_suffix` instead.";
        return Err(Refusal::invalid(message).param("statement_descriptor"));
    }
    if let Some(suffix) = params.text("statement_descriptor_suffix")? {
        let refused =
            |message: &str| Err(Refusal::invalid(message).param("statement_descriptor_suffix"));
        if suffix.contains(['<', '>', '\\', '\'', '"', '*']) || !suffix.is_ascii() {
            return refused(
                "The statement descriptor must contain only Latin characters, and none of <, >, \\, ', \", *.",
            );
        }
        if !suffix.contains(|c: char| c.is_ascii_alphabetic()) {
            return refused(
                "The statement descriptor must contain at least one alphabetic character.",
            );
        }
        if STATEMENT_PREFIX.len() + "* ".len() + suffix.len() > 22 {
            return refused("The statement descriptor must be at most 22 characters.");
        }
    }
    match params.text("receipt_email")? {
        Some(email) if !email.contains('@') => Err(Refusal::email(email, "receipt_email")),
        _ => Ok(()),
    }
}

/// Validates the parameters of a later confirmation.
///
/// # Errors
/// Unknown or misspelled ones.
pub fn check_confirm(params: &Params) -> Result<(), Refusal> {
    params.only(CONFIRM)?;
    params.flag("off_session")?;
    params.flag("error_on_requires_action")?;
    Ok(())
}

/// No payment method.
pub fn no_method() -> Refusal {
    Refusal::invalid("You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.")
        .code("payment_intent_unexpected_state")
}

/// Automatic methods may redirect, so a return URL is required.
pub fn no_return_url() -> Refusal {
    Refusal::invalid(
        "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
    )
}
