//! Stripe events and the return from the bank, over real HTTP.

use dewy_saga::{
    Event, ExecutionId, State,
    journal::{ExecutionFilter, ExecutionRecord},
};

use crate::prelude::*;

/// The secret that the sandbox signs with.
async fn secret(hotel: &TestHotel) -> String {
    let name = format!(
        "stripe_webhook:http://127.0.0.1:{}/webhooks/stripe",
        hotel.server.address.port()
    );
    let kept = hotel
        .server
        .store
        .get_json(&name)
        .await
        .unwrap()
        .expect("the endpoint is registered at the start");
    kept["secret"].as_str().unwrap().to_owned()
}

fn sign(secret: &str, at: i64, body: &str) -> String {
    use hmac::{KeyInit, Mac};
    let mut mac = hmac::Hmac::<sha2::Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{at}.{body}").as_bytes());
    format!("t={at},v1={}", hex::encode(mac.finalize().into_bytes()))
}

/// Posts as Stripe does: no cookie, no origin.
async fn post(hotel: &TestHotel, signature: Option<&str>, body: &str) -> u16 {
    let mut request = crate::fake_dispatcher::client()
        .post(hotel.url("/webhooks/stripe"))
        .body(body.to_owned());
    if let Some(signature) = signature {
        request = request.header("stripe-signature", signature);
    }
    request.send().await.unwrap().status().as_u16()
}

async fn tell(hotel: &TestHotel, event: &Value) {
    let body = event.to_string();
    let signature = sign(&secret(hotel).await, now().as_second(), &body);
    assert_eq!(post(hotel, Some(&signature), &body).await, 200, "{event}");
}

fn event(id: &str, kind: &str, object: &Value) -> Value {
    json!({ "id": id, "object": "event", "type": kind, "created": 1, "data": { "object": object } })
}

fn about(id: &str, kind: &str, execution: &str) -> Value {
    event(
        id,
        kind,
        &json!({ "object": "refund", "id": "re_1", "metadata": { "execution_id": execution } }),
    )
}

/// A check-out, as it came to rest.
async fn check_out(hotel: &TestHotel, card: &str) -> ExecutionId {
    let guest = hotel.guest_mcp(BETH).await;
    let order = json!({ "amount": 25000, "idempotency_token": "b", "payment_method_id": card });
    execution_id(&guest.tool("process_guest_checkout", order).await)
}

const VISA: &str = "pm_card_visa";
const DECLINED: &str = "pm_card_chargeDeclined";

