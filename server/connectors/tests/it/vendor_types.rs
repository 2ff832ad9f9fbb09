//! Writes every request to Stripe as an object literal of the type that Stripe's own client declares
//! for it. `cargo xtask vendors` gives them to the TypeScript compiler, which refuses an unknown,
//! missing or wrong parameter.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use dewy_domain::{
    payment::{PaymentOrder, PaymentTexts, RefundOrder},
    ports::{HttpRequest, Payments},
    upstream_request::Call,
};
use dewy_sandbox::stripe::form_encoding;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::{
    canned_transport::{Canned, status, stripe},
    example_check_out,
};

/// Type of the parameters of a method and path.
fn declared(method: &str, path: &str) -> &'static str {
    let parts: Vec<&str> = path.trim_start_matches("/v1/").split('/').collect();
    match (method, parts.as_slice()) {
        ("GET", ["account"]) => "AccountRetrieveCurrentParams",
        ("POST", ["customers"]) => "CustomerCreateParams",
        ("GET", ["customers"]) => "CustomerListParams",
        ("GET", ["customers", "search"]) => "CustomerSearchParams",
        ("GET", ["customers", _]) => "CustomerRetrieveParams",
        ("GET", ["payment_methods"]) => "PaymentMethodListParams",
        ("POST", ["payment_intents"]) => "PaymentIntentCreateParams",
        ("GET", ["payment_intents"]) => "PaymentIntentListParams",
        ("GET", ["payment_intents", _]) => "PaymentIntentRetrieveParams",
        ("POST", ["payment_intents", _, "cancel"]) => "PaymentIntentCancelParams",
        ("POST", ["refunds"]) => "RefundCreateParams",
        ("GET", ["refunds"]) => "RefundListParams",
        ("GET", ["disputes"]) => "DisputeListParams",
        other => panic!("no declaration for {other:?}"),
    }
}

/// A form carries only text; the declarations know numbers and truth values.
fn typed(name: &str, value: Value) -> Value {
    match value {
        _ if name == "metadata" => value,
        Value::String(text) => match text.as_str() {
            "true" => json!(true),
            "false" => json!(false),
            text => text
                .parse::<i64>()
                .map_or(json!(text), |number| json!(number)),
        },
        Value::Object(inner) => Value::Object(
            inner
                .into_iter()
                .map(|(name, value)| (name.clone(), typed(&name, value)))
                .collect(),
        ),
        other => other,
    }
}

fn parameters(encoded: &[u8]) -> Value {
    let decoded: Map<String, Value> = form_encoding::decode(encoded);
    typed("", Value::Object(decoded))
}

/// All reads of the port, as sent.
async fn reads() -> Vec<HttpRequest> {
    let refused = r#"{"error":{"type":"invalid_request_error","code":"resource_missing"}}"#;
    let canned = Canned::new(std::iter::repeat_with(|| status(404, refused)).take(30));
    let payments = stripe(canned.clone());
    let (since, payment) = (Timestamp::UNIX_EPOCH, "pi_1".parse().unwrap());
    let _ = payments.customers(&"a+b@example.com".into()).await;
    let _ = payments.customer_email("cus_1").await;
    let _ = payments.cards("cus_1").await;
    let _ = payments.payment(&payment).await;
    let _ = payments.payments_since(Some("cus_1"), since).await;
    let _ = payments.payments_since(None, since).await;
    let _ = payments.payments_between(since, since, 1).await;
    let _ = payments.refunds(&payment).await;
    let _ = payments.refunds_since(since).await;
    let _ = payments.disputes(&payment).await;
    let _ = payments.disputes_since(since).await;
    let _ = payments.account().await;
    canned.seen()
}

fn writes() -> Vec<Call> {
    let payments = stripe(Canned::new([]));
    let pay = example_check_out::pay();
    let bare = PaymentOrder {
        customer: None,
        metadata: BTreeMap::new(),
        texts: PaymentTexts {
            description: Some("Room 302".to_owned()),
            statement_suffix: Some("STAY".parse().unwrap()),
            receipt_email: Some("a@example.com".into()),
        },
        ..pay.clone()
    };
    let refund = example_check_out::refund();
    let bare_refund = RefundOrder {
        metadata: BTreeMap::new(),
        ..refund.clone()
    };
    vec![
        payments.pay(&pay),
        payments.pay(&bare),
        payments.refund(&refund),
        payments.refund(&bare_refund),
        payments.cancel(&refund.payment_intent, "k"),
        payments.new_customer(Some(&"a@example.com".into()), &pay.metadata, "k"),
    ]
}

#[tokio::test]
async fn every_request_is_written_for_the_vendors_compiler() {
    let mut requests: Vec<(String, String, Value)> = Vec::new();
    for call in writes() {
        requests.push((call.method, call.path, parameters(call.body.as_bytes())));
    }
    for request in reads().await {
        let path = request.url.split_once(".com").unwrap().1;
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        requests.push((
            request.method,
            path.to_owned(),
            parameters(query.as_bytes()),
        ));
    }
    assert!(requests.len() == 19, "a request is missing: {requests:#?}");
    let version = writes().remove(0).headers.pop().unwrap().1;
    let mut file = format!(
        "import Stripe from \"stripe\";\n// The newest version that the package knows\nexport const version: typeof Stripe.API_VERSION = {version:?};\n"
    );
    for (n, (method, path, parameters)) in requests.iter().enumerate() {
        let declared = declared(method, path);
        writeln!(
            file,
            "export const request{n}: Stripe.{declared} = {parameters:#};"
        )
        .unwrap();
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vendors");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("stripe-requests.ts"), file).unwrap();
}
