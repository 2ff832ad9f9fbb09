//! A guest's bill, check-out, and receipt; every outcome is reported truthfully.

use dewy_sandbox::{Fault, FaultKind, System};

use super::hidden_fields;
use crate::prelude::*;

const MARCUS: &str = "marcus.reed@example.com";
const ZOE: &str = "zoe.mueller@example.com";

/// Checks out with a test card; path of the execution.
pub async fn check_out(browser: &Browser, card: &str) -> String {
    let page = browser.open("/guest/check-out").await;
    assert_eq!(page.status, 200, "{}", page.location());
    let mut fields = hidden_fields(&page.text);
    fields.retain(|(name, _)| name != "payment_method_id");
    fields.push(("payment_method_id".to_owned(), card.to_owned()));
    let fields = fields.iter().map(|(name, value)| (&**name, &**value));
    let sent = browser
        .send("/form/check_out", &fields.collect::<Vec<_>>())
        .await;
    assert!(
        sent.to().starts_with("/guest/execution/exe_"),
        "{}",
        sent.to()
    );
    sent.to()
}

/// Makes Salesforce refuse the write after a payment until the fault is cleared.
pub fn refuse_writes(hotel: &TestHotel) {
    let fault = Fault::new(System::Salesforce, "composite", FaultKind::UnableToLockRow);
    hotel.sandbox().add_fault(fault.count(0));
}

fn receipt(execution: &str) -> String {
    execution.replace("/execution/", "/receipt/")
}

