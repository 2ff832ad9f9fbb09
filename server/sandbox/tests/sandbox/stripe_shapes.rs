//! Writes the sandbox's answers and events as object literals of the types that Stripe's own client
//! declares. `cargo xtask vendors` gives them to the TypeScript compiler, which refuses an unknown,
//! missing or wrong member.

use std::{fmt::Write as _, path::Path};

use dewy_sandbox::AccountSettings;

use crate::prelude::*;

const INTENTS: &str = "/v1/payment_intents";

#[tokio::test(start_paused = true)]
async fn every_answer_is_written_for_the_vendors_compiler() {
    let sandbox = sandbox();
    let sandbox = &sandbox;
    let one = async |path: &str, id: &Value| {
        let path = format!("/v1/{path}/{}", id.as_str().unwrap());
        get(sandbox, &path, &[]).await.1
    };
    let made = async |path: &str, pairs: &[(&str, &str)]| post(sandbox, path, None, pairs).await.1;
    let pay = async |card, more: &[(&str, &str)]| {
        made(INTENTS, &[payment(card).as_slice(), more].concat()).await
    };
    let email = [("email", "shapes@example.com")];
    let customer = made("/v1/customers", &email).await;
    let owner = [("customer", id_of(&customer))];
    let card = made("/v1/payment_methods/pm_card_visa/attach", &owner).await;
    let endpoint = made(
        "/v1/webhook_endpoints",
        &[("url", "https://hotel.test/w"), ("enabled_events[]", "*")],
    )
    .await;
    let shown = [
        ("description", "Room 302"),
        ("receipt_email", "a@example.com"),
        ("statement_descriptor_suffix", "BK-0042"),
    ];
    let paid = pay("pm_card_visa", &shown).await;
    let refused = pay("pm_card_chargeDeclined", &[]).await;
    let declined = one("payment_intents", &refused["error"]["payment_intent"]["id"]).await;
    pay("pm_card_createDispute", &[]).await;
    let found = [("query", "email:\"SHAPES@example.com\"")];
    pass(2).await;
    let (_, search) = get(sandbox, "/v1/customers/search", &found).await;
    assert_eq!(search["data"][0]["id"], customer["id"]);
    sandbox.fail_payout(120_000, "account_closed");
    sandbox.warn_of_fraud(id_of(&paid)).unwrap();
    sandbox.restrict_account(&AccountSettings {
        takes_payments: true,
        pays_out: false,
        past_due: vec!["company.tax_id".to_owned()],
    });
    let back = [("return_url", "https://hotel.example")];
    let waiting = pay("pm_card_authenticationRequired", &back).await;
    let open = made(INTENTS, &payment("pm_card_visa")[..2]).await;
    let canceled = made(&format!("{INTENTS}/{}/cancel", id_of(&open)), &[]).await;
    let manual = [("capture_method", "manual")];
    let held = pay("pm_card_mastercard", &manual).await;
    let hold = one("charges", &held["latest_charge"]).await;
    let capture = format!("{INTENTS}/{}/capture", id_of(&held));
    let captured = made(&capture, &[("amount_to_capture", "20000")]).await;
    let released = one("charges", &captured["latest_charge"]).await;
    let expiring = pay("pm_card_mastercard", &manual).await;
    let failed_charge = one("charges", &declined["latest_charge"]).await;
    let charge = one("charges", &paid["latest_charge"]).await;
    let of_paid = [("payment_intent", id_of(&paid))];
    let refund = made("/v1/refunds", &of_paid).await;
    let listed = async |path: &str, pairs: &[(&str, &str)]| {
        let (_, list) = get(sandbox, path, pairs).await;
        list["data"][0].clone()
    };
    let dispute = listed("/v1/disputes", &[]).await;
    assert_eq!(refund["payment_method"], paid["payment_method"]);
    assert_eq!(failed_charge["outcome"]["type"], "issuer_declined");
    let mut answers = vec![
        ("Customer", customer),
        ("PaymentMethod", card),
        ("PaymentIntent", paid),
        ("PaymentIntent", declined),
        ("PaymentIntent", waiting),
        ("PaymentIntent", canceled),
        ("Charge", charge),
        ("Charge", failed_charge),
        ("PaymentIntent", held),
        ("PaymentIntent", captured),
        ("Charge", hold),
        ("Charge", released),
        ("Refund", refund),
        ("Dispute", dispute),
        ("WebhookEndpoint", endpoint),
        ("Account", get(sandbox, "/v1/account", &[]).await.1),
    ];
    pass(8 * 86_400).await;
    answers.push((
        "PaymentIntent",
        one("payment_intents", &expiring["id"]).await,
    ));
    let (_, events) = get(sandbox, "/v1/events", &[("limit", "100")]).await;
    let mut kinds: Vec<&str> = Vec::new();
    for event in items(&events["data"]) {
        let kind = event["type"].as_str().unwrap();
        if !kinds.contains(&kind) {
            kinds.push(kind);
            answers.push(("Event", event.clone()));
        }
    }
    for (what, answer) in &answers {
        assert!(answer["id"].is_string(), "{what}: {answer}");
    }
    let mut file = "import Stripe from \"stripe\";\n".to_owned();
    for (n, (declared, answer)) in answers.iter().enumerate() {
        writeln!(
            file,
            "export const answer{n}: Omit<Stripe.{declared}, \"lastResponse\"> = {answer:#};"
        )
        .unwrap();
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vendors");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("stripe-answers.ts"), file).unwrap();
}
