//! What those who run it look at.

use serde_json::json;

use crate::{hotel::TestHotel, mcp::Era};

#[tokio::test]
async fn alive_ready_and_counted() {
    let hotel = TestHotel::open().await;
    assert_eq!(hotel.get("/healthz").await.status(), 200);
    assert_eq!(hotel.get("/readyz").await.status(), 200);
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    guest.call(Era::Modern, "get_folio", json!({})).await;
    guest.call(Era::Modern, "get_folio", json!({ "booking_number": "BK-999999" })).await;
    let text = hotel.get("/metrics").await.text().await.unwrap();
    for line in [
        "dewy_calls_total{tool=\"get_folio\",outcome=\"done\",interface=\"mcp\"}",
        "dewy_calls_total{tool=\"get_folio\",outcome=\"BOOKING_NOT_FOUND\",interface=\"mcp\"}",
        "dewy_upstream_calls_total{system=\"salesforce\",operation=\"query\",outcome=\"done\"}",
        "dewy_executions{state=\"needs_attention\"}",
        "dewy_salesforce_quota_used",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    assert!(!text.contains('@'), "no person in the metrics");
    hotel.close().await;
}

#[tokio::test]
async fn calls_are_on_record() {
    let hotel = TestHotel::open().await;
    let desk = hotel.staff_mcp("frontdesk@dewy.example").await;
    desk.call(Era::Modern, "get_folio", json!({ "guest_email": "Beth.Gibbs@email.com" })).await;
    let store = hotel.server.store.clone();
    let filter = dewy_store::CallFilter { limit: 10, ..Default::default() };
    for _ in 0..50 {
        if let Some(call) = store.calls(&filter).await.unwrap().first() {
            assert_eq!(
                (call.caller.as_str(), call.tool.as_str(), call.outcome.as_str()),
                ("staff:frontdesk@dewy.example", "get_folio", "OK")
            );
            assert_eq!(call.on_behalf_of.as_deref(), Some("beth.gibbs@email.com"));
            hotel.close().await;
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the call was not recorded");
}
