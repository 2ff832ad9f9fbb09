//! The tools over plain HTTP, by raw requests.

use std::sync::atomic::Ordering;

use dewy_server::{
    tool_calls::{
        call_boundary::CallBoundary,
        rate_limit::{Limit, RateLimit},
    },
    web::{RestParts, openapi_document, rest_router},
};

use crate::{
    fake_dispatcher::{self, CallCounts, FakeDispatcher, Tokens},
    prelude::*,
};

/// One persona's routes and one token.
pub struct Rest {
    base: String,
    token: String,
    client: reqwest::Client,
}

#[derive(Debug)]
pub struct RestAnswer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub body: Value,
}

impl RestAnswer {
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub fn status_and_code(&self) -> (u16, &str) {
        (self.status, self.body["error_code"].as_str().unwrap_or(""))
    }
}

impl Rest {
    pub fn new(base: &str, persona: &str, token: &str) -> Self {
        let client = fake_dispatcher::client();
        Self {
            base: format!("{base}/api/{persona}"),
            token: token.to_owned(),
            client,
        }
    }

    pub fn post(&self, tool: &str) -> reqwest::RequestBuilder {
        self.client
            .post(format!("{}/{tool}", self.base))
            .bearer_auth(&self.token)
    }

    pub async fn call(&self, tool: &str, token: Option<&str>, input: &Value) -> RestAnswer {
        let request = self
            .post(tool)
            .header("content-type", "application/json")
            .body(input.to_string());
        send(match token {
            Some(token) => request.header("idempotency-key", token),
            None => request,
        })
        .await
    }

    async fn raw(&self, tool: &str, kind: Option<&str>, body: &'static str) -> RestAnswer {
        let request = self.post(tool).body(body);
        send(match kind {
            Some(kind) => request.header("content-type", kind),
            None => request,
        })
        .await
    }
}

/// Every answer is JSON with the request's id.
pub async fn send(request: reqwest::RequestBuilder) -> RestAnswer {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    assert_eq!(headers["content-type"], "application/json", "{status}");
    let text = response.text().await.unwrap();
    RestAnswer {
        status,
        headers,
        body: serde_json::from_str(&text).unwrap_or_else(|_| panic!("{status} {text}")),
    }
}

/// The routes over the dispatcher that misbehaves on request.
async fn over_fake(limit: Limit) -> (String, Arc<CallCounts>) {
    let seen = Arc::new(CallCounts::default());
    let guard = CallBoundary::new(
        Arc::new(FakeDispatcher(Arc::clone(&seen))),
        Duration::from_secs(25),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let app = rest_router(&RestParts {
        dispatcher: Arc::new(guard),
        tokens: Arc::new(Tokens),
        rate_limit: RateLimit::new(limit),
        public_url: "https://hotel.example".to_owned(),
    });
    tokio::spawn(async move { axum::serve(listener, app).await });
    (base, seen)
}

#[tokio::test]
async fn every_request_error_is_json() {
    let (base, seen) = over_fake(Limit::default()).await;
    let beth = Rest::new(&base, "guest", "beth");
    let json = Some("application/json");
    for (tool, kind, body, told) in [
        ("get_folio", json, "{}", (200, "")),
        (
            "get_folio",
            Some("Application/JSON;charset=utf-8"),
            "{}",
            (200, ""),
        ),
        ("get_folio", None, "", (200, "")),
        ("get_folio", None, "{}", (415, "UNSUPPORTED_MEDIA_TYPE")),
        (
            "get_folio",
            Some("text/plain"),
            "{}",
            (415, "UNSUPPORTED_MEDIA_TYPE"),
        ),
        ("get_folio", json, "{", (400, "VALIDATION_FAILED")),
        ("get_folio", json, "[]", (400, "VALIDATION_FAILED")),
        (
            "get_folio",
            json,
            "{\"booking_number\":\"BK-0404\"}",
            (404, "BOOKING_NOT_FOUND"),
        ),
        (
            "get_folio",
            json,
            "{\"booking_number\":\"BK-6666\"}",
            (500, "INTERNAL"),
        ),
        (
            "process_guest_checkout",
            json,
            "{\"amount\":1}",
            (400, "VALIDATION_FAILED"),
        ),
        (
            "process_guest_checkout",
            json,
            "{\"idempotency_token\":5}",
            (400, "VALIDATION_FAILED"),
        ),
    ] {
        let answer = beth.raw(tool, kind, body).await;
        assert_eq!(answer.status_and_code(), told, "{tool} {kind:?} {body}");
        let words = ErrorCode::from_code(told.1).map(ErrorCode::for_program);
        assert_eq!(answer.body["error_message"].as_str(), words, "{body}");
        assert!(
            !answer.body.to_string().contains("planted"),
            "no detail leaks"
        );
    }
    assert_eq!(
        seen.begun.load(Ordering::SeqCst),
        1,
        "only the one without a token came to the tool"
    );

    let client = fake_dispatcher::client();
    for method in ["GET", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"] {
        let url = format!("{base}/api/guest/get_folio");
        let response = client
            .request(method.parse().unwrap(), url)
            .bearer_auth("beth")
            .send()
            .await
            .unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["allow"]),
            (405, &"POST".parse().unwrap()),
            "{method}"
        );
    }
    for path in [
        "/api",
        "/api/",
        "/api/guest",
        "/api/cook/get_folio",
        "/api/guest/get_folio/more",
    ] {
        let answer = send(client.post(format!("{base}{path}")).bearer_auth("beth")).await;
        assert_eq!(answer.status_and_code(), (404, "UNKNOWN_TOOL"), "{path}");
    }
    let other = send(client.post(format!("{base}/api/openapi.json"))).await;
    assert_eq!(
        (other.status_and_code(), other.header("allow")),
        ((405, "METHOD_NOT_ALLOWED"), "GET, HEAD")
    );
}

