//! Refunds: limits, and refunds whose status changes later.

use crate::{prelude::*, sandbox_client::refund};

async fn paid(sandbox: &Sandbox, card: &'static str) -> (String, String) {
    let (_, intent) = pay(sandbox, None, card).await;
    (text_of(&intent["id"]), text_of(&intent["latest_charge"]))
}

#[tokio::test(start_paused = true)]
async fn partial_refunds_are_limited_to_the_remainder() {
    let sandbox = sandbox();
    let (intent, charge) = paid(&sandbox, "pm_card_visa").await;
    let path = "/v1/refunds";
    let all = [("charge", charge.as_str()), ("amount", "25001")];
    let (_, answer) = post(&sandbox, path, None, &all).await;
    assert_eq!(
        answer["error"]["message"],
        "Refund amount ($250.01) is greater than charge amount ($250.00)"
    );
    let (_, part) = post(
        &sandbox,
        path,
        None,
        &[
            ("payment_intent", &intent),
            ("amount", "10000"),
            ("reason", "duplicate"),
        ],
    )
    .await;
    assert_fields(
        &part,
        json!({ "status": "succeeded", "amount": 10000, "charge": charge }),
    );
    let (_, after) = get(&sandbox, &format!("/v1/charges/{charge}"), &[]).await;
    assert_fields(
        &after,
        json!({ "amount_refunded": 10000, "refunded": false }),
    );
    let (too_much, answer) = post(
        &sandbox,
        path,
        None,
        &[("charge", &charge), ("amount", "15001")],
    )
    .await;
    assert_eq!(too_much.status, 400);
    assert_eq!(
        answer["error"]["message"],
        "Refund amount ($150.01) is greater than unrefunded amount on charge ($150.00)"
    );
    let (_, rest) = post(
        &sandbox,
        path,
        Some("rest"),
        &[("charge", &charge), ("metadata[execution]", "exe_1")],
    )
    .await;
    assert_eq!(
        (&rest["amount"], &rest["metadata"]["execution"]),
        (&json!(15000), &json!("exe_1"))
    );
    let (_, after) = get(&sandbox, &format!("/v1/charges/{charge}"), &[]).await;
    assert_fields(
        &after,
        json!({ "amount_refunded": 25000, "refunded": true }),
    );
    let (again, _) = post(&sandbox, path, None, &[("payment_intent", &intent)]).await;
    assert_error(&again, 400, "charge_already_refunded");
    // The same key creates no second refund.
    assert_eq!(
        post(
            &sandbox,
            path,
            Some("rest"),
            &[("charge", &charge), ("metadata[execution]", "exe_1")]
        )
        .await
        .1,
        rest
    );
    let (_, intent_after) = get(&sandbox, &format!("/v1/payment_intents/{intent}"), &[]).await;
    assert_eq!(intent_after["status"], "succeeded");
    let (_, list) = get(&sandbox, path, &[("payment_intent", &intent)]).await;
    assert_eq!(items(&list["data"]).len(), 2);
    assert_eq!(list["data"][0]["id"], rest["id"]);
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_refunded() {
    let sandbox = sandbox();
    let (_, open) = post(
        &sandbox,
        "/v1/payment_intents",
        None,
        &[("amount", "500"), ("currency", "usd")],
    )
    .await;
    let open = id_of(&open);
    let (intent, _) = paid(&sandbox, "pm_card_visa").await;
    for (pairs, status) in [
        (vec![], 400),
        (vec![("payment_intent", open)], 400),
        (vec![("payment_intent", "pi_none")], 404),
        (vec![("charge", "ch_none")], 404),
        (
            vec![("payment_intent", intent.as_str()), ("amount", "0")],
            400,
        ),
        (
            vec![("payment_intent", intent.as_str()), ("reason", "mood")],
            400,
        ),
        (
            vec![("payment_intent", intent.as_str()), ("currency", "usd")],
            400,
        ),
    ] {
        let (response, answer) = refund(&sandbox, None, &pairs).await;
        assert_eq!(response.status, status, "{pairs:?} {answer}");
    }
    assert_eq!(sandbox.state()["stripe"]["refunds"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn a_pending_refund_succeeds_later() {
    let sandbox = sandbox();
    let (intent, _) = paid(&sandbox, "pm_card_pendingRefund").await;
    let (_, refund) = refund(&sandbox, None, &[("payment_intent", &intent)]).await;
    assert_eq!(refund["status"], "pending");
    let path = format!("/v1/refunds/{}", id_of(&refund));
    pass(29).await;
    assert_eq!(get(&sandbox, &path, &[]).await.1["status"], "pending");
    pass(1).await;
    assert_eq!(get(&sandbox, &path, &[]).await.1["status"], "succeeded");
}

#[tokio::test(start_paused = true)]
async fn a_failed_refund_is_refundable_again() {
    let sandbox = sandbox();
    let (intent, charge) = paid(&sandbox, "pm_card_refundFail").await;
    let (_, refund) = refund(&sandbox, None, &[("payment_intent", &intent)]).await;
    assert_eq!(refund["status"], "succeeded");
    pass(60).await;
    let (_, later) = get(&sandbox, &format!("/v1/refunds/{}", id_of(&refund)), &[]).await;
    assert_eq!(
        (&later["status"], later["failure_reason"].is_string()),
        (&json!("failed"), true)
    );
    let (_, charge) = get(&sandbox, &format!("/v1/charges/{charge}"), &[]).await;
    assert_fields(&charge, json!({ "amount_refunded": 0, "refunded": false }));
    let (_, events) = get(&sandbox, "/v1/events", &[("type", "refund.failed")]).await;
    assert_eq!(events["data"][0]["data"]["object"]["status"], "failed");
    assert_eq!(events["data"][0]["created"], 1_773_144_030);
    assert_eq!(
        crate::sandbox_client::refund(&sandbox, None, &[("payment_intent", &intent)])
            .await
            .0
            .status,
        200
    );
}

#[tokio::test(start_paused = true)]
async fn a_disputed_charge_cannot_be_refunded() {
    let sandbox = sandbox();
    let (intent, charge) = paid(&sandbox, "pm_card_createDispute").await;
    let (_, shown) = get(&sandbox, &format!("/v1/charges/{charge}"), &[]).await;
    assert_fields(&shown, json!({ "disputed": true, "paid": true }));
    let (refused, _) = refund(&sandbox, Some("k"), &[("payment_intent", &intent)]).await;
    assert_error(&refused, 400, "charge_disputed");
    let (_, disputes) = get(&sandbox, "/v1/disputes", &[("payment_intent", &intent)]).await;
    let dispute = text_of(&disputes["data"][0]["id"]);
    let (_, dispute) = get(&sandbox, &format!("/v1/disputes/{dispute}"), &[]).await;
    assert_fields(
        &dispute,
        json!({ "charge": charge, "amount": 25000, "status": "needs_response" }),
    );
    assert_eq!(sandbox.state()["stripe"]["refunds"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn a_manually_changed_refund_does_not_change_again() {
    let sandbox = sandbox();
    let (intent, _) = paid(&sandbox, "pm_card_pendingRefund").await;
    let (_, refund) = refund(&sandbox, None, &[("payment_intent", &intent)]).await;
    let id = id_of(&refund);
    sandbox.turn_refund(id, "canceled").unwrap();
    pass(60).await;
    let (_, later) = get(&sandbox, &format!("/v1/refunds/{id}"), &[]).await;
    assert_eq!(later["status"], "canceled");
    assert_eq!(
        crate::sandbox_client::refund(&sandbox, None, &[("payment_intent", &intent)])
            .await
            .0
            .status,
        200
    );
}
