//! Every row of Stripe's idempotency matrix.

use dewy_domain::ports::Transport as _;

use crate::{
    prelude::*,
    sandbox_client::{intents, json},
};

const PATH: &str = "/v1/payment_intents";

#[tokio::test(start_paused = true)]
async fn a_success_is_replayed_to_the_byte() {
    let sandbox = sandbox();
    let (first, _) = pay(&sandbox, Some("k"), "pm_card_visa").await;
    assert_eq!(first.status, 200);
    assert_eq!(first.header("idempotent-replayed"), None);
    assert!(first.header("request-id").unwrap().starts_with("req_"));
    assert_eq!(last(&sandbox).effect, "applied");
    pass(3600).await;
    let (again, _) = pay(&sandbox, Some("k"), "pm_card_visa").await;
    assert_eq!((again.status, &again.body), (200, &first.body));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(intents(&sandbox), 1);
    assert_eq!(last(&sandbox).effect, "replayed");
}

#[tokio::test(start_paused = true)]
async fn parameters_may_change_their_order_and_spelling_but_not_their_values() {
    let sandbox = sandbox();
    pay(&sandbox, Some("k"), "pm_card_visa").await;
    let mut turned = payment("pm_card_visa");
    turned.reverse();
    let (same, _) = post(&sandbox, PATH, Some("k"), &turned).await;
    assert_eq!(same.header("idempotent-replayed"), Some("true"));
    let mut other = payment("pm_card_visa");
    other[0].1 = "25001";
    let (refused, body) = post(&sandbox, PATH, Some("k"), &other).await;
    assert_eq!(refused.status, 400);
    assert_eq!(body["error"]["type"], "idempotency_error");
    assert!(body["error"].get("code").is_none());
    assert!(
        body["error"]["message"]
            .as_str()
            .unwrap()
            .contains("Try using a key other than 'k'")
    );
    let (endpoint, body) = post(&sandbox, "/v1/customers", Some("k"), &[]).await;
    assert_eq!(
        (endpoint.status, body["error"]["type"].as_str()),
        (400, Some("idempotency_error"))
    );
    assert_eq!(intents(&sandbox), 1);
}

#[tokio::test(start_paused = true)]
async fn a_decline_is_replayed_and_only_a_new_key_charges_again() {
    let sandbox = sandbox();
    let (first, body) = pay(&sandbox, Some("k"), "pm_card_visa_chargeDeclined").await;
    assert_eq!(first.status, 402);
    let (again, replayed) = pay(&sandbox, Some("k"), "pm_card_visa_chargeDeclined").await;
    assert_eq!((again.status, &replayed), (402, &body));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(intents(&sandbox), 1);
    let (fresh, _) = pay(&sandbox, Some("k2"), "pm_card_visa").await;
    assert_eq!(fresh.status, 200);
}

#[tokio::test(start_paused = true)]
async fn a_500_sticks_to_its_key() {
    let sandbox = sandbox();
    sandbox.add_fault(payment_fault(FaultKind::Status).status(500));
    let (first, body) = pay(&sandbox, Some("k"), "pm_card_visa").await;
    assert_eq!(
        (first.status, first.header("stripe-should-retry")),
        (500, Some("false"))
    );
    assert_eq!(body["error"]["type"], "api_error");
    for _ in 0..3 {
        let (again, same) = pay(&sandbox, Some("k"), "pm_card_visa").await;
        assert_eq!(
            (again.status, again.header("stripe-should-retry")),
            (500, Some("false"))
        );
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        assert_eq!(same, body);
    }
    assert_eq!(intents(&sandbox), 0);
}