#[tokio::test]
async fn pending_and_busy_answers_have_retry_after() {
    let (base, _) = over_fake(Limit {
        calls: 3,
        window: Duration::from_secs(180),
    })
    .await;
    let beth = Rest::new(&base, "guest", "beth");
    let input = json!({ "amount": 1, "booking_number": "BK-0202" });
    let pending = beth.call("process_guest_checkout", Some("t"), &input).await;
    assert_eq!((pending.status, pending.header("retry-after")), (202, "1"));
    assert_eq!(pending.body["pending"]["execution_id"], "exe_0");
    for _ in 0..2 {
        assert_eq!(beth.call("get_folio", None, &json!({})).await.status, 200);
    }
    let paced = beth.call("get_folio", None, &json!({})).await;
    assert_eq!(paced.status_and_code(), (429, "RATE_LIMITED"));
    assert!((1..=60).contains(&paced.header("retry-after").parse::<u64>().unwrap()));
    // Another principal is not held back.
    assert_eq!(
        Rest::new(&base, "staff", "desk")
            .call("get_folio", None, &json!({}))
            .await
            .status,
        200
    );
    assert_eq!(
        ToolAnswer::from(dewy_domain::tool_answer::ToolError::new(
            ErrorCode::Overloaded
        ))
        .status(),
        503
    );
}

