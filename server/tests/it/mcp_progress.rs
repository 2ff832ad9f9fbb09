//! Progress notifications for MCP clients that sent a progress token.

use crate::prelude::*;

/// The messages of an event stream, in order.
async fn messages(mcp: &Mcp, era: Era, token: &str) -> Vec<Value> {
    let params = json!({ "name": "process_guest_checkout", "_meta": { "progressToken": "mine" },
        "arguments": { "amount": 25000, "idempotency_token": token } });
    let response = mcp.message(era, "tools/call", params).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    let text = response.text().await.unwrap();
    text.lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .filter_map(|data| serde_json::from_str(data.trim()).ok())
        .collect()
}

#[tokio::test]
async fn progress_names_the_steps_of_a_saga() {
    for era in ERAS {
        let hotel = TestHotel::open().await;
        hotel
            .fault("stripe", "payment_intent_create", "slow", 1, 600)
            .await;
        let guest = hotel.guest_mcp(BETH).await;
        let mut messages = messages(&guest, era, "told").await;
        let answer = messages.pop().unwrap();
        assert_eq!(
            answer["result"]["structuredContent"]["data"]["booking_status"], "Checked Out",
            "{answer}"
        );
        assert_eq!(answer["id"], 7);
        assert!(!messages.is_empty());
        let mut last = 0.0;
        for news in &messages {
            assert_eq!(news["method"], "notifications/progress", "{news}");
            assert_eq!(news["params"]["progressToken"], "mine");
            let now = news["params"]["progress"].as_f64().unwrap();
            assert!(now > last, "it only rises: {messages:?}");
            last = now;
        }
        let words = messages
            .iter()
            .filter_map(|news| news["params"]["message"].as_str())
            .collect::<Vec<_>>();
        assert!(
            words.iter().any(|words| words.contains("Charge the card")),
            "{words:?}"
        );
        hotel.close().await;
    }
}

#[tokio::test]
async fn progress_includes_compensations() {
    let hotel = TestHotel::with(&[("FORWARD_BUDGET_SECONDS", "1")]).await;
    hotel
        .fault("salesforce", "composite", "unable_to_lock_row", 20, 0)
        .await;
    hotel.fault("stripe", "refund_create", "slow", 1, 600).await;
    let guest = hotel.guest_mcp(BETH).await;
    let messages = messages(&guest, Era::Modern, "back").await;
    let words = messages
        .iter()
        .filter_map(|news| news["params"]["message"].as_str())
        .collect::<Vec<_>>();
    assert!(
        words
            .iter()
            .any(|words| words.contains("Turning back") && words.contains("Refund the payment")),
        "{words:?}"
    );
}

#[tokio::test]
async fn without_a_progress_token_there_is_one_response() {
    let hotel = TestHotel::open().await;
    let guest = hotel.guest_mcp(BETH).await;
    for era in ERAS {
        for params in [
            json!({ "name": "get_folio", "arguments": {}, "_meta": { "progressToken": 1 } }),
            json!({ "name": "process_guest_checkout", "arguments": { "amount": 1, "idempotency_token": "a" } }),
            json!({ "name": "process_guest_checkout", "arguments": { "amount": 1 }, "_meta": { "progressToken": 1 } }),
        ] {
            let response = guest
                .message(era, "tools/call", params)
                .send()
                .await
                .unwrap();
            assert_eq!(response.headers()["content-type"], "application/json");
            assert!(response.json::<Value>().await.unwrap()["result"].is_object());
        }
    }
}
