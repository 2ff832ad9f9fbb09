//! The real tools over MCP: server, store, connectors and sandbox together.

use crate::prelude::*;

#[tokio::test]
async fn personas_are_separate() {
    let hotel = TestHotel::open().await;
    let guest_token = hotel.token(Persona::Guest, BETH).await;
    let staff_token = hotel.token(Persona::Staff, "frontdesk@dewy.example").await;
    for (persona, token) in [("staff", &guest_token), ("guest", &staff_token)] {
        let response = Mcp::new(&hotel.server.public_url, persona, token)
            .message(Era::Legacy, "tools/list", json!({}))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 401);
    }
}

#[tokio::test]
async fn a_disabled_account_loses_access_at_once() {
    let hotel = TestHotel::open().await;
    let staff = hotel.staff_mcp("manager@dewy.example").await;
    let (status, _) = staff.send(Era::Legacy, "tools/list", json!({})).await;
    assert_eq!(status, 200);
    let shut = |account: &mut dewy_store::StaffAccount| account.disabled = true;
    hotel.change_staff("manager@dewy.example", shut).await;
    let gone = staff
        .message(Era::Legacy, "tools/list", json!({}))
        .send()
        .await
        .unwrap();
    assert_eq!(gone.status(), 401);
}

#[tokio::test]
async fn a_disconnected_caller_loses_no_check_out() {
    let hotel = TestHotel::open().await;
    hotel
        .fault("stripe", "payment_intent_create", "slow", 1, 1500)
        .await;
    let guest = hotel.guest_mcp(BETH).await;
    let params = json!({ "name": "process_guest_checkout", "arguments": { "amount": 25000, "idempotency_token": "gone" } });
    let left = guest
        .message(Era::Modern, "tools/call", params)
        .timeout(Duration::from_millis(300))
        .send()
        .await;
    drop(left);
    let asked = json!({ "idempotency_token": "gone" });
    for _ in 0..100 {
        let found = guest
            .call(Era::Modern, "get_execution", asked.clone())
            .await;
        if found["structuredContent"]["data"]["at_rest"] == true {
            assert_eq!(
                found["structuredContent"]["data"]["state"], "completed",
                "{found}"
            );
            hotel.close().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the check-out was lost");
}

#[tokio::test]
async fn calls_in_progress_are_answered_at_shutdown() {
    let hotel = TestHotel::with(&[("REQUEST_WAIT_SECONDS", "3")]).await;
    hotel
        .fault("stripe", "payment_intent_create", "slow", 1, 1500)
        .await;
    let guest = hotel.guest_mcp(BETH).await;
    let call = tokio::spawn(async move {
        guest
            .call(
                Era::Modern,
                "process_guest_checkout",
                json!({ "amount": 25000, "idempotency_token": "closing" }),
            )
            .await
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    let began = Instant::now();
    hotel.close().await;
    assert!(
        began.elapsed() < Duration::from_secs(30),
        "{:?}",
        began.elapsed()
    );
    let answer = call.await.unwrap();
    assert_eq!(
        answer["isError"], false,
        "finished or pending, but not lost: {answer}"
    );
}
