//! Holds, as in Stripe: manual capture, release, expiry.

use crate::prelude::*;

const PATH: &str = "/v1/payment_intents";
const DAY: u64 = 86_400;
const CARD: &str = "pm_1BethVisa4242";

/// A hold of $250.00.
async fn held(sandbox: &Sandbox, card: &'static str, more: &[(&str, &str)]) -> Value {
    let manual = [("capture_method", "manual"), ("expand[]", "latest_charge")];
    let saved = [("customer", "cus_BethGibbs0001")];
    let owner = if card == CARD { &saved[..] } else { &[] };
    let pairs = [payment(card).as_slice(), &manual, owner, more].concat();
    let (response, intent) = post(sandbox, PATH, None, &pairs).await;
    assert_eq!(response.status, 200, "{intent}");
    intent
}

async fn capture(sandbox: &Sandbox, intent: &Value, amount: &str) -> (HttpResponse, Value) {
    let path = format!("{PATH}/{}/capture", id_of(intent));
    let amount = [("amount_to_capture", amount)];
    post(sandbox, &path, None, &amount).await
}

async fn charge(sandbox: &Sandbox, intent: &Value) -> Value {
    let path = format!("{PATH}/{}", id_of(intent));
    let (_, intent) = get(sandbox, &path, &[("expand[]", "latest_charge")]).await;
    intent["latest_charge"].clone()
}

fn events(sandbox: &Sandbox) -> Vec<String> {
    let state = sandbox.state();
    let events = items(&state["stripe"]["events"]);
    events.iter().map(|event| text_of(&event["type"])).collect()
}

#[tokio::test(start_paused = true)]
async fn a_hold_reserves_and_takes_nothing() {
    let sandbox = sandbox();
    let intent = held(&sandbox, CARD, &[]).await;
    assert_fields(
        &intent,
        json!({ "status": "requires_capture", "amount_capturable": 25000, "amount_received": 0 }),
    );
    let expected = json!({ "captured": false, "amount_captured": 0, "amount_refunded": 0 });
    assert_fields(&intent["latest_charge"], expected);
    let (refused, _) = post(
        &sandbox,
        "/v1/refunds",
        None,
        &[("payment_intent", id_of(&intent))],
    )
    .await;
    assert_eq!(refused.status, 400, "there is nothing to refund");
}

#[tokio::test(start_paused = true)]
async fn a_capture_takes_exactly_its_amount_and_releases_the_rest() {
    let sandbox = sandbox();
    let intent = held(&sandbox, CARD, &[]).await;
    let (too_much, _) = capture(&sandbox, &intent, "25001").await;
    assert_error(&too_much, 400, "amount_too_large");
    let (nothing, _) = capture(&sandbox, &intent, "0").await;
    assert_error(&nothing, 400, "parameter_invalid_integer");
    let (_, captured) = capture(&sandbox, &intent, "20000").await;
    assert_fields(
        &captured,
        json!({ "status": "succeeded", "amount": 25000, "amount_received": 20000, "amount_capturable": 0 }),
    );
    assert_fields(
        &charge(&sandbox, &intent).await,
        json!({ "captured": true, "amount_captured": 20000, "amount_refunded": 5000, "refunded": false }),
    );
    assert!(events(&sandbox).contains(&"charge.captured".to_owned()));
    let (again, body) = capture(&sandbox, &intent, "5000").await;
    assert_error(&again, 400, "payment_intent_unexpected_state");
    assert_eq!(body["error"]["payment_intent"]["status"], "succeeded");
    let of_it = [("payment_intent", id_of(&intent))];
    let (_, refund) = post(&sandbox, "/v1/refunds", None, &of_it).await;
    assert_eq!(refund["amount"], 20000, "only what was captured");
    pass(8 * DAY).await;
    assert_eq!(charge(&sandbox, &intent).await["amount_captured"], 20000);
}

#[tokio::test(start_paused = true)]
async fn a_canceled_hold_is_released_and_not_captured() {
    let sandbox = sandbox();
    let intent = held(&sandbox, CARD, &[]).await;
    let path = format!("{PATH}/{}/cancel", id_of(&intent));
    let (_, canceled) = post(&sandbox, &path, None, &[]).await;
    assert_fields(
        &canceled,
        json!({ "status": "canceled", "amount_capturable": 0, "amount_received": 0 }),
    );
    // Stripe counts it as refunded, and says so to its subscribers
    let charge = charge(&sandbox, &intent).await;
    assert_fields(&charge, json!({ "captured": false, "refunded": true }));
    assert!(events(&sandbox).contains(&"charge.refunded".to_owned()));
    let (late, body) = capture(&sandbox, &intent, "25000").await;
    assert_error(&late, 400, "payment_intent_unexpected_state");
    assert_eq!(
        body["error"]["message"],
        "This PaymentIntent could not be captured because it has a status of canceled. Only a PaymentIntent with one of the following statuses may be captured: requires_capture."
    );
}

/// Off session, Visa's window is shorter: 4 days and 18 hours.
#[tokio::test(start_paused = true)]
async fn a_hold_expires_by_network_and_by_who_started_it() {
    let cases = [
        (CARD, "false", 7 * DAY),
        (CARD, "true", 4 * DAY + 18 * 3600),
        ("pm_card_mastercard", "true", 7 * DAY),
    ];
    for (card, off_session, window) in cases {
        let sandbox = sandbox();
        let intent = held(&sandbox, card, &[("off_session", off_session)]).await;
        let details = &intent["latest_charge"]["payment_method_details"]["card"];
        let began = intent["created"].as_u64().unwrap();
        assert_eq!(
            details["capture_before"],
            began + window,
            "{card} {off_session}"
        );
        pass(window - 60).await;
        let path = format!("{PATH}/{}", id_of(&intent));
        let (_, alive) = get(&sandbox, &path, &[]).await;
        assert_eq!(alive["status"], "requires_capture");
        pass(61).await;
        let (_, gone) = get(&sandbox, &path, &[]).await;
        assert_fields(
            &gone,
            json!({ "status": "canceled", "cancellation_reason": "automatic", "amount_capturable": 0 }),
        );
        let (late, _) = capture(&sandbox, &intent, "100").await;
        assert_error(&late, 400, "payment_intent_unexpected_state");
        let of_it = [("payment_intent", id_of(&intent))];
        let (_, released) = get(&sandbox, "/v1/refunds", &of_it).await;
        assert_fields(
            &released["data"][0],
            json!({ "reason": "expired_uncaptured_charge", "amount": 25000 }),
        );
        assert!(events(&sandbox).contains(&"charge.expired".to_owned()));
    }
}

/// A capture that is repeated with its key answers as the first one did.
#[tokio::test(start_paused = true)]
async fn a_repeated_capture_is_one_capture() {
    let sandbox = sandbox();
    let intent = held(&sandbox, CARD, &[]).await;
    let path = format!("{PATH}/{}/capture", id_of(&intent));
    let once = async || {
        let amount = [("amount_to_capture", "20000")];
        post(&sandbox, &path, Some("exe_1:capture"), &amount)
            .await
            .1
    };
    assert_eq!(once().await, once().await);
    assert_eq!(charge(&sandbox, &intent).await["amount_captured"], 20000);
}
