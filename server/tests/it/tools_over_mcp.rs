//! The real tools over MCP: server, store, connectors and sandbox together.

use std::time::Duration;

use dewy_domain::caller::Persona;
use serde_json::json;

use crate::{
    mcp::{ERAS, Era, Mcp},
    test_hotel::TestHotel,
};

const BETH: &str = "beth.gibbs@email.com";

#[tokio::test]
async fn a_guest_reads_the_folio_and_checks_out() {
    let hotel = TestHotel::open().await;
    let guest = hotel.guest_mcp(BETH).await;
    for era in ERAS {
        let folio = guest.call(era, "get_folio", json!({})).await;
        assert_eq!(folio["isError"], false, "{folio}");
        assert_eq!(
            folio["structuredContent"]["data"]["balance"], 25000,
            "{folio}"
        );
        assert!(
            folio["content"][0]["text"]
                .as_str()
                .unwrap()
                .contains("302"),
            "{folio}"
        );
    }
    let wrong = guest
        .call(
            Era::Modern,
            "process_guest_checkout",
            json!({ "amount": 24999, "idempotency_token": "a" }),
        )
        .await;
    assert_eq!(
        wrong["structuredContent"]["error_code"], "AMOUNT_MISMATCH",
        "{wrong}"
    );
    let order = json!({ "amount": 25000, "idempotency_token": "b" });
    let done = guest
        .call(Era::Modern, "process_guest_checkout", order.clone())
        .await;
    assert_eq!(done["isError"], false, "{done}");
    assert_eq!(
        done["structuredContent"]["data"]["booking_status"], "Checked Out",
        "{done}"
    );
    let again = guest
        .call(Era::Legacy, "process_guest_checkout", order)
        .await;
    assert_eq!(again["structuredContent"]["replayed"], true, "{again}");
    assert_eq!(
        again["structuredContent"]["execution_id"],
        done["structuredContent"]["execution_id"]
    );
    let state = hotel.state();
    let captured: Vec<_> = state["stripe"]["payment_intents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|p| p["status"] == "succeeded")
        .collect();
    assert_eq!(captured.len(), 1, "{captured:?}");
    hotel.close().await;
}

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
    let guest = hotel.guest_mcp(BETH).await;
    let other = guest
        .call(
            Era::Modern,
            "get_folio",
            json!({ "guest_email": "wei.chen@example.com" }),
        )
        .await;
    assert_eq!(
        other["structuredContent"]["error_code"], "NOT_YOUR_STAY",
        "{other}"
    );
    let faulty = guest
        .call(
            Era::Modern,
            "process_guest_checkout",
            json!({ "amount": -5, "color": "red" }),
        )
        .await;
    let problems = faulty["structuredContent"]["details"]["problems"].to_string();
    for field in ["amount", "color", "idempotency_token"] {
        assert!(problems.contains(field), "{field} in {faulty}");
    }
    hotel.close().await;
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
    hotel.close().await;
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
    let began = std::time::Instant::now();
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