#[tokio::test]
async fn the_bill_is_confirmed_paid_once_and_itemized() {
    let hotel = TestHotel::open().await;
    // A charge that is posted, and one that was canceled
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let fields = "room=308&booking=&amount=12.5&description=Minibar";
    let page = desk.submit("charge_check", fields).await;
    let posted = desk.press(&page, "post_charge").await;
    desk.until(&posted.to(), "was posted").await;
    let line = hotel.sandbox().records("Payment_Transaction__c").pop();
    let line = line.unwrap();
    assert_eq!(line["Amount__c"], 12.5, "{line}");
    let number = line["Name"].as_str().unwrap();
    let fields = format!("booking=BK-0027&charge_number={number}");
    let page = desk.submit("charge_check", &fields).await;
    let posted = desk.press(&page, "post_charge").await;
    desk.until(&posted.to(), "was voided").await;

    let marcus = hotel.browser().guest(MARCUS).await;
    let page = marcus.open("/guest/folio").await;
    page.has(&[
        "Room 308",
        "$42.50",
        "canceled",
        "Not part of your bill",
        "/guest/check-out?booking=BK-0027",
        &short_day(-1),
    ]);

    let beth = hotel.browser().guest(BETH).await;
    beth.open("/guest/folio").await.has(&["Visa •••• 4242"]);
    let page = beth.open("/guest/check-out").await;
    page.has(&[
        "name=\"idempotency_token\" value=\"",
        "Pay $250.00 and check out",
        "Test card",
        "Visa •••• 4242, which pays",
    ]);
    // A demo has its test cards and nothing of Stripe
    page.lacks(&[
        "Another card",
        "data-new-card",
        "/pkg/pay-",
        "noscript><p class=\"notice",
        "stripe.com",
    ]);
    // What is refused at once keeps what was entered
    let form = "booking_number=BK-0042&idempotency_token=t3";
    let page = beth
        .submit("check_out", &format!("{form}&amount=25000"))
        .await;
    page.has(&["Choose a card to pay with", "value=\"t3\""]);
    let form = format!("{form}&amount=25000&payment_method_id=pm_card_visa");
    let sent = beth.post("check_out", &form).await;
    let path = sent.to();
    assert_eq!(beth.post("check_out", &form).await.to(), path, "once");
    let page = beth.until(&path, "You are checked out").await;
    page.lacks(&["http-equiv=\"refresh\"", " UTC<"]);
    // A result leads with what matters and folds the rest
    let id = path.rsplit('/').next().unwrap();
    let (first, folded) = page.text.split_once("<details class=\"review\">").unwrap();
    for part in [
        "Goodbye, and thank you",
        &format!("href=\"/guest/receipt/{id}\""),
        "Left something behind?",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    let code = format!("<code class=\"id\">{id}");
    assert!(!first.contains("<code class=\"id\">") && folded.contains(&code));
    assert!(folded.contains("What happened, step by step") && folded.contains("class=\"steps\""));
    // The sum is said once: what is announced is not printed too, and nothing went back
    page.has(&["<p class=\"summary unseen\">Checked out."]);
    page.lacks(&["Net charge", "Check the guest"]);

    let page = beth.open(&receipt(&path)).await;
    // No mail server, no email
    page.lacks(&["Something wrong?", "Email me this receipt"]);
    let (paper, ids) = page.text.split_once("Reference numbers").unwrap();
    assert!(ids.contains(id) && !paper.contains(&format!("<dd>{id}")));
}

#[tokio::test]
async fn every_outcome_is_reported_truthfully() {
    let hotel = TestHotel::open().await;
    let zoe = hotel.browser().guest(ZOE).await;
    let path = check_out(&zoe, "pm_card_chargeDeclined").await;
    let page = zoe.until(&path, "Try another card").await;
    page.has(&["Nothing was charged"]);
    assert_eq!(zoe.open(&receipt(&path)).await.to(), path);

    // At the bank: nobody who still has to go there is hurried, and whoever is back waits
    let marcus = hotel.browser().guest(MARCUS).await;
    let path = check_out(&marcus, "pm_card_authenticationRequired").await;
    let page = marcus.until(&path, "Continue to your bank").await;
    page.has(&["Nothing is charged yet.", "look again", "data-until=\""]);
    page.lacks(&["http-equiv"]);
    let back = format!("{path}?payment_intent=pi_1&redirect_status=succeeded");
    marcus
        .open(&back)
        .await
        .has(&["We are checking with your bank", "http-equiv=\"refresh\""]);
    assert_eq!(marcus.open(&receipt(&path)).await.to(), path);
    // A second check-out is the first one
    let page = marcus.open("/guest/check-out").await;
    assert_eq!(page.to(), path);
    // And at the desk no second form
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let page = desk.open("/staff/stays/BK-0027/check-out").await;
    page.has(&[
        "has been under way since",
        &path.replace("/guest/execution/", "/staff/executions/"),
    ]);
    page.lacks(&["and check out"]);

    refuse_writes(&hotel);
    let beth = hotel.browser().guest(BETH).await;
    let path = check_out(&beth, "pm_card_visa").await;
    let title = "Your payment was refunded in full";
    let page = beth.until(&path, title).await;
    page.has(&[
        "You are still checked in",
        "within 5 to 10 business days",
        path.rsplit('/').next().unwrap(),
    ]);
    // In order
    let text = page.text.replace("<!>", "");
    let places: Vec<_> = [
        "You asked us to check you out.",
        "We charged $250.00 to your card.",
        "We refunded $250.00 to your card.",
        "Your stay is as it was before you asked.",
        "Reference",
    ]
    .iter()
    .map(|words| {
        text.find(words)
            .unwrap_or_else(|| panic!("{words}: {text}"))
    })
    .collect();
    assert!(places.is_sorted(), "{places:?}");
    let refund = [
        "Receipt of a refund",
        "Refunded",
        "Refund to your card",
        "data-print",
        "Expected on your card between",
    ];
    let paper = beth.sees(&receipt(&path), &refund).await;
    paper.lacks(&["-$"]);
    beth.open("/guest/story").await.has(&[
        "Your check-out could not be completed; we refunded your payment in full.",
        "You checked in to room 302.",
    ]);
    hotel.heal().await;
    let written = async |path: &str, part: &str| beth.until(path, part).await;
    let page = written("/guest/folio", "Refunded").await;
    page.has(&["Expected on your card", "−$250.00", "Refunded"]);

    // Stripe gives nothing back for a payment that is disputed
    refuse_writes(&hotel);
    let nora = hotel.browser().guest(NORA).await;
    let path = check_out(&nora, "pm_card_createDispute").await;
    let page = nora.until(&path, "Our front desk is looking into it").await;
    page.has(&["please don’t pay a second time"]);
    nora.open("/guest").await.has(&[
        "Your check-out",
        &path,
        "With our front desk",
        "See your requests",
        "Extra towels for 104",
        "Received",
    ]);
    let page = nora.open("/guest/execution/exe_none").await;
    assert_eq!(page.status, 404);
    hotel.heal().await;
    // Systems that are down
    hotel
        .fault("salesforce", "*", "reset_before_effect", 0, 0)
        .await;
    let page = beth.open("/guest/folio").await;
    assert_eq!(page.status, 503);
    page.has(&["Try again", "class=\"places\"", "talk-open"]);
    page.lacks(&["not charged"]);
}
