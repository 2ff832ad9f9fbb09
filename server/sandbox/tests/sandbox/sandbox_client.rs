//! Client of the sandbox, on virtual time.

use dewy_domain::ports::Transport as _;
use dewy_sandbox::{CallEntry, test_clock::TestClock};

use crate::prelude::*;

pub const MINUTE: Duration = Duration::from_secs(60);

pub fn sandbox() -> Sandbox {
    Sandbox::in_memory(Arc::new(TestClock::new()), 1)
}

pub fn stripe(method: &str, path: &str, key: Option<&str>, pairs: &[(&str, &str)]) -> HttpRequest {
    let form = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish();
    let mut headers = vec![("authorization".to_owned(), "Bearer sk_test_1".to_owned())];
    headers.extend(key.map(|key| ("idempotency-key".to_owned(), key.to_owned())));
    let (url, body) = if method == "GET" && !form.is_empty() {
        (format!("https://stripe.test{path}?{form}"), Vec::new())
    } else {
        (format!("https://stripe.test{path}"), form.into_bytes())
    };
    HttpRequest {
        method: method.to_owned(),
        url,
        headers,
        body,
    }
}

pub async fn send(sandbox: &Sandbox, request: HttpRequest) -> Result<HttpResponse, TransportError> {
    sandbox.send(request, MINUTE).await
}

pub async fn post(
    sandbox: &Sandbox,
    path: &str,
    key: Option<&str>,
    pairs: &[(&str, &str)],
) -> (HttpResponse, Value) {
    let response = send(sandbox, stripe("POST", path, key, pairs))
        .await
        .unwrap();
    let body = json(&response);
    (response, body)
}

pub async fn get(sandbox: &Sandbox, path: &str, pairs: &[(&str, &str)]) -> (u16, Value) {
    let response = send(sandbox, stripe("GET", path, None, pairs))
        .await
        .unwrap();
    (response.status, json(&response))
}

pub fn json(response: &HttpResponse) -> Value {
    serde_json::from_slice(&response.body).unwrap_or(Value::Null)
}

/// Payment in one call with a test card.
pub const fn payment(card: &'static str) -> [(&'static str, &'static str); 6] {
    [
        ("amount", "25000"),
        ("currency", "usd"),
        ("payment_method", card),
        ("allowed_payment_method_types[0]", "card"),
        ("confirm", "true"),
        ("metadata[booking]", "BK-0042"),
    ]
}

/// Pays in one call with a test card.
pub async fn pay(
    sandbox: &Sandbox,
    key: Option<&str>,
    card: &'static str,
) -> (HttpResponse, Value) {
    post(sandbox, "/v1/payment_intents", key, &payment(card)).await
}

pub async fn refund(
    sandbox: &Sandbox,
    key: Option<&str>,
    pairs: &[(&str, &str)],
) -> (HttpResponse, Value) {
    post(sandbox, "/v1/refunds", key, pairs).await
}

pub fn payment_fault(kind: FaultKind) -> Fault {
    Fault::new(System::Stripe, "payment_intent_create", kind)
}

pub fn salesforce_fault(operation: &str, kind: FaultKind) -> Fault {
    Fault::new(System::Salesforce, operation, kind)
}

#[track_caller]
pub fn assert_error(response: &HttpResponse, status: u16, code: &str) {
    let body = json(response);
    assert_eq!(
        (response.status, body["error"]["code"].as_str()),
        (status, Some(code)),
        "{body}"
    );
}

#[track_caller]
pub fn assert_fields(answer: &Value, fields: Value) {
    for (name, value) in fields.as_object().unwrap() {
        assert_eq!(answer[name], *value, "{name}: {answer}");
    }
}

pub fn items(list: &Value) -> &Vec<Value> {
    list.as_array().unwrap()
}

pub fn text_of(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

pub fn id_of(answer: &Value) -> &str {
    answer["id"].as_str().unwrap()
}

pub fn intents(sandbox: &Sandbox) -> usize {
    items(&sandbox.state()["stripe"]["payment_intents"]).len()
}

pub fn last(sandbox: &Sandbox) -> CallEntry {
    sandbox.calls().pop().unwrap()
}

pub async fn pass(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

/// A Salesforce session.
pub async fn token(sandbox: &Sandbox) -> String {
    let request = HttpRequest {
        method: "POST".to_owned(),
        url: "https://org.test/services/oauth2/token".to_owned(),
        headers: vec![(
            "content-type".to_owned(),
            "application/x-www-form-urlencoded".to_owned(),
        )],
        body: b"grant_type=client_credentials&client_id=a&client_secret=b".to_vec(),
    };
    let response = send(sandbox, request).await.unwrap();
    text_of(&json(&response)["access_token"])
}

pub fn salesforce(token: &str, method: &str, path: &str, body: &Value) -> HttpRequest {
    HttpRequest {
        method: method.to_owned(),
        url: format!("https://org.test/services/data/v62.0{path}"),
        headers: vec![
            ("authorization".to_owned(), format!("Bearer {token}")),
            ("content-type".to_owned(), "application/json".to_owned()),
        ],
        body: if body.is_null() {
            Vec::new()
        } else {
            body.to_string().into_bytes()
        },
    }
}