#[tokio::test]
async fn without_a_valid_token_nothing_is_revealed() {
    let (base, seen) = over_fake(Limit::default()).await;
    for (persona, token) in [
        ("guest", "desk"),
        ("staff", "beth"),
        ("guest", "nonsense"),
        ("staff", ""),
    ] {
        for tool in ["get_folio", "no_such_tool"] {
            let answer = Rest::new(&base, persona, token)
                .call(tool, None, &json!({}))
                .await;
            assert_eq!(
                answer.status_and_code(),
                (401, "NOT_SIGNED_IN"),
                "{persona} {token}"
            );
            assert!(
                answer
                    .header("www-authenticate")
                    .starts_with("Bearer realm=\"dewy\"")
            );
        }
    }
    assert_eq!(seen.begun.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_guest_checks_out_and_cookies_are_ignored() {
    let hotel = TestHotel::open().await;
    let beth = hotel.guest_rest(BETH).await;
    let folio = beth.call("get_folio", None, &json!({})).await;
    assert!(
        !folio.header("x-request-id").is_empty() && folio.header("cache-control") == "no-store"
    );
    assert!(folio.header("set-cookie").is_empty());

    let order = json!({ "amount": 25000, "idempotency_token": "one" });
    let both = beth
        .call("process_guest_checkout", Some("two"), &order)
        .await;
    assert_eq!(both.status_and_code(), (400, "VALIDATION_FAILED"));
    let problems = both.body["details"]["problems"].to_string();
    assert!(
        problems.contains("idempotency_token") && problems.contains("Idempotency-Key"),
        "{problems}"
    );
    let done = beth.call("process_guest_checkout", None, &order).await;
    let again = beth
        .call(
            "process_guest_checkout",
            Some("one"),
            &json!({ "amount": 25000 }),
        )
        .await;
    assert_eq!(
        (again.status, &again.body["replayed"]),
        (200, &json!(true)),
        "the header is the same as the field"
    );
    assert_eq!(again.body["execution_id"], done.body["execution_id"]);
    let other = beth
        .call(
            "process_guest_checkout",
            Some("one"),
            &json!({ "amount": 1 }),
        )
        .await;
    assert_eq!(other.status_and_code(), (409, "IDEMPOTENCY_MISMATCH"));
    for tool in ["drop_all_tables", "post_charge", "get%5Ffolio", "GET_FOLIO"] {
        assert_eq!(
            beth.call(tool, Some("t"), &json!({}))
                .await
                .status_and_code(),
            (404, "UNKNOWN_TOOL"),
            "{tool}"
        );
    }
    assert_eq!(
        beth.call("get_folio%00", Some("t"), &json!({}))
            .await
            .status_and_code(),
        (400, "VALIDATION_FAILED")
    );
    // Somebody who is signed in with a browser has no token.
    let browser = hotel.browser().staff("manager@dewy.example").await;
    let cookie = format!("dewy_session={}", browser.cookie().unwrap());
    let request = fake_dispatcher::client()
        .post(hotel.url("/api/staff/get_folio"))
        .header("cookie", cookie);
    let answer = send(
        request
            .header("content-type", "application/json")
            .body("{}"),
    )
    .await;
    assert_eq!(answer.status_and_code(), (401, "NOT_SIGNED_IN"));
}

#[tokio::test]
async fn both_interfaces_share_one_rate_limit() {
    let hotel = TestHotel::with(&[("CALLS_PER_MINUTE", "30")]).await;
    let token = hotel.token(Persona::Guest, BETH).await;
    let (rest, mcp) = (
        Rest::new(&hotel.server.public_url, "guest", &token),
        Mcp::new(&hotel.server.public_url, "guest", &token),
    );
    // Refusals count as well, and cost little.
    let input = json!({});
    let calls = (0..30).map(|_| rest.call("no_such_tool", None, &input));
    let answers = futures::future::join_all(calls).await;
    assert!(
        answers
            .iter()
            .all(|answer| answer.status_and_code() == (404, "UNKNOWN_TOOL"))
    );
    // Every two seconds one more is allowed; a slow machine may need some of them
    let mut answer = rest.call("no_such_tool", None, &input).await;
    for _ in 0..30 {
        if answer.status == 429 {
            break;
        }
        answer = rest.call("no_such_tool", None, &input).await;
    }
    assert_eq!(answer.status_and_code(), (429, "RATE_LIMITED"));
    let response = mcp
        .message(Era::Modern, "tools/list", json!({}))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 429);
    // Another token of the same person has an allowance of its own
    let other = hotel.token(Persona::Guest, BETH).await;
    let other = Rest::new(&hotel.server.public_url, "guest", &other);
    let answer = other.call("no_such_tool", None, &input).await;
    assert_eq!(answer.status_and_code(), (404, "UNKNOWN_TOOL"));
}

#[tokio::test]
async fn overload_is_answered_before_anything_is_accepted() {
    let hotel = TestHotel::with(&[("WORKERS", "1")]).await;
    hotel
        .fault("stripe", "payment_intent_create", "slow", 1, 2500)
        .await;
    let beth = hotel.guest_rest(BETH).await;
    let nora = hotel.guest_rest("nora.o'brien@example.com").await;
    let first = tokio::spawn(async move {
        beth.call(
            "process_guest_checkout",
            Some("a"),
            &json!({ "amount": 25000 }),
        )
        .await
    });
    tokio::time::sleep(Duration::from_millis(800)).await;
    let busy = nora
        .call("process_guest_checkout", Some("b"), &json!({ "amount": 1 }))
        .await;
    assert_eq!(busy.status_and_code(), (503, "OVERLOADED"), "{busy:?}");
    assert!(busy.header("retry-after").parse::<u64>().unwrap() > 0);
    let first = first.await.unwrap();
    assert_eq!(first.status, 200, "{first:?}");
}

/// The official schema of such documents, as published for OpenAPI 3.1.
const OFFICIAL: &str = include_str!("../data/openapi-3.1.schema.json");

#[tokio::test]
async fn the_document_is_valid_complete_and_always_the_same() {
    let (base, _) = over_fake(Limit::default()).await;
    let served = send(fake_dispatcher::client().get(format!("{base}/api/openapi.json"))).await;
    let document = openapi_document("https://hotel.example");
    assert_eq!(served.body, document);
    assert_eq!(
        openapi_document("https://hotel.example").to_string(),
        document.to_string()
    );
    let official = jsonschema::validator_for(&serde_json::from_str(OFFICIAL).unwrap()).unwrap();
    let faults: Vec<String> = official
        .iter_errors(&document)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert_eq!(faults, [""; 0]);

    let mut operations = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let operation = &item["post"];
        operations += 1;
        let words = format!("{path}: {operation}");
        assert!(
            operation["summary"].is_string() && operation["description"].is_string(),
            "{words}"
        );
        let tool = dewy_domain::tool_catalog::all()
            .iter()
            .find(|t| path.ends_with(&format!("/{}", t.name)))
            .unwrap();
        let answered = operation["responses"].as_object().unwrap();
        let examples =
            |status: u16| &answered[&status.to_string()]["content"]["application/json"]["examples"];
        for code in tool.errors.iter().chain(&[
            ErrorCode::ValidationFailed,
            ErrorCode::NotSignedIn,
            ErrorCode::RateLimited,
        ]) {
            let reference = examples(code.status())[code.code()]["$ref"]
                .as_str()
                .unwrap();
            let example = document.pointer(&reference[1..]).unwrap();
            assert_eq!(
                example["value"]["error_code"],
                code.code(),
                "{path} {reference}"
            );
        }
        assert_eq!(answered.contains_key("202"), tool.writes, "{words}");
        assert_eq!(operation["parameters"].is_array(), tool.writes, "{words}");
        let input = &operation["requestBody"]["content"]["application/json"]["schema"];
        jsonschema::options()
            .should_validate_formats(true)
            .build(input)
            .unwrap();
        assert!(
            input["properties"]["idempotency_token"].is_null() || tool.name == "get_execution",
            "{words}"
        );
        // What a schema of single fields can't say stands in the rules; the example follows both.
        let rules = input["allOf"].as_array().map_or(&[][..], Vec::as_slice);
        let persona = match path.contains("/guest/") {
            true => Persona::Guest,
            false => Persona::Staff,
        };
        let bound: Vec<_> = tool.rules_for(persona).cloned().collect();
        assert_eq!(rules, bound, "{path}");
        let example = &operation["requestBody"]["content"]["application/json"]["example"];
        assert!(jsonschema::is_valid(input, example), "{path}: {example}");
    }
    let expected: usize = dewy_domain::tool_catalog::all()
        .iter()
        .map(|tool| tool.personas.len())
        .sum();
    assert_eq!(operations, expected);
    every_reference_leads_somewhere(&document, &document);
}

fn every_reference_leads_somewhere(document: &Value, at: &Value) {
    match at {
        Value::Object(map) => {
            if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
                let place = document.pointer(reference.strip_prefix('#').unwrap());
                assert!(place.is_some(), "{reference}");
            }
            map.values()
                .for_each(|value| every_reference_leads_somewhere(document, value));
        }
        Value::Array(items) => items
            .iter()
            .for_each(|value| every_reference_leads_somewhere(document, value)),
        _ => {}
    }
}
