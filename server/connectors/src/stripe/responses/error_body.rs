//! Stripe's errors and their meaning.

use dewy_domain::{
    access_refusal::{KEY_REFUSED, PERMISSION_MISSING},
    payment::Payment,
    ports::HttpResponse,
    upstream_request::{Fault, Outcome},
};
use serde_json::{Value, json};

use super::objects::PaymentRow;
use crate::{
    exchange_result::{Response, malformed_response, retry_after_ms, successful_body},
    redacted_message::redacted_message,
};

/// Body of a successful response, or the classified error.
pub(super) fn body(response: &Response) -> Outcome<&[u8]> {
    successful_body(response, failure)
}

fn failure<T>(response: &HttpResponse) -> Outcome<T> {
    let error = error(response);
    let said = |code: &str| stripe_error(response, error.as_ref(), code);
    let code = error.as_ref().and_then(code);
    match (response.status, code.as_deref()) {
        (429, code) => Outcome::TryLater(said(code.unwrap_or("rate_limit"))),
        (400..500, Some(code @ "lock_timeout")) => Outcome::TryLater(said(code)),
        // A rejected key says nothing about an earlier attempt with a valid one; the operator has
        // to fix it.
        (401, _) if error.is_some() => Outcome::TryLater(said(KEY_REFUSED)),
        // A key of the other mode, or of an account that may not take payments yet
        (400..500, Some("livemode_mismatch" | "testmode_charges_only" | "account_closed")) => {
            Outcome::TryLater(said(KEY_REFUSED))
        }
        (403, _) if error.is_some() => Outcome::TryLater(said(PERMISSION_MISSING)),
        // The first attempt with this idempotency key is still in progress; the same key will
        // return its result.
        (409, code) => Outcome::Unknown(said(code.unwrap_or("conflict"))),
        // Stripe keeps the first result of a key; a retry can only return this one.
        (500.., _) if response.header("idempotent-replayed") == Some("true") => {
            Outcome::Unknown(said("sticky_500"))
        }
        (status @ 500.., _) => Outcome::Unknown(said(&format!("http_{status}"))),
        (400..500, Some(code)) => Outcome::Refused(said(code)),
        (status, _) => {
            malformed_response(format_args!("status {status} without Stripe's own error"))
        }
    }
}

pub(super) fn payment_inside(response: &HttpResponse) -> Option<Payment> {
    let inside = error(response)?.get_mut("payment_intent")?.take();
    serde_json::from_value::<PaymentRow>(inside)
        .ok()?
        .payment()
        .ok()
}

fn error(response: &HttpResponse) -> Option<Value> {
    let mut body: Value = serde_json::from_slice(&response.body).ok()?;
    Some(body.get_mut("error")?.take()).filter(Value::is_object)
}

/// Code of the error; a few errors (`idempotency_error`) have only a type.
fn code(error: &Value) -> Option<String> {
    let text = |name: &str| error.get(name).and_then(Value::as_str).map(str::to_owned);
    text("code").or_else(|| text("type"))
}

/// Facts for the caller, and Stripe's message for operators.
fn stripe_error(response: &HttpResponse, error: Option<&Value>, code: &str) -> Fault {
    let empty = Value::Null;
    let error = error.unwrap_or(&empty);
    let kind = error
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or("no error");
    let intent = error.get("payment_intent");
    let said = error
        .get("message")
        .and_then(Value::as_str)
        .map(redacted_message)
        .filter(|said| !said.is_empty());
    let mut words = match error.get("param").and_then(Value::as_str) {
        Some(param) => format!("status {}, {kind}, parameter {param}", response.status),
        None => format!("status {}, {kind}", response.status),
    };
    if let Some(said) = &said {
        words.push_str(&format!(": {said}"));
    }
    let mut details = json!({ "status": response.status, "code": code });
    let facts = [
        (
            "payment_intent",
            intent.and_then(|pi| pi.get("id").or(Some(pi).filter(|pi| pi.is_string()))),
        ),
        ("decline_code", error.get("decline_code")),
        ("charge", error.get("charge")),
        ("param", error.get("param")),
    ];
    for (name, value) in facts {
        if let Some(value) = value.filter(|value| value.is_string()) {
            details[name] = value.clone();
        }
    }
    if let Some(said) = said {
        details["message"] = json!(said);
    }
    for (name, header) in [
        ("request_id", "request-id"),
        ("should_retry", "stripe-should-retry"),
    ] {
        if let Some(value) = response.header(header) {
            details[name] = json!(value);
        }
    }
    Fault {
        code: code.to_owned(),
        message: words,
        details,
        retry_after_ms: retry_after_ms(response),
        permanent: false,
    }
}
