//! What happens to the Stripe account itself, and warnings of card networks, reach a person once.

use dewy_saga::{State, journal::ExecutionFilter};

use crate::prelude::*;

async fn order(hotel: &TestHotel, path: &str, body: Value) -> Value {
    let sandbox = hotel.server.sandbox_url.as_deref().unwrap();
    let sent = crate::fake_dispatcher::client()
        .post(format!("{sandbox}/admin/stripe/{path}"))
        .json(&body)
        .send()
        .await
        .unwrap();
    assert_eq!(sent.status(), 200, "{path}");
    sent.json().await.unwrap()
}

/// Reasons of the open reviews, in alphabetical order, once there are this many.
async fn open_reviews(hotel: &TestHotel, number: usize) -> Vec<String> {
    let mut reasons = Vec::new();
    for _ in 0..200 {
        reasons.clear();
        for saga in ["review_account", "review_payment"] {
            let wanted = ExecutionFilter {
                saga: Some(saga.to_owned()),
                limit: 20,
                ..ExecutionFilter::default()
            };
            let found = hotel.server.store.list(&wanted).await.unwrap();
            let open = found
                .into_iter()
                .filter(|r| r.state == State::NeedsAttention);
            reasons.extend(open.map(|record| {
                let label = record
                    .labels
                    .into_iter()
                    .find(|(name, _)| name == "attention");
                label.map(|(_, reason)| reason).unwrap()
            }));
        }
        if reasons.len() == number {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    reasons.sort();
    reasons
}

/// No event waits at the sandbox any more.
async fn all_delivered(hotel: &TestHotel) {
    for _ in 0..200 {
        let state = hotel.state();
        let events = state["stripe"]["events"].as_array().unwrap();
        if events.iter().all(|event| event["pending_webhooks"] == 0) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("an event is not taken");
}

#[tokio::test]
async fn a_failed_payout_and_a_restricted_account_reach_a_person_once() {
    let hotel = TestHotel::open().await;
    let payout = order(&hotel, "payout", json!({ "amount": 120_000 })).await;
    let overdue = json!({ "payouts_enabled": false, "past_due": ["company.tax_id"] });
    order(&hotel, "account", overdue.clone()).await;
    order(&hotel, "account", overdue).await;
    let both = ["ACCOUNT_RESTRICTED", "PAYOUT_FAILED"];
    assert_eq!(open_reviews(&hotel, 2).await, both);
    all_delivered(&hotel).await;
    assert_eq!(
        open_reviews(&hotel, 2).await,
        both,
        "one record of each fact"
    );
    // Nothing new, then something worse.
    order(&hotel, "account", json!({})).await;
    order(&hotel, "account", json!({ "charges_enabled": false })).await;
    let all = ["ACCOUNT_RESTRICTED", "ACCOUNT_RESTRICTED", "PAYOUT_FAILED"];
    assert_eq!(open_reviews(&hotel, 3).await, all);
    // In words: what failed, and what to do.
    let staff = hotel.staff_mcp("manager@dewy.example").await;
    let listed = staff
        .call(
            Era::Modern,
            "search_executions",
            json!({ "state": "needs_attention" }),
        )
        .await;
    let listed = listed["structuredContent"]["data"]["executions"].clone();
    let mut told = String::new();
    for execution in listed.as_array().unwrap() {
        let one = json!({ "execution_id": execution["execution_id"] });
        let shown = staff.call(Era::Modern, "get_execution", one).await;
        told.push_str(&shown.to_string());
    }
    for words in [
        "$1,200.00",
        payout["id"].as_str().unwrap(),
        "Settings, Payouts",
        "guests can't pay by card",
        "company.tax id",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[tokio::test]
async fn only_warnings_about_our_own_payments_reach_a_person() {
    let hotel = TestHotel::open().await;
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    let paid = guest
        .call(
            Era::Modern,
            "process_guest_checkout",
            json!({ "amount": 25000, "idempotency_token": "b", "payment_method_id": "pm_card_visa" }),
        )
        .await;
    assert!(paid.to_string().contains("exe_"), "{paid}");
    let state = hotel.state();
    let ours = state["stripe"]["payment_intents"][0]["id"].clone();
    let theirs = order(&hotel, "payment", json!({ "amount": 5000 })).await["id"].clone();
    for payment in [theirs, ours.clone(), ours] {
        order(
            &hotel,
            "fraud_warning",
            json!({ "payment_intent": payment }),
        )
        .await;
    }
    let two = ["FRAUD_WARNING", "FRAUD_WARNING"];
    assert_eq!(open_reviews(&hotel, 2).await, two, "one of each warning");
    all_delivered(&hotel).await;
    assert_eq!(
        open_reviews(&hotel, 2).await,
        two,
        "none about a stranger's"
    );
}

/// An inquiry takes no money; when it becomes a dispute, the bank withdraws it.
#[tokio::test]
async fn withdrawn_funds_of_an_inquiry_reach_a_person() {
    let hotel = TestHotel::open().await;
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    let input =
        json!({ "amount": 25000, "idempotency_token": "b", "payment_method_id": "pm_card_visa" });
    let paid = guest
        .call(Era::Modern, "process_guest_checkout", input)
        .await;
    assert!(paid.to_string().contains("exe_"), "{paid}");
    let payment = hotel.state()["stripe"]["payment_intents"][0]["id"].clone();
    let payment = payment.as_str().unwrap();
    hotel.sandbox().inquire(payment).unwrap();
    assert_eq!(open_reviews(&hotel, 1).await, ["PAYMENT_DISPUTED"]);
    hotel.sandbox().dispute(payment).unwrap();
    let both = ["FUNDS_WITHDRAWN", "PAYMENT_DISPUTED"];
    assert_eq!(open_reviews(&hotel, 2).await, both);
    let events = hotel.state()["stripe"]["events"].clone();
    let kinds: Vec<_> = events
        .as_array()
        .unwrap()
        .iter()
        .map(|event| &event["type"])
        .collect();
    assert!(
        kinds.contains(&&json!("charge.dispute.funds_withdrawn")),
        "{kinds:?}"
    );
    all_delivered(&hotel).await;
    assert_eq!(
        open_reviews(&hotel, 2).await,
        both,
        "one record of each fact"
    );
    let staff = hotel.staff_mcp("manager@dewy.example").await;
    let waiting = json!({ "state": "needs_attention" });
    let listed = staff.call(Era::Modern, "search_executions", waiting).await;
    let listed = listed["structuredContent"]["data"]["executions"].clone();
    let withdrawn = |execution: &&Value| execution["reason"] == "FUNDS_WITHDRAWN";
    let id = listed.as_array().unwrap().iter().find(withdrawn).unwrap()["execution_id"].clone();
    let one = json!({ "execution_id": id });
    let told = staff
        .call(Era::Modern, "get_execution", one)
        .await
        .to_string();
    assert!(told.contains("the bank has withdrawn the money"), "{told}");
}
