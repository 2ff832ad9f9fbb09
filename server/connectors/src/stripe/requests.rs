//! Requests to Stripe, byte for byte; pure.

use std::collections::BTreeMap;

use dewy_domain::{
    card_id::CardId,
    email_address::EmailAddress,
    money::Cents,
    payment::{PaymentOrder, PaymentTexts, RefundOrder},
    payment_intent_id::PaymentIntentId,
    saved_card_order::SavedCardOrder,
    statement_suffix::StatementSuffix,
    upstream_request::{Call, System},
};
use jiff::Timestamp;

use crate::{form_encoding::Form, percent_encoding::percent};

/// API version that these requests are written for. It is a header of each of them, so that it is
/// journaled with the bytes, and a later release repeats a request in the version it was built for.
const VERSION: &str = "2026-10-28.endive";

/// Version of the requests that were journaled without one: the one that the releases which wrote
/// them sent.
const VERSION_OF_OLDER_JOURNALS: &str = "2026-10-28.endive";

/// Header that selects the API version.
const VERSION_HEADER: &str = "stripe-version";

/// Stripe's maximum page size.
const PAGE: &str = "100";

pub(super) fn customers(email: &EmailAddress, after: Option<&str>) -> Call {
    list(
        "customers",
        "/v1/customers",
        Form::new().field("email", email),
        after,
    )
}

/// The list compares emails letter by letter; the search ignores their case, and lags behind.
pub(super) fn customer_search(email: &EmailAddress, page: Option<&str>) -> Call {
    let quoted = email.replace('\\', "\\\\").replace('"', "\\\"");
    let query = Form::new()
        .field("query", &format!("email:\"{quoted}\""))
        .field("limit", PAGE)
        .field_if("page", page)
        .text();
    get("customer_search", format!("/v1/customers/search?{query}"))
}

/// With their customer, which names the default card.
pub(super) fn cards(customer: &str, after: Option<&str>) -> Call {
    let query = Form::new()
        .field("customer", customer)
        .field("type", "card")
        .field("expand[]", "data.customer");
    list("payment_method", "/v1/payment_methods", query, after)
}

pub(super) fn payment(id: &PaymentIntentId) -> Call {
    let query = Form::new().field("expand[]", "latest_charge").text();
    get(
        "payment_intent_retrieve",
        format!("/v1/payment_intents/{id}?{query}"),
    )
}

pub(super) fn payments(customer: Option<&str>, since: Timestamp, after: Option<&str>) -> Call {
    let query = Form::new()
        .field_if("customer", customer)
        .field("created[gte]", &since.as_second().to_string());
    let query = query.field("expand[]", "data.latest_charge");
    list("payment_intent_list", "/v1/payment_intents", query, after)
}

/// Payments of the whole account.
pub(super) fn payments_between(from: Timestamp, to: Timestamp, after: Option<&str>) -> Call {
    let second = |at: Timestamp| at.as_second().to_string();
    let query = Form::new()
        .field("created[gte]", &second(from))
        .field("created[lt]", &second(to));
    list(
        "payment_intent_list",
        "/v1/payment_intents",
        query.field("expand[]", "data.latest_charge"),
        after,
    )
}

/// With their charge, which tells a refund from what a hold released.
pub(super) fn refunds(payment_intent: &PaymentIntentId, after: Option<&str>) -> Call {
    let query = Form::new()
        .field("payment_intent", payment_intent.as_str())
        .field("expand[]", "data.charge");
    list("refund_retrieve", "/v1/refunds", query, after)
}

/// Refunds of the whole account, with their charges.
pub(super) fn refunds_since(since: Timestamp, after: Option<&str>) -> Call {
    let query = with_payments(since).field("expand[]", "data.charge");
    list("refund_retrieve", "/v1/refunds", query, after)
}

pub(super) fn disputes(payment_intent: &PaymentIntentId, after: Option<&str>) -> Call {
    list(
        "dispute_list",
        "/v1/disputes",
        Form::new().field("payment_intent", payment_intent.as_str()),
        after,
    )
}

/// Disputes of the whole account.
pub(super) fn disputes_since(since: Timestamp, after: Option<&str>) -> Call {
    list("dispute_list", "/v1/disputes", with_payments(since), after)
}

/// With their payments, whose metadata identifies the installation.
fn with_payments(since: Timestamp) -> Form {
    Form::new()
        .field("created[gte]", &since.as_second().to_string())
        .field("expand[]", "data.payment_intent")
}

pub(super) fn account() -> Call {
    get("account_retrieve", "/v1/account".to_owned())
}

pub(super) fn customer(id: &str) -> Call {
    get("customers", format!("/v1/customers/{}", percent(id)))
}

pub(super) fn new_customer(
    email: Option<&EmailAddress>,
    metadata: &BTreeMap<String, String>,
    key: &str,
) -> Call {
    let form = Form::new()
        .field_if("email", email.map(|email| email.as_str()))
        .map("metadata", metadata);
    post("customers", "/v1/customers".to_owned(), form, key)
}

