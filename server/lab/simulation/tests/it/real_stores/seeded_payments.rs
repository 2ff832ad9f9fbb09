//! Payments that exist before a scene begins.

use dewy_domain::installation_id::InstallationId;

use crate::{capture_last, front_desk::LOST, invariants::ledger_of, payment_sources, prelude::*};

/// Orphaned payment; returns its id.
pub fn lost_payment(sandbox: &Sandbox, installation: InstallationId) -> String {
    let installation = installation.to_string();
    let marks = [
        ("installation_id", installation.as_str()),
        ("execution_id", LOST),
        ("booking_number", "BK-0042"),
    ];
    let metadata = marks
        .iter()
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect();
    let order = ExternalPayment {
        customer_email: Some(BETH.to_owned()),
        metadata,
        ..ExternalPayment::default()
    };
    sandbox
        .pay_elsewhere(&order)
        .expect("another program may pay")
}

/// Sarah saves a card, and Beth's card holds an amount for her stay.
pub async fn with_holds(sandbox: &Sandbox, installation: InstallationId) {
    let post = async |path: &str, form: &str| {
        let answer = payment_sources::sent_to(sandbox, path, form).await;
        let (status, body) = answer.expect("nothing fails yet");
        assert_eq!(status, 200, "{body}");
        body
    };
    let customer = post("/v1/customers", "email=sarah%40example.com").await;
    let form = format!("customer={}", text_of(&customer["id"]));
    post("/v1/payment_methods/pm_card_visa/attach", &form).await;
    let ledger = ledger_of(sandbox);
    let booking = text_of(&ledger.row("Booking__c", "Name", "BK-0042")["Id"]);
    let form = capture_last::hold_form(installation, &booking, 40_000);
    post("/v1/payment_intents", &form).await;
}