/// Check-out that was paid, couldn't be recorded in Salesforce, and was refunded.
async fn compensated(hotel: &TestHotel) -> ExecutionId {
    hotel
        .fault("salesforce", "composite", "unable_to_lock_row", 0, 0)
        .await;
    let id = check_out(hotel, VISA).await;
    hotel.heal().await;
    for _ in 0..400 {
        if hotel.execution(id).await.state == State::Compensated {
            return id;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{:#?}", hotel.execution(id).await);
}

const PAYMENT: &str = "payment_intent_id";

fn label<'a>(record: &'a ExecutionRecord, wanted: &str) -> Option<&'a str> {
    let mut labels = record.labels.iter();
    let found = labels.find(|(name, _)| name == wanted);
    found.map(|(_, value)| value.as_str())
}

fn payment(record: &ExecutionRecord) -> &str {
    label(record, PAYMENT).unwrap()
}

async fn executions(hotel: &TestHotel, saga: &str) -> Vec<ExecutionRecord> {
    let wanted = ExecutionFilter {
        saga: Some(saga.to_owned()),
        limit: 50,
        ..ExecutionFilter::default()
    };
    hotel.server.store.list(&wanted).await.unwrap()
}

/// Number of this test's events handled by the execution (the sandbox sends its own), once none are
/// pending.
async fn handled_events(hotel: &TestHotel, id: ExecutionId) -> usize {
    for _ in 0..200 {
        let record = hotel.execution(id).await;
        if record.signals.is_empty() && record.worker.is_none() {
            let ours = |event: &Event| matches!(event, Event::SignalHandled { key, .. } if key.starts_with("evt_ours"));
            return record.rows.iter().filter(|row| ours(&row.event)).count();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("a signal was never answered");
}

#[tokio::test]
async fn a_repeated_event_is_handled_once() {
    let hotel = TestHotel::open().await;
    let id = check_out(&hotel, DECLINED).await;
    assert_eq!(handled_events(&hotel, id).await, 0);
    for _ in 0..3 {
        tell(
            &hotel,
            &about("evt_ours_1", "refund.updated", &id.to_string()),
        )
        .await;
    }
    assert_eq!(handled_events(&hotel, id).await, 1);
    // Sent again after it was answered; and another one, which happened before it.
    tell(
        &hotel,
        &about("evt_ours_1", "refund.updated", &id.to_string()),
    )
    .await;
    tell(
        &hotel,
        &about("evt_ours_0", "refund.created", &id.to_string()),
    )
    .await;
    assert_eq!(handled_events(&hotel, id).await, 2);
    assert_eq!(hotel.execution(id).await.state, State::Refused);
}

/// No event undoes a completed check-out or refunds its payment, even if it arrived while the
/// check-out was running.
#[tokio::test]
async fn no_event_undoes_a_completed_check_out() {
    let hotel = TestHotel::open().await;
    let id = check_out(&hotel, VISA).await;
    for (n, kind) in dewy_server::systems::webhook_registration::STRIPE_EVENT_TYPES
        .into_iter()
        .enumerate()
    {
        tell(
            &hotel,
            &about(&format!("evt_ours_{n}"), kind, &id.to_string()),
        )
        .await;
    }
    // Time for what must not come.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(handled_events(&hotel, id).await, 0);
    let record = hotel.execution(id).await;
    assert_eq!(record.state, State::Completed, "{:#?}", record.rows);
    assert_eq!(hotel.state()["stripe"]["refunds"], json!([]));
}

/// Reasons why people have to look at payments, in alphabetical order.
async fn payments_to_review(hotel: &TestHotel) -> Vec<String> {
    let found = executions(hotel, "review_payment").await;
    let open = found
        .iter()
        .filter(|record| record.state == State::NeedsAttention);
    let reasons = open.map(|record| label(record, "attention").unwrap().to_owned());
    let mut reasons: Vec<String> = reasons.collect();
    reasons.sort();
    reasons
}

/// The bank is faster than our journal: the dispute is announced while the answer to the payment is
/// still on its way, so that no execution has the payment's label.
#[tokio::test]
async fn a_dispute_of_a_payment_not_journaled_yet_reaches_a_person() {
    let hotel = TestHotel::open().await;
    hotel
        .fault(
            "stripe",
            "payment_intent_create",
            "timeout_after_effect",
            1,
            5000,
        )
        .await;
    let guest = hotel.guest_mcp(BETH).await;
    let order = json!({
        "amount": 25000, "idempotency_token": "b", "payment_method_id": "pm_card_createDispute",
    });
    let call = guest.tool("process_guest_checkout", order);
    let announced = async {
        for _ in 0..400 {
            if payments_to_review(&hotel).await == ["PAYMENT_DISPUTED"] {
                let all = executions(&hotel, dewy_orchestrators::CHECK_OUT).await;
                return all
                    .iter()
                    .filter(|record| label(record, PAYMENT).is_some())
                    .count();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("nobody was told of the dispute");
    };
    let (_, journaled) = tokio::join!(call, announced);
    assert_eq!(
        journaled, 0,
        "the dispute was seen before the payment was journaled"
    );
}

/// A dispute names no execution; its payment is found by its label.
#[tokio::test]
async fn an_event_finds_its_execution_by_the_payment() {
    let hotel = TestHotel::with(&[("FORWARD_BUDGET_SECONDS", "1")]).await;
    let id = compensated(&hotel).await;
    assert_eq!(handled_events(&hotel, id).await, 0);
    let record = hotel.execution(id).await;
    let object = json!({ "object": "dispute", "payment_intent": payment(&record), "metadata": {} });
    tell(
        &hotel,
        &event("evt_ours_d", "charge.dispute.created", &object),
    )
    .await;
    assert_eq!(handled_events(&hotel, id).await, 1);
    assert_eq!(hotel.execution(id).await.state, State::Compensated);
}

#[tokio::test]
async fn only_events_signed_by_stripe_are_accepted() {
    let hotel = TestHotel::open().await;
    let id = check_out(&hotel, DECLINED).await;
    assert_eq!(handled_events(&hotel, id).await, 0);
    let (secret, at) = (secret(&hotel).await, now().as_second());
    let body = about("evt_ours_1", "refund.failed", &id.to_string()).to_string();
    let good = sign(&secret, at, &body);
    for (why, signature, sent) in [
        ("unsigned", None, body.clone()),
        (
            "another secret",
            Some(sign("whsec_other", at, &body)),
            body.clone(),
        ),
        (
            "tampered with",
            Some(good.clone()),
            body.replace("evt_ours_1", "evt_ours_2"),
        ),
        (
            "signed too long ago",
            Some(sign(&secret, at - 301, &body)),
            body.clone(),
        ),
        (
            "with another time",
            Some(good.replace(&format!("t={at}"), &format!("t={}", at + 1))),
            body.clone(),
        ),
        ("nonsense", Some("nonsense".to_owned()), body.clone()),
        ("no event", Some(sign(&secret, at, "[]")), "[]".to_owned()),
    ] {
        assert_eq!(
            post(&hotel, signature.as_deref(), &sent).await,
            400,
            "{why}"
        );
    }
    let long = " ".repeat(300_000);
    assert_eq!(
        post(&hotel, Some(&sign(&secret, at, &long)), &long).await,
        413
    );
    assert_eq!(handled_events(&hotel, id).await, 0);
    assert_eq!(hotel.get("/webhooks/stripe").await.status(), 405);
    assert_eq!(
        post(&hotel, Some(&good), &body).await,
        200,
        "no cookie and no origin are needed"
    );
}

#[tokio::test]
async fn irrelevant_events_are_accepted_and_unstorable_ones_retried() {
    let hotel = TestHotel::open().await;
    let stranger = "exe_00000000000070008000000000000000";
    assert!(stranger.parse::<ExecutionId>().is_ok());
    for sent in [
        event(
            "evt_ours_1",
            "customer.created",
            &json!({ "object": "customer" }),
        ),
        event("evt_ours_2", "invented.tomorrow", &json!({})),
        about("evt_ours_3", "refund.updated", stranger),
        about("evt_ours_4", "refund.updated", "not an id"),
        event(
            "evt_ours_5",
            "payment_intent.succeeded",
            &json!({ "object": "payment_intent", "id": "pi_of_others" }),
        ),
    ] {
        tell(&hotel, &sent).await;
    }
    let body = about("evt_ours_6", "refund.updated", stranger).to_string();
    let signature = sign(&secret(&hotel).await, now().as_second(), &body);
    hotel.server.store.close().await;
    assert_eq!(post(&hotel, Some(&signature), &body).await, 503);
}

/// A check-out that waits for the guest at the bank's page, and what its caller was told.
async fn check_out_at_the_bank() -> (TestHotel, Value) {
    let hotel = TestHotel::open().await;
    let guest = hotel.guest_mcp(BETH).await;
    let order = json!({
        "amount": 25000, "idempotency_token": "b", "payment_method_id": "pm_card_authenticationRequired",
    });
    let waiting = guest.tool("process_guest_checkout", order).await;
    (hotel, waiting)
}

fn execution_id(answer: &Value) -> ExecutionId {
    let id = answer["execution_id"].as_str();
    id.unwrap_or_else(|| panic!("{answer}")).parse().unwrap()
}

/// Full round trip through the bank's page: the webhook resumes the check-out at once, without
/// waiting for the next poll.
#[tokio::test]
async fn a_confirmed_payment_continues_at_once() {
    let (hotel, content) = check_out_at_the_bank().await;
    let bank = content["pending"]["next_action_url"]
        .as_str()
        .unwrap_or_else(|| panic!("{content}"));
    let id = execution_id(&content);
    let pressed = crate::fake_dispatcher::client()
        .post(bank)
        .form(&[("decision", "complete")])
        .send();
    let back = pressed.await.unwrap();
    assert!(
        back.status().is_redirection() || back.status().is_success(),
        "{back:?}"
    );
    for _ in 0..100 {
        if hotel.execution(id).await.state == State::Completed {
            // Twice, and late: harmless.
            for _ in 0..2 {
                let page = hotel
                    .get(&format!(
                        "/guest/pay/return?execution={id}&redirect_status=succeeded"
                    ))
                    .await;
                assert_eq!(page.status(), 303);
                assert_eq!(
                    page.headers()["location"],
                    format!("/guest/execution/{id}?back=1")
                );
            }
            hotel.close().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{:?}", hotel.execution(id).await);
}

#[tokio::test]
async fn the_bank_return_url_leads_only_to_own_pages() {
    let hotel = TestHotel::open().await;
    let id = check_out(&hotel, VISA).await;
    let record = hotel.execution(id).await;
    let payment = payment(&record);
    for (query, leads) in [
        (
            format!("execution={id}"),
            format!("/guest/execution/{id}?back=1"),
        ),
        (
            format!("payment_intent={payment}&redirect_status=failed"),
            format!("/guest/execution/{id}?back=1"),
        ),
        (
            "payment_intent=pi_of_others".to_owned(),
            "/guest".to_owned(),
        ),
        ("execution=//evil.example".to_owned(), "/guest".to_owned()),
        (String::new(), "/guest".to_owned()),
    ] {
        let page = hotel.get(&format!("/guest/pay/return?{query}")).await;
        assert_eq!(
            (
                page.status().as_u16(),
                page.headers()["location"].to_str().unwrap()
            ),
            (303, leads.as_str())
        );
    }
}

/// Opened again on the same files: the endpoint is known still, and is not made a second time.
#[tokio::test]
async fn the_endpoint_is_registered_once() {
    let sandbox = TestHotel::open().await;
    let url = sandbox.server.sandbox_url.clone().unwrap();
    let endpoint = |address: &str| {
        dewy_server::systems::webhook_registration::SandboxWebhookEndpoint::new(
            sandbox.server.store.clone(),
            &url,
            address.parse().unwrap(),
        )
    };
    let registered = async || {
        let list = crate::fake_dispatcher::client()
            .get(format!("{url}/v1/webhook_endpoints"))
            .bearer_auth("sk_test_sandbox");
        let list: Value = list.send().await.unwrap().json().await.unwrap();
        let urls = list["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| e["url"].as_str().unwrap().to_owned());
        urls.filter(|url| url.contains(":9/")).count()
    };
    let kept = async || {
        sandbox
            .server
            .store
            .get_json("stripe_webhook:http://127.0.0.1:9/webhooks/stripe")
            .await
            .unwrap()
    };
    for _ in 0..2 {
        endpoint("0.0.0.0:9").ensure_registered().await.unwrap();
        assert_eq!(registered().await, 1);
    }
    let first = kept().await.unwrap();
    // The secret was lost: another endpoint takes its place.
    sandbox
        .server
        .store
        .put_json(
            "stripe_webhook:http://127.0.0.1:9/webhooks/stripe",
            &Value::Null,
        )
        .await
        .unwrap();
    endpoint("127.0.0.1:9").ensure_registered().await.unwrap();
    assert_eq!(registered().await, 1);
    assert_ne!(kept().await.unwrap(), first);
    sandbox.close().await;
}