pub(super) fn detach(card: &CardId, key: &str) -> Call {
    let path = format!("/v1/payment_methods/{}/detach", percent(card.as_str()));
    post("payment_method", path, Form::new(), key)
}

/// Creates and confirms in one call. Cards only, whatever the account enables: a debit or a
/// purchase on account would be collected, or reversed, days later. `return_url` is where the bank
/// sends the guest back to.
pub(super) fn pay(order: &PaymentOrder, capture_method: Option<&str>) -> Call {
    let form = Form::new()
        .field("amount", &order.amount.0.to_string())
        .field("currency", order.currency.code())
        .field_if("customer", order.customer.as_deref())
        .field("payment_method", order.payment_method.as_str())
        .field("confirm", "true")
        .field("return_url", &order.return_url)
        .field_if(
            "setup_future_usage",
            order.save_card.then_some("off_session"),
        )
        .field_if("capture_method", capture_method)
        .field("allowed_payment_method_types[]", "card");
    new_payment(form, &order.texts, &order.metadata, &order.key)
}

/// Capture method of a payment that is only authorized.
pub(super) const MANUAL: Option<&str> = Some("manual");

/// Like [`pay`], but only authorized. The guest is not there to authenticate (`off_session`), so
/// there is nowhere to come back to. Extended and incremental authorizations are not requested:
/// Stripe refuses both for accounts without them, and the refused request leaves an open payment.
pub(super) fn hold(order: &SavedCardOrder) -> Call {
    off_session(order, MANUAL)
}

/// What a failed hold should have paid, captured at once.
pub(super) fn charge(order: &SavedCardOrder) -> Call {
    off_session(order, None)
}

fn off_session(order: &SavedCardOrder, capture_method: Option<&str>) -> Call {
    let form = Form::new()
        .field("amount", &order.amount.0.to_string())
        .field("currency", order.currency.code())
        .field("customer", &order.customer)
        .field("payment_method", order.payment_method.as_str())
        .field("confirm", "true")
        .field("off_session", "true")
        .field_if("capture_method", capture_method)
        .field("allowed_payment_method_types[]", "card");
    new_payment(form, &order.texts, &order.metadata, &order.key)
}

fn new_payment(
    form: Form,
    texts: &PaymentTexts,
    metadata: &BTreeMap<String, String>,
    key: &str,
) -> Call {
    let suffix = texts.statement_suffix.as_ref().map(StatementSuffix::as_str);
    let form = form
        .field_if("description", texts.description.as_deref())
        .field_if("statement_descriptor_suffix", suffix)
        .field_if("receipt_email", texts.receipt_email.as_deref())
        .map("metadata", metadata)
        .field("expand[]", "latest_charge");
    post(
        "payment_intent_create",
        "/v1/payment_intents".to_owned(),
        form,
        key,
    )
}

pub(super) fn capture(payment_intent: &PaymentIntentId, amount: Cents, key: &str) -> Call {
    let path = format!("/v1/payment_intents/{payment_intent}/capture");
    let form = Form::new()
        .field("amount_to_capture", &amount.0.to_string())
        .field("expand[]", "latest_charge");
    post("payment_intent_capture", path, form, key)
}

/// Without an amount: Stripe refunds the whole remainder.
pub(super) fn refund(order: &RefundOrder) -> Call {
    let form = Form::new()
        .field("payment_intent", order.payment_intent.as_str())
        .map("metadata", &order.metadata);
    post("refund_create", "/v1/refunds".to_owned(), form, &order.key)
}

pub(super) fn cancel(payment_intent: &PaymentIntentId, key: &str) -> Call {
    let path = format!("/v1/payment_intents/{payment_intent}/cancel");
    post("payment_intent_cancel", path, Form::new(), key)
}

fn list(operation: &str, path: &str, query: Form, after: Option<&str>) -> Call {
    let query = query
        .field("limit", PAGE)
        .field_if("starting_after", after)
        .text();
    get(operation, format!("{path}?{query}"))
}

fn get(operation: &str, path: String) -> Call {
    Call {
        system: System::Stripe,
        operation: operation.to_owned(),
        method: "GET".to_owned(),
        path,
        headers: vec![(VERSION_HEADER.to_owned(), VERSION.to_owned())],
        body: String::new(),
        idempotency_key: None,
    }
}

fn post(operation: &str, path: String, form: Form, key: &str) -> Call {
    Call {
        system: System::Stripe,
        operation: operation.to_owned(),
        method: "POST".to_owned(),
        path,
        headers: vec![
            (
                "content-type".to_owned(),
                "application/x-www-form-urlencoded".to_owned(),
            ),
            (VERSION_HEADER.to_owned(), VERSION.to_owned()),
        ],
        body: form.text(),
        idempotency_key: Some(key.to_owned()),
    }
}

/// Version header of a request from an older journal, which has none of its own.
pub(super) fn missing_version(call: &Call) -> Option<(String, String)> {
    let given = call.headers.iter().any(|(name, _)| name == VERSION_HEADER);
    let version = VERSION_OF_OLDER_JOURNALS.to_owned();
    (!given).then(|| (VERSION_HEADER.to_owned(), version))
}
