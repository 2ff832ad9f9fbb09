//! Webhooks: signed, and retried until accepted.

use std::sync::Mutex;

use async_trait::async_trait;
use dewy_domain::ports::Transport;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::prelude::*;

const ENDPOINTS: &str = "/v1/webhook_endpoints";

/// Rejects the first `refusals` events.
#[derive(Debug, Default)]
struct WebhookReceiver {
    refusals: Mutex<u32>,
    heard: Mutex<Vec<HttpRequest>>,
}

#[async_trait]
impl Transport for WebhookReceiver {
    async fn send(
        &self,
        request: HttpRequest,
        _: Duration,
    ) -> Result<HttpResponse, TransportError> {
        let mut refusals = self.refusals.lock().unwrap();
        let status = if *refusals > 0 { 500 } else { 200 };
        *refusals = refusals.saturating_sub(1);
        self.heard.lock().unwrap().push(request);
        Ok(HttpResponse {
            status,
            ..HttpResponse::default()
        })
    }
}

#[tokio::test(start_paused = true)]
async fn subscribed_events_are_signed_and_retried_until_accepted() {
    let sandbox = sandbox();
    let pairs = [
        ("url", "https://hotel.test/webhooks/stripe"),
        ("enabled_events[0]", "payment_intent.succeeded"),
        ("enabled_events[1]", "charge.refunded"),
    ];
    let (_, endpoint) = post(&sandbox, ENDPOINTS, None, &pairs).await;
    let secret = endpoint["secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_"));
    let (_, intent) = pay(&sandbox, Some("k"), "pm_card_visa").await;
    let pending = sandbox.pending_events();
    assert_eq!(pending.len(), 1);
    let event = &pending[0].event;
    assert_eq!(
        (event["type"].as_str(), &event["data"]["object"]["id"]),
        (Some("payment_intent.succeeded"), &intent["id"])
    );
    assert_eq!(event["request"]["idempotency_key"], "k");
    let request = &pending[0].request;
    assert_eq!(request.url, "https://hotel.test/webhooks/stripe");
    let signature = request.header("stripe-signature").unwrap();
    let (time, v1) = signature
        .strip_prefix("t=")
        .unwrap()
        .split_once(",v1=")
        .unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{time}.").as_bytes());
    mac.update(&request.body);
    assert_eq!(hex::encode(mac.finalize().into_bytes()), v1);

    let ear = WebhookReceiver {
        refusals: Mutex::new(2),
        ..WebhookReceiver::default()
    };
    assert_eq!(sandbox.deliver_events(&ear).await, 0);
    assert_eq!(
        sandbox.deliver_events(&ear).await,
        0,
        "not due again at once"
    );
    pass(1).await;
    assert_eq!(sandbox.deliver_events(&ear).await, 0);
    pass(2).await;
    assert_eq!(sandbox.deliver_events(&ear).await, 1);
    assert!(sandbox.pending_events().is_empty());
    let heard = ear.heard.lock().unwrap();
    assert_eq!(heard.len(), 3);
    assert_eq!(heard[0].body[..40], heard[2].body[..40]);
    let told: Value = serde_json::from_slice(&heard[2].body).unwrap();
    assert_eq!(told["type"], "payment_intent.succeeded");
}

#[tokio::test(start_paused = true)]
async fn the_event_exists_before_the_response() {
    let sandbox = sandbox();
    post(
        &sandbox,
        ENDPOINTS,
        None,
        &[("url", "https://hotel.test/w"), ("enabled_events[]", "*")],
    )
    .await;
    sandbox.add_fault(dewy_sandbox::Fault::new(
        dewy_sandbox::System::Stripe,
        "payment_intent_create",
        dewy_sandbox::FaultKind::TimeoutAfterEffect,
    ));
    let request = stripe(
        "POST",
        "/v1/payment_intents",
        None,
        &payment("pm_card_visa"),
    );
    assert!(sandbox.send(request, Duration::from_secs(1)).await.is_err());
    let kinds: Vec<_> = sandbox
        .pending_events()
        .iter()
        .map(|pending| text_of(&pending.event["type"]))
        .collect();
    assert_eq!(
        kinds,
        [
            "payment_intent.created",
            "charge.succeeded",
            "payment_intent.succeeded"
        ]
    );
    sandbox.acknowledge(&sandbox.pending_events()[0].id);
    assert_eq!(sandbox.pending_events().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn endpoints_are_listed_deleted_and_survive_a_reset() {
    let sandbox = sandbox();
    let pairs = [("url", "https://hotel.test/w"), ("enabled_events[]", "*")];
    let (_, one) = post(&sandbox, ENDPOINTS, None, &pairs).await;
    sandbox.reset(2);
    let (_, two) = post(&sandbox, ENDPOINTS, None, &pairs).await;
    assert_ne!(one["id"], two["id"]);
    let list = send(&sandbox, stripe("GET", ENDPOINTS, None, &[]))
        .await
        .unwrap();
    let list: Value = serde_json::from_slice(&list.body).unwrap();
    assert_eq!(items(&list["data"]).len(), 2);
    assert!(list["data"][0].get("secret").is_none());
    let path = format!("{ENDPOINTS}/{}", id_of(&one));
    assert_eq!(
        send(&sandbox, stripe("DELETE", &path, None, &[]))
            .await
            .unwrap()
            .status,
        200
    );
    assert_eq!(
        send(&sandbox, stripe("DELETE", &path, None, &[]))
            .await
            .unwrap()
            .status,
        404
    );
    assert_eq!(
        post(
            &sandbox,
            ENDPOINTS,
            None,
            &[("url", "nowhere"), ("enabled_events[]", "*")]
        )
        .await
        .0
        .status,
        400
    );
}
