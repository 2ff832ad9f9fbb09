//! Stripe's objects have every member that its own clients declare at the pinned version, even if
//! null.

use serde_json::Value;

use crate::sandbox_client::{get, payment, post, sandbox};

const INTENT: &str = "allowed_payment_method_types amount amount_capturable amount_received application \
    application_fee_amount automatic_payment_methods canceled_at cancellation_reason capture_method client_secret \
    confirmation_method created currency customer customer_account description excluded_payment_method_types id \
    last_payment_error latest_charge livemode managed_payments metadata next_action object on_behalf_of payment_method \
    payment_method_configuration_details payment_method_options payment_method_types payment_record processing \
    receipt_email review setup_future_usage shipping source statement_descriptor statement_descriptor_suffix status \
    transfer_group";
const CHARGE: &str = "amount amount_captured amount_refunded application application_fee application_fee_amount \
    balance_transaction billing_details calculated_statement_descriptor captured created currency customer description \
    disputed failure_balance_transaction failure_code failure_message fraud_details id livemode metadata object \
    on_behalf_of outcome paid payment_intent payment_method payment_method_details receipt_email receipt_number \
    receipt_url refunded review shipping source source_transfer statement_descriptor statement_descriptor_suffix status \
    transfer_data transfer_group";
const OUTCOME: &str = "advice_code network_advice_code network_decline_code network_status reason seller_message type";
const CHARGED_CARD: &str = "amount_authorized authorization_code brand checks country electronic_commerce_indicator \
    exp_month exp_year funding installments last4 mandate network network_transaction_id regulated_status three_d_secure \
    transaction_link_id wallet";
const REFUND: &str = "amount balance_transaction charge created currency customer customer_account id metadata object \
    payment_intent payment_method reason receipt_number source_transfer_reversal status transfer_reversal";
const METHOD: &str =
    "billing_details created customer customer_account id livemode metadata object type";
const CARD: &str = "brand checks country display_brand exp_month exp_year funding generated_from last4 networks \
    regulated_status three_d_secure_usage wallet";
const CUSTOMER: &str = "balance created default_source description email id invoice_settings livemode metadata object shipping";
const DISPUTE: &str = "amount balance_transactions charge created currency enhanced_eligibility_types evidence \
    evidence_details id intended_submission_method is_charge_refundable livemode metadata object payment_intent reason \
    status";

#[track_caller]
fn has(object: &Value, members: &str) {
    let lacks: Vec<&str> = members
        .split_whitespace()
        .filter(|name| object.get(*name).is_none())
        .collect();
    assert!(lacks.is_empty(), "{} lacks {lacks:?}", object["object"]);
}

async fn one(sandbox: &dewy_sandbox::Sandbox, path: &str, id: &Value) -> Value {
    get(
        sandbox,
        &format!("/v1/{path}/{}", id.as_str().unwrap()),
        &[],
    )
    .await
    .1
}

#[tokio::test(start_paused = true)]
async fn every_documented_member_exists() {
    let sandbox = sandbox();
    let (_, customer) = post(
        &sandbox,
        "/v1/customers",
        None,
        &[("email", "a@example.com")],
    )
    .await;
    has(&customer, CUSTOMER);
    let (_, intent) = post(
        &sandbox,
        "/v1/payment_intents",
        None,
        &payment("pm_card_visa"),
    )
    .await;
    has(&intent, INTENT);
    has(
        &intent["payment_method_options"]["card"],
        "installments mandate_options network request_three_d_secure",
    );
    let charge = one(&sandbox, "charges", &intent["latest_charge"]).await;
    has(&charge, CHARGE);
    has(&charge["outcome"], OUTCOME);
    has(&charge["payment_method_details"]["card"], CHARGED_CARD);
    let method = one(&sandbox, "payment_methods", &intent["payment_method"]).await;
    has(&method, METHOD);
    has(&method["card"], CARD);
    let (_, refund) = post(
        &sandbox,
        "/v1/refunds",
        None,
        &[("payment_intent", intent["id"].as_str().unwrap())],
    )
    .await;
    has(&refund, REFUND);
    assert_eq!(refund["payment_method"], intent["payment_method"]);
}

#[tokio::test(start_paused = true)]
async fn decline_and_dispute_members_exist() {
    let sandbox = sandbox();
    let (_, refusal) = post(
        &sandbox,
        "/v1/payment_intents",
        None,
        &payment("pm_card_chargeDeclined"),
    )
    .await;
    let declined = one(
        &sandbox,
        "payment_intents",
        &refusal["error"]["payment_intent"]["id"],
    )
    .await;
    has(&declined, INTENT);
    has(
        &declined["last_payment_error"]["payment_method"]["card"],
        CARD,
    );
    let charge = one(&sandbox, "charges", &declined["latest_charge"]).await;
    has(&charge["outcome"], OUTCOME);
    assert_eq!(charge["outcome"]["type"], "issuer_declined");
    post(
        &sandbox,
        "/v1/payment_intents",
        None,
        &payment("pm_card_createDispute"),
    )
    .await;
    let (_, disputes) = get(&sandbox, "/v1/disputes", &[]).await;
    let dispute = &disputes["data"][0];
    has(dispute, DISPUTE);
    has(
        &dispute["evidence_details"],
        "due_by enhanced_eligibility has_evidence past_due submission_count submission_method",
    );
    assert_eq!(dispute["evidence"].as_object().unwrap().len(), 28);
}
