//! A Stripe account shared with other programs, other installations and dashboard users; and keys
//! that are revoked.

use dewy_sandbox::{ACCOUNT, ExternalPayment, KeySettings};

use crate::{prelude::*, sandbox_client::refund};

const KEY: &str = "sk_test_1";

fn own(sandbox: &Sandbox, table: &str) -> usize {
    items(&sandbox.state()["stripe"][table]).len()
}

#[tokio::test(start_paused = true)]
async fn other_programs_share_the_account() {
    let sandbox = sandbox();
    let metadata = json!({ "installation_id": "ins_other", "execution_id": "exe_other" });
    let order = ExternalPayment {
        customer_email: Some("beth.gibbs@email.com".to_owned()),
        metadata: metadata.as_object().cloned().unwrap(),
        ..ExternalPayment::default()
    };
    let id = sandbox.pay_elsewhere(&order).unwrap();
    let (_, list) = get(&sandbox, "/v1/payment_intents", &[]).await;
    assert_fields(&list["data"][0], json!({ "id": id, "metadata": metadata }));
    assert_eq!(list["data"][0]["status"], "succeeded");
    sandbox.refund_elsewhere(&id, Some(900)).unwrap();
    let rest = sandbox.refund_elsewhere(&id, None).unwrap();
    let (_, refunds) = get(
        &sandbox,
        "/v1/refunds",
        &[("expand[]", "data.payment_intent")],
    )
    .await;
    assert_fields(&refunds["data"][0], json!({ "id": rest, "amount": 9000 }));
    assert_eq!(
        refunds["data"][0]["metadata"],
        json!({}),
        "a person writes nothing on it"
    );
    assert_eq!(refunds["data"][0]["payment_intent"]["metadata"], metadata);
    let wrong = sandbox.refund_elsewhere(&id, None).unwrap_err();
    assert!(wrong.contains("already been refunded"), "{wrong}");
    assert!(
        sandbox
            .pay_elsewhere(&ExternalPayment { amount: 1, ..order })
            .is_err(),
        "as strict as with any caller"
    );
}

#[tokio::test(start_paused = true)]
async fn a_key_of_another_account_sees_nothing_of_this_one() {
    let sandbox = sandbox();
    let (_, paid) = pay(&sandbox, Some("k"), "pm_card_visa").await;
    let id = id_of(&paid);
    assert_eq!(get(&sandbox, "/v1/account", &[]).await.1["id"], ACCOUNT);
    let other = KeySettings {
        account: Some("acct_2".to_owned()),
        ..KeySettings::default()
    };
    sandbox.set_stripe_key(KEY, &other);
    assert_eq!(get(&sandbox, "/v1/account", &[]).await.1["id"], "acct_2");
    let (status, gone) = get(&sandbox, &format!("/v1/payment_intents/{id}"), &[]).await;
    assert_eq!(
        (status, &gone["error"]["code"]),
        (404, &json!("resource_missing"))
    );
    assert_eq!(
        get(&sandbox, "/v1/payment_intents", &[]).await.1["data"],
        json!([])
    );
    let (refused, _) = refund(&sandbox, None, &[("payment_intent", id)]).await;
    assert_error(&refused, 404, "resource_missing");
    // Idempotency keys belong to an account: the same key pays again on another.
    let (_, again) = pay(&sandbox, Some("k"), "pm_card_visa").await;
    assert_ne!(again["id"], paid["id"]);
    assert_eq!(
        own(&sandbox, "payment_intents"),
        1,
        "the other account has its own"
    );
    sandbox.set_stripe_key(KEY, &KeySettings::default());
    assert_eq!(
        get(&sandbox, &format!("/v1/payment_intents/{id}"), &[])
            .await
            .0,
        200
    );
}

#[tokio::test(start_paused = true)]
async fn revoked_and_restricted_keys_are_refused() {
    let sandbox = sandbox();
    sandbox.set_stripe_key(
        KEY,
        &KeySettings {
            revoked: true,
            ..KeySettings::default()
        },
    );
    let (status, body) = get(&sandbox, "/v1/customers", &[]).await;
    assert_eq!(
        (status, &body["error"]["code"]),
        (401, &json!("api_key_expired"))
    );
    let (refused, _) = pay(&sandbox, Some("k"), "pm_card_visa").await;
    assert_eq!(refused.status, 401);
    let lacks = KeySettings {
        lacks: vec!["refund_create".to_owned()],
        ..KeySettings::default()
    };
    sandbox.set_stripe_key(KEY, &lacks);
    let (_, paid) = pay(&sandbox, Some("k"), "pm_card_visa").await;
    let id = paid["id"]
        .as_str()
        .expect("a 401 is not kept under the key");
    let (refused, body) = refund(&sandbox, None, &[("payment_intent", id)]).await;
    assert_error(&refused, 403, "more_permissions_required");
    assert!(
        !body.to_string().contains(KEY),
        "a key is never repeated in full"
    );
}

#[tokio::test(start_paused = true)]
async fn missing_fields_stay_missing_in_replays() {
    let sandbox = sandbox();
    sandbox.omit_from_stripe(&["payment_intent.amount_received".to_owned()]);
    for _ in 0..2 {
        let (_, paid) = pay(&sandbox, Some("k"), "pm_card_visa").await;
        assert_fields(&paid, json!({ "amount_received": null, "amount": 25000 }));
    }
    sandbox.omit_from_stripe(&[]);
    let (_, paid) = pay(&sandbox, Some("k"), "pm_card_visa").await;
    assert_eq!(paid["amount_received"], 25000);
}

#[tokio::test(start_paused = true)]
async fn a_dispute_has_a_deadline_and_an_end() {
    let sandbox = sandbox();
    let (_, paid) = pay(&sandbox, None, "pm_card_visa").await;
    let id = id_of(&paid);
    sandbox.dispute(id).unwrap();
    let (_, list) = get(&sandbox, "/v1/disputes", &[("payment_intent", id)]).await;
    let dispute = &list["data"][0];
    assert_eq!(dispute["status"], "needs_response");
    let due = dispute["evidence_details"]["due_by"].as_i64().unwrap();
    assert!(due > dispute["created"].as_i64().unwrap());
    let dispute = id_of(dispute);
    assert!(sandbox.close_dispute(dispute, "forgotten").is_err());
    sandbox.close_dispute(dispute, "lost").unwrap();
    assert_eq!(
        get(&sandbox, &format!("/v1/disputes/{dispute}"), &[])
            .await
            .1["status"],
        "lost"
    );
    assert!(sandbox.close_dispute(dispute, "won").is_err(), "once");
    let kinds = items(&sandbox.state()["stripe"]["events"]).clone();
    assert!(
        kinds
            .iter()
            .any(|event| event["type"] == "charge.dispute.closed")
    );
}
