//! Writes every request to Stripe and to Twilio as an object literal of the type that the vendor's own
//! client declares for it. `cargo xtask vendors` gives them to the TypeScript compiler, which refuses an unknown,
//! missing or wrong parameter.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use dewy_connectors::{TextSender, Twilio, TwilioConfig, twilio::callback};
use dewy_domain::{payment::RefundOrder, ports::TextMessages};
use dewy_sandbox::stripe::form_encoding;
use secrecy::SecretString;
use serde_json::Map;

use crate::{canned_transport::stripe, prelude::*};

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
        ("POST", ["payment_methods", _, "detach"]) => "PaymentMethodDetachParams",
        ("POST", ["payment_intents"]) => "PaymentIntentCreateParams",
        ("GET", ["payment_intents"]) => "PaymentIntentListParams",
        ("GET", ["payment_intents", _]) => "PaymentIntentRetrieveParams",
        ("POST", ["payment_intents", _, "cancel"]) => "PaymentIntentCancelParams",
        ("POST", ["payment_intents", _, "capture"]) => "PaymentIntentCaptureParams",
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
        save_card: true,
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
        payments.hold(&example_check_out::hold()),
        payments.hold_with_guest(&bare),
        payments.charge(&example_check_out::hold()),
        payments.capture(&refund.payment_intent, Cents(25_010), "k"),
        payments.refund(&refund),
        payments.refund(&bare_refund),
        payments.cancel(&refund.payment_intent, "k"),
        payments.detach(&pay.payment_method, "k"),
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
    assert!(requests.len() == 24, "a request is missing: {requests:#?}");
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
    write("stripe-requests.ts", &file);
}

fn write(name: &str, text: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vendors");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), text).unwrap();
}

/// A parameter of Twilio as its client names it: `To` is `to`. Numbers are those of the declarations.
fn declared_name(wire: &str) -> String {
    let (first, rest) = wire.split_at(1);
    format!("{}{rest}", first.to_lowercase())
}

#[tokio::test]
async fn every_text_is_written_for_the_vendors_compiler() {
    let account = "AC00000000000000000000000000000001";
    let empty = || status(404, r#"{"code":20404,"message":"none","status":404}"#);
    let mut requests: Vec<(String, String, Vec<u8>)> = Vec::new();
    for (sender, callback) in [
        (TextSender::Number("+12125550190".to_owned()), None),
        (
            TextSender::Number("24321".to_owned()),
            Some("https://hotel.example/webhooks/twilio"),
        ),
        (
            TextSender::Service("MG1".to_owned()),
            Some("https://hotel.example/webhooks/twilio"),
        ),
    ] {
        let canned = Canned::new(std::iter::repeat_with(empty).take(4));
        let mut config = TwilioConfig::new(account, "token".to_owned().into(), "");
        config.sender = sender;
        config.status_callback = callback.map(str::to_owned);
        let texts = Twilio::new(config, canned.clone(), Arc::new(TestClock::new()));
        let call = texts.text(
            "+12125550101",
            "Welcome \u{1f6ce}",
            Duration::from_secs(600),
        );
        let _ = texts.send_text(&call).await;
        let _ = texts
            .texts_since("+12125550101", Timestamp::UNIX_EPOCH)
            .await;
        let _ = texts.text_by_sid("SM1").await;
        let _ = texts.has_sender().await;
        for request in canned.seen() {
            let (path, query) = request.url.split_once('?').unwrap_or((&request.url, ""));
            let body = if request.method == "POST" {
                request.body
            } else {
                query.into()
            };
            requests.push((request.method, path.to_owned(), body));
        }
    }
    assert_eq!(requests.len(), 12);
    let at = |name: &str| format!("import(\"twilio/lib/rest/api/v2010/account/{name}\")");
    let mut file = "export {};\n".to_owned();
    for (n, (method, path, body)) in requests.iter().enumerate() {
        let resource = path
            .rsplit_once(account)
            .map_or(path.as_str(), |(_, rest)| rest);
        let declared = match (method.as_str(), resource) {
            ("POST", "/Messages.json") => {
                format!("{}.MessageListInstanceCreateOptions", at("message"))
            }
            ("GET", "/Messages.json") => {
                format!("{}.MessageListInstancePageOptions", at("message"))
            }
            ("GET", "/IncomingPhoneNumbers.json") => {
                format!(
                    "{}.IncomingPhoneNumberListInstancePageOptions",
                    at("incomingPhoneNumber")
                )
            }
            ("GET", "/SMS/ShortCodes.json") => {
                format!("{}.ShortCodeListInstancePageOptions", at("shortCode"))
            }
            // Without parameters
            ("GET", "/Messages/SM1.json" | "https://messaging.twilio.com/v1/Services/MG1") => {
                "Record<string, never>".to_owned()
            }
            other => panic!("no declaration for {other:?}"),
        };
        let pairs = url::form_urlencoded::parse(body);
        let given = pairs.map(|(name, value)| match name.as_ref() {
            "ValidityPeriod" | "PageSize" => {
                (declared_name(&name), json!(value.parse::<u32>().unwrap()))
            }
            _ => (declared_name(&name), json!(value)),
        });
        let given = Value::Object(given.collect());
        writeln!(file, "export const request{n}: {declared} = {given:#};").unwrap();
    }
    write("twilio-requests.ts", &file);
}

/// Signatures that Twilio's own client computes (`end2end/vendors/twilio.mjs --write`).
#[test]
fn the_vendors_signatures_are_accepted() {
    let file = include_str!("../../../../end2end/vendors/twilio-signatures.json");
    let vectors: Vec<Value> = serde_json::from_str(file).unwrap();
    assert!(vectors.len() >= 8);
    for vector in vectors {
        let text = |name: &str| vector[name].as_str().unwrap();
        let token = SecretString::from(text("token"));
        let verify = |signature: &str, body: &str| {
            callback::verify(&token, signature, text("url"), body.as_bytes())
        };
        assert_eq!(verify(text("signature"), text("body")), Ok(()), "{vector}");
        let changed = format!("{}&Changed=1", text("body"));
        assert!(verify(text("signature"), &changed).is_err(), "{vector}");
    }
}
