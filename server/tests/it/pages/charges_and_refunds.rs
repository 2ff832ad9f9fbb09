//! Refunds and charges by staff, each confirmed before it is sent.

use serde_json::json;

use super::check_out::check_out;
use crate::test_hotel::TestHotel;

const BETH: &str = "beth.gibbs@email.com";

#[tokio::test]
async fn a_refund_is_confirmed_and_leaves_a_completed_check_out_alone() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let beth = hotel.browser().guest(BETH).await;
    let done = check_out(&beth, "pm_card_visa").await;
    beth.until(&done, "You are checked out").await;
    let record = done.replace("/guest/execution/", "/staff/executions/");
    let page = desk
        .submit(
            "refund_check",
            "payment_intent_id=ch_1&guest_email=Beth&reason=",
        )
        .await;
    page.has(&[
        "it begins with pi_",
        "#guest_email",
        "#reason",
        "value=\"ch_1\"",
    ]);
    let charges = hotel.sandbox().stripe_state()["payment_intents"].clone();
    let paid = charges
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["status"] == "succeeded")
        .unwrap();
    let paid = paid["id"].as_str().unwrap();
    let fields =
        format!("payment_intent_id={paid}&guest_email=Beth.Gibbs%40email.com&reason=Twice");
    let sent = desk.post("refund_check", &fields).await;
    assert_eq!(sent.to(), "/staff/refund?step=confirm");
    let page = desk.open(&sent.to()).await;
    page.has(&["Refund this payment?", BETH]);
    let redirect = hotel.browser().post("refund", &fields).await;
    assert_eq!(redirect.to(), "/staff/sign-in?next=%2Fstaff%2Frefund");
    let sent = desk
        .post("refund", &format!("{fields}&idempotency_token=t"))
        .await;
    let page = desk.until(&sent.to(), "was completed").await;
    page.has(&[paid]);
    let refunds = hotel.sandbox().stripe_state()["refunds"].clone();
    assert_eq!(refunds, json!([]));
    // A refund made in Stripe's dashboard is shown next to our own sum
    desk.open(&record).await.has(&["Stripe says the same"]);
    hotel.sandbox().refund_elsewhere(paid, None).unwrap();
    desk.open(&record).await.has(&["Stripe says otherwise"]);
    hotel.close().await;
}
#[tokio::test]
async fn a_charge_is_confirmed_and_can_be_voided() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let fields = "room=&booking=&amount=twelve&description=";
    desk.submit("charge_check", fields).await.has(&[
        "Enter a room or a booking",
        "Enter an amount such as 12.50",
        "Say what it is for",
    ]);
    let fields = "room=302&booking=&amount=12.5&description=Minibar";
    let page = desk.submit("charge_check", fields).await;
    page.has(&["Post $12.50 to Beth Gibbs"]);
    // Posted to the confirmed guest, even if the room changes hands
    let sent = desk.post("post_charge", "idempotency_token=t1").await;
    assert_eq!(sent.to(), "/staff/stays/BK-0042");
    let page = desk.open(&sent.to()).await;
    page.has(&[
        "$12.50 for “Minibar” was posted to Beth Gibbs (room 302).",
        "\">Details</a>",
    ]);
    // A second click shows the first one's record
    let again = desk.post("post_charge", "idempotency_token=t1").await;
    assert!(
        again.to().starts_with("/staff/executions/"),
        "{}",
        again.to()
    );
    let lines = hotel.sandbox().records("Payment_Transaction__c");
    let line = lines.last().unwrap();
    assert_eq!(line["Amount__c"], 12.5, "{line}");
    let number = line["Name"].as_str().unwrap();
    let folio = "/staff/charges?guest_email=beth.gibbs%40email.com&booking_number=BK-0042";
    let page = desk.open(folio).await;
    page.has(&[&format!("Void {number}")]);
    // While an outcome is unknown, the form and its review keep the token
    let kept = "room=302&booking=&amount=12.5&description=Minibar&idempotency_token=t1";
    let page = desk.submit("charge_check", kept).await;
    page.has(&["name=\"idempotency_token\" value=\"t1\""]);
    let fields = format!("booking=BK-0042&charge_number={number}");
    let page = desk.submit("charge_check", &fields).await;
    page.has(&["Void this charge?"]);
    let sent = desk.post("post_charge", "idempotency_token=t2").await;
    assert_eq!(sent.to(), "/staff/stays/BK-0042");
    let words = format!("The charge {number} of $12.50 to Beth Gibbs (room 302) was voided.");
    desk.open(&sent.to()).await.has(&[&words]);
    let line = hotel.record("Payment_Transaction__c", "Name", number);
    assert_eq!(line["Status__c"], "Cancelled");
    let page = desk.open(folio).await;
    page.has(&["cancelled"]);
    page.lacks(&[&format!("Void {number}")]);
    let sent = desk.post("post_charge", "idempotency_token=t3").await;
    assert_eq!(sent.to(), "/staff/charges");
    hotel.close().await;
}