#[tokio::test(start_paused = true)]
async fn requests_that_never_started_are_not_stored() {
    let sandbox = sandbox();
    let good = payment("pm_card_visa");
    // Validation.
    let (refused, _) = post(
        &sandbox,
        PATH,
        Some("v"),
        &[("amount", "x"), ("currency", "usd")],
    )
    .await;
    assert_error(&refused, 400, "parameter_invalid_integer");
    assert_eq!(post(&sandbox, PATH, Some("v"), &good).await.0.status, 200);
    // No key.
    let mut unknown = stripe("POST", PATH, Some("u"), &good);
    unknown.headers[0].1 = "Bearer nonsense".to_owned();
    assert_eq!(send(&sandbox, unknown).await.unwrap().status, 401);
    assert_eq!(post(&sandbox, PATH, Some("u"), &good).await.0.status, 200);
    // The limiter, the lock, and a gateway's 503.
    for (key, fault) in [
        ("r", payment_fault(FaultKind::Status).status(429)),
        ("l", payment_fault(FaultKind::LockTimeout)),
        ("g", payment_fault(FaultKind::Status).status(503)),
        ("c", payment_fault(FaultKind::Status).status(409)),
    ] {
        sandbox.add_fault(fault);
        let (first, _) = post(&sandbox, PATH, Some(key), &good).await;
        assert!(
            first.status == 429 || first.status == 503 || first.status == 409,
            "{key}"
        );
        let (second, _) = post(&sandbox, PATH, Some(key), &good).await;
        assert_eq!(
            (second.status, second.header("idempotent-replayed")),
            (200, None),
            "{key}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_key_is_in_use_while_its_first_request_runs() {
    let sandbox = sandbox();
    sandbox.set_latency(Latency::reference());
    let good = payment("pm_card_visa");
    let first = send(&sandbox, stripe("POST", PATH, Some("k"), &good));
    let second = async {
        pass(1).await;
        send(&sandbox, stripe("POST", PATH, Some("k"), &good)).await
    };
    let (first, second) = tokio::join!(first, second);
    let second = second.unwrap();
    assert_eq!(first.unwrap().status, 200);
    assert_eq!(second.status, 409);
    assert_eq!(json(&second)["error"]["code"], "idempotency_key_in_use");
    // The conflict was not stored: now it is a replay.
    let (third, _) = post(&sandbox, PATH, Some("k"), &good).await;
    assert_eq!(
        (third.status, third.header("idempotent-replayed")),
        (200, Some("true"))
    );
    assert_eq!(intents(&sandbox), 1);
}

#[tokio::test(start_paused = true)]
async fn a_disconnected_caller_does_not_stop_its_request() {
    let sandbox = sandbox();
    sandbox.set_latency(Latency::reference());
    let request = stripe("POST", PATH, Some("k"), &payment("pm_card_visa"));
    assert!(
        sandbox
            .send(request.clone(), Duration::from_secs(1))
            .await
            .is_err()
    );
    assert_eq!(intents(&sandbox), 0);
    pass(2).await;
    assert_eq!(intents(&sandbox), 1);
    assert_eq!(
        (last(&sandbox).status, last(&sandbox).effect.as_str()),
        (None, "applied")
    );
    let again = send(&sandbox, request).await.unwrap();
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
}

#[tokio::test(start_paused = true)]
async fn after_24_hours_a_key_is_new() {
    let sandbox = sandbox();
    pay(&sandbox, Some("k"), "pm_card_visa").await;
    pass(24 * 3600 - 1).await;
    pay(&sandbox, Some("k"), "pm_card_visa").await;
    assert_eq!(intents(&sandbox), 1);
    pass(1).await;
    let (again, _) = pay(&sandbox, Some("k"), "pm_card_visa").await;
    assert_eq!(again.header("idempotent-replayed"), None);
    assert_eq!(intents(&sandbox), 2);
}

#[tokio::test(start_paused = true)]
async fn keys_apply_to_posts_and_have_at_most_255_characters() {
    let sandbox = sandbox();
    let long = "k".repeat(256);
    assert_eq!(
        pay(&sandbox, Some(&long), "pm_card_visa").await.0.status,
        400
    );
    let mut request = stripe("GET", PATH, Some("k"), &[]);
    assert_eq!(send(&sandbox, request.clone()).await.unwrap().status, 200);
    request.url.push_str("?limit=1");
    assert_eq!(
        send(&sandbox, request)
            .await
            .unwrap()
            .header("idempotent-replayed"),
        None
    );
    assert_eq!(get(&sandbox, PATH, &[("limit", "0")]).await.0, 400);
}
