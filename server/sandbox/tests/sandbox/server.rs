//! The sandbox over real sockets.

use dewy_domain::ports::Transport as _;
use dewy_sandbox::{WebhookTransport, serve, test_clock::TestClock};
use tokio::{net::TcpListener, sync::oneshot};

use crate::{prelude::*, sandbox_client::json as body};

struct Server {
    base: String,
    client: WebhookTransport,
    stop: oneshot::Sender<()>,
    task: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Server {
    async fn start() -> Self {
        let sandbox = Sandbox::in_memory(Arc::new(TestClock::new()), 1);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(serve(listener, sandbox, async { drop(stopped.await) }));
        Self {
            base,
            client: WebhookTransport::new().unwrap(),
            stop,
            task,
        }
    }

    async fn send(
        &self,
        mut request: HttpRequest,
        deadline: Duration,
    ) -> Result<HttpResponse, TransportError> {
        request.url = format!(
            "{}{}",
            self.base,
            request.url.trim_start_matches("https://stripe.test")
        );
        self.client.send(request, deadline).await
    }

    async fn admin(&self, method: &str, path: &str, input: &Value) -> (u16, Value) {
        let request = HttpRequest {
            method: method.to_owned(),
            url: format!("https://stripe.test/admin{path}"),
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: if input.is_null() {
                Vec::new()
            } else {
                input.to_string().into_bytes()
            },
        };
        let response = self.send(request, Duration::from_secs(5)).await.unwrap();
        (response.status, body(&response))
    }

    async fn fault(&self, kind: &str, ms: u64) {
        let (status, answer) = self
            .admin(
                "POST",
                "/faults",
                &json!({"system": "stripe", "operation": "payment_intent_create", "kind": kind, "ms": ms}),
            )
            .await;
        assert_eq!(status, 200, "{answer}");
    }
}

fn pay(key: &str) -> HttpRequest {
    stripe(
        "POST",
        "/v1/payment_intents",
        Some(key),
        &payment("pm_card_visa"),
    )
}

const SOON: Duration = Duration::from_secs(5);

#[tokio::test]
async fn faults_are_visible_over_a_socket() {
    let server = Server::start().await;
    let paid = server.send(pay("a"), SOON).await.unwrap();
    assert_eq!(
        (paid.status, body(&paid)["status"].as_str()),
        (200, Some("succeeded"))
    );
    let count = async || {
        server.admin("GET", "/state", &Value::Null).await.1["stripe"]["payment_intents"]
            .as_array()
            .unwrap()
            .len()
    };

    server.fault("reset_before_effect", 0).await;
    assert!(matches!(
        server.send(pay("b"), SOON).await,
        Err(TransportError::Broken(_))
    ));
    assert_eq!(count().await, 1);
    server.fault("reset_after_effect", 0).await;
    assert!(matches!(
        server.send(pay("c"), SOON).await,
        Err(TransportError::Broken(_))
    ));
    assert_eq!(count().await, 2);
    server.fault("timeout_after_effect", 30_000).await;
    assert_eq!(
        server.send(pay("d"), Duration::from_millis(200)).await,
        Err(TransportError::Timeout)
    );
    assert_eq!(count().await, 3);
    server.fault("timeout_before_effect", 100).await;
    assert!(matches!(
        server.send(pay("e"), SOON).await,
        Err(TransportError::Broken(_))
    ));
    assert_eq!(count().await, 3);
    server.fault("garbage_body", 0).await;
    let garbage = server.send(pay("f"), SOON).await.unwrap();
    assert!(garbage.status == 200 && serde_json::from_slice::<Value>(&garbage.body).is_err());
    assert_eq!(count().await, 4);
    // Slower than its caller: the server applies it anyway.
    server.fault("slow", 300).await;
    assert_eq!(
        server.send(pay("g"), Duration::from_millis(100)).await,
        Err(TransportError::Timeout)
    );
    tokio::time::sleep(Duration::from_millis(500)).await;
    let calls = server.admin("GET", "/calls", &Value::Null).await.1;
    let effects: Vec<_> = items(&calls)
        .iter()
        .map(|call| call["effect"].as_str().unwrap())
        .collect();
    assert_eq!(
        effects,
        [
            "applied", "none", "applied", "applied", "none", "applied", "applied"
        ]
    );
    assert_eq!(calls[6]["status"], Value::Null);

    server.stop.send(()).unwrap();
    server.task.await.unwrap().unwrap();
}

#[tokio::test]
async fn the_admin_api_names_invalid_fields() {
    let server = Server::start().await;
    let fault = |more: Value| {
        let mut fault = json!({"system": "stripe", "kind": "slow"});
        fault
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        ("/faults", fault)
    };
    let edit = |object: &str| json!({"object": object, "id": "a01", "fields": {}});
    let key = |name: &str, value: Value| json!({"key": "sk_test_1", name: value});
    for ((path, input), field) in [
        (fault(json!({"system": null})), "system"),
        (fault(json!({"system": "fax"})), "system"),
        (fault(json!({"operation": "query"})), "operation"),
        (fault(json!({"kind": "sulk"})), "kind"),
        (fault(json!({"kind": "expired_session"})), "kind"),
        (fault(json!({"kind": "status"})), "status"),
        (fault(json!({"kind": "status", "status": 200})), "status"),
        (fault(json!({"count": -1})), "count"),
        (fault(json!({"ms": "long"})), "ms"),
        (("/latency", json!({"profile": "snail"})), "profile"),
        (
            (
                "/latency",
                json!({"system": "stripe", "operation": "customers"}),
            ),
            "ms",
        ),
        (("/reset", json!({"seed": "one"})), "seed"),
        (
            ("/edit", json!({"object": "Booking__c", "id": "a01"})),
            "fields",
        ),
        (("/edit", edit("Nothing__c")), "object"),
        (("/edit", json!([1])), "body"),
        (("/refund", json!({})), "id"),
        (("/refund", json!({"id": "re_none"})), "id"),
        (("/dispute", json!({"id": "ch_none"})), "id"),
        (
            ("/dispute", json!({"id": "du_none", "status": "lost"})),
            "id",
        ),
        (("/stripe/payment", json!({})), "amount"),
        (
            (
                "/stripe/payment",
                json!({"amount": 500, "payment_method": "pm_none"}),
            ),
            "payment_method",
        ),
        (
            ("/stripe/refund", json!({"payment_intent": "pi_none"})),
            "payment_intent",
        ),
        (("/stripe/key", key("account", json!("two"))), "account"),
        (
            ("/stripe/key", key("lacks", json!(["everything"]))),
            "lacks",
        ),
        (
            ("/stripe/omit", json!({"fields": ["amount_received"]})),
            "fields",
        ),
    ] {
        let (status, answer) = server.admin("POST", path, &input).await;
        assert_eq!(
            (status, answer["field"].as_str()),
            (400, Some(field)),
            "{path} {input} {answer}"
        );
    }
    assert_eq!(
        server.admin("GET", "/faults", &Value::Null).await,
        (200, json!([]))
    );
    server.fault("slow", 1).await;
    assert_eq!(
        server.admin("GET", "/faults", &Value::Null).await.1[0]["kind"],
        "slow"
    );
    assert_eq!(
        server.admin("DELETE", "/faults", &Value::Null).await,
        (200, json!({"removed": 1}))
    );
    assert_eq!(server.admin("GET", "/nothing", &Value::Null).await.0, 404);
    let (_, state) = server.admin("GET", "/state", &Value::Null).await;
    assert_eq!(items(&state["salesforce"]["Hotel_Room__c"]).len(), 44);
    assert_eq!(state["twilio"], json!({"messages": []}));
    let room = state["salesforce"]["Hotel_Room__c"][0]["Id"].clone();
    let (status, answer) = server
        .admin(
            "POST",
            "/edit",
            &json!({"object": "Hotel_Room__c", "id": room, "fields": {"Status__c": "Maintenance"}}),
        )
        .await;
    assert_eq!(status, 200, "{answer}");
    let (_, after) = server.admin("GET", "/state", &Value::Null).await;
    assert_eq!(
        after["salesforce"]["Hotel_Room__c"][0]["Status__c"],
        "Maintenance"
    );
    assert_eq!(
        server.admin("POST", "/reset", &json!({"seed": 1})).await.0,
        200
    );
    assert_eq!(
        server.admin("GET", "/state", &Value::Null).await.1["salesforce"],
        state["salesforce"]
    );
}

#[tokio::test]
async fn events_are_delivered_automatically() {
    let server = Server::start().await;
    let (heard_tx, mut heard) = tokio::sync::mpsc::unbounded_channel::<(Option<String>, Value)>();
    let ear = axum::Router::new().fallback(move |headers: axum::http::HeaderMap, text: String| {
        let signature = headers
            .get("stripe-signature")
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned);
        drop(heard_tx.send((signature, serde_json::from_str(&text).unwrap())));
        async { "ok" }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/webhooks/stripe", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, ear).await });
    let pairs = [
        ("url", url.as_str()),
        ("enabled_events[]", "payment_intent.succeeded"),
    ];
    server
        .send(stripe("POST", "/v1/webhook_endpoints", None, &pairs), SOON)
        .await
        .unwrap();
    server.send(pay("k"), SOON).await.unwrap();
    let (signature, event) = tokio::time::timeout(SOON, heard.recv())
        .await
        .unwrap()
        .unwrap();
    assert!(signature.unwrap().contains(",v1="));
    assert_eq!(event["type"], "payment_intent.succeeded");
}
