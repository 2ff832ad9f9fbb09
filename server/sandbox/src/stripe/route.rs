//! Operations, and the functions that answer them.

use dewy_domain::ports::HttpRequest;
use serde_json::Value;

use super::error_body::Refusal;
use super::params::Params;
use super::{Call, Stripe};

/// Path of an absolute URL, without its query.
#[must_use]
pub fn path(url: &str) -> &str {
    let after = url.split_once("://").map_or(url, |(_, rest)| {
        rest.find('/').map_or("/", |at| &rest[at..])
    });
    after.split(['?', '#']).next().unwrap_or("/")
}

pub(super) fn segments(url: &str) -> Vec<&str> {
    path(url)
        .trim_start_matches("/v1/")
        .split('/')
        .filter(|part| !part.is_empty())
        .collect()
}

/// Name of the operation, for faults and the call log.
#[must_use]
pub fn operation(request: &HttpRequest) -> &'static str {
    match (request.method.as_str(), segments(&request.url).as_slice()) {
        (_, ["payment_methods", ..] | ["customers", _, "payment_methods", ..]) => "payment_method",
        (_, ["customers", "search"]) => "customer_search",
        (_, ["customers", ..]) => "customers",
        ("POST", ["payment_intents", _, "confirm"]) => "payment_intent_confirm",
        ("POST", ["payment_intents", _, "cancel"]) => "payment_intent_cancel",
        ("POST", ["payment_intents", _, "capture"]) => "payment_intent_capture",
        ("GET", ["payment_intents"]) => "payment_intent_list",
        ("GET", ["payment_intents", ..]) => "payment_intent_retrieve",
        (_, ["payment_intents", ..]) => "payment_intent_create",
        ("POST", ["refunds"]) => "refund_create",
        (_, ["refunds", ..]) => "refund_retrieve",
        (_, ["charges", ..]) => "charge_retrieve",
        (_, ["disputes", ..]) => "dispute_list",
        (_, ["account"]) => "account_retrieve",
        (_, ["webhook_endpoints", ..]) => "webhook",
        (_, ["events", ..]) => "event_retrieve",
        _ => "unknown",
    }
}

/// Object that two calls must not process at once: the intent of a POST.
#[must_use]
pub fn locked(request: &HttpRequest) -> Option<String> {
    if request.method != "POST" {
        return None;
    }
    match segments(&request.url).as_slice() {
        ["payment_intents", id, _] => Some((*id).to_owned()),
        ["refunds"] => {
            let params = super::form_encoding::decode(&request.body);
            params
                .get("payment_intent")
                .and_then(Value::as_str)
                .map(str::to_owned)
        }
        _ => None,
    }
}

impl Stripe {
    pub(super) fn route(
        &mut self,
        request: &HttpRequest,
        params: &Params,
        call: &Call,
    ) -> Result<Value, Refusal> {
        match (request.method.as_str(), segments(&request.url).as_slice()) {
            ("GET", ["account"]) => Ok(self.retrieve_account()),
            ("POST", ["customers"]) => self.create_customer(params, call),
            ("GET", ["customers"]) => self.list("customers", "email created", params),
            ("GET", ["customers", "search"]) => self.search_customers(params, call),
            ("GET", ["customers", id]) => self.retrieve("customers", "customer", id, params),
            ("POST", ["customers", id]) => self.update_customer(id, params, call),
            ("GET", ["customers", id, "payment_methods"]) => {
                self.list_payment_methods(Some(id), params)
            }
            ("GET", ["customers", id, "payment_methods", method]) => {
                self.customers_payment_method(id, method, params)
            }
            ("GET", ["payment_methods"]) => self.list_payment_methods(None, params),
            ("GET", ["payment_methods", id]) => {
                self.retrieve("payment_methods", "PaymentMethod", id, params)
            }
            ("POST", ["payment_methods", id, "attach"]) => self.attach(id, params, call),
            ("POST", ["payment_methods", id, "detach"]) => self.detach(id, params, call),
            ("POST", ["payment_intents"]) => self.create_intent(params, call),
            ("GET", ["payment_intents"]) => {
                self.list("payment_intents", "customer created", params)
            }
            ("GET", ["payment_intents", id]) => self.retrieve_intent(id, params),
            ("POST", ["payment_intents", id, "confirm"]) => self.confirm_intent(id, params, call),
            ("POST", ["payment_intents", id, "cancel"]) => self.cancel_intent(id, params, call),
            ("POST", ["payment_intents", id, "capture"]) => self.capture_intent(id, params, call),
            ("GET", ["charges", id]) => self.retrieve("charges", "charge", id, params),
            ("GET", ["disputes"]) => self.list("disputes", "charge payment_intent created", params),
            ("GET", ["disputes", id]) => self.retrieve("disputes", "dispute", id, params),
            ("POST", ["refunds"]) => self.create_refund(params, call),
            ("GET", ["refunds"]) => self.list("refunds", "charge payment_intent created", params),
            ("GET", ["refunds", id]) => self.retrieve("refunds", "refund", id, params),
            ("POST", ["webhook_endpoints"]) => self.create_webhook_endpoint(params, call),
            ("GET", ["webhook_endpoints"]) => self.list("webhook_endpoints", "", params),
            ("GET", ["webhook_endpoints", id]) => {
                self.retrieve("webhook_endpoints", "webhook endpoint", id, params)
            }
            ("DELETE", ["webhook_endpoints", id]) => self.delete_webhook_endpoint(id),
            ("GET", ["events"]) => self.list("events", "type created", params),
            ("GET", ["events", id]) => self.retrieve("events", "event", id, params),
            (method, _) => Err(Refusal::no_such_path(method, path(&request.url))),
        }
    }

    /// Object by the id in its path.
    pub(super) fn retrieve(
        &self,
        table: &str,
        what: &str,
        id: &str,
        params: &Params,
    ) -> Result<Value, Refusal> {
        params.only("")?;
        self.ledger
            .get(table, id)
            .cloned()
            .ok_or_else(|| Refusal::not_found(what, id))
    }
}
