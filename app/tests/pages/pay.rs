//! Payment with a new card: only where Stripe is live.

use super::{Page, Visitor};

async fn beth(live: bool) -> Visitor {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs@email.com").await;
    if live {
        visitor.house.go_live();
    }
    visitor
}

/// Whether the page configures Stripe's field.
fn field(page: &Page) -> bool {
    [
        "data-key=\"pk_test_dewy\"",
        "data-amount=\"25000\"",
        "data-currency=\"usd\"",
        "src=\"/pkg/pay-",
    ]
    .iter()
    .all(|part| page.text.contains(part))
}

#[tokio::test]
async fn a_live_check_out_offers_saved_cards_and_another_one() {
    let visitor = beth(true).await;
    let page = visitor.get("/guest/check-out?booking=BK-0042").await;
    assert!(field(&page), "{}", page.text);
    for part in [
        "Visa •••• 4242",
        "Another card",
        "needs JavaScript",
        "Pay $250.00 and check out",
    ] {
        assert!(page.text.contains(part), "{part}");
    }
    assert!(!page.text.contains("Test card") && !page.text.contains("front desk.</p>"));
    assert!(
        page.text.contains("value=\"pm_1BethVisa4242\" checked"),
        "the saved one is chosen"
    );
}

#[tokio::test]
async fn who_has_no_card_on_file_types_one() {
    let visitor = beth(true).await;
    let page = visitor.get("/guest/check-out?booking=BK-0050").await;
    assert!(
        field(&page) && page.text.contains("You have no card on file. "),
        "{}",
        page.text
    );
    assert!(
        !page.text.contains("type=\"radio\""),
        "there is nothing to choose between"
    );
    assert!(
        page.text.contains("<button hidden"),
        "without a script there is nothing to press"
    );
    let sent = visitor
        .post(
            "check_out",
            "booking_number=BK-0050&amount=25000&payment_method_id=",
        )
        .await;
    let page = visitor.get(&sent.location).await;
    assert!(
        page.text.contains("Choose a card to pay with")
            && page.text.contains("id=\"payment_method_id\"")
    );
}

#[tokio::test]
async fn a_typed_card_is_not_lost_when_something_else_was_wrong() {
    let visitor = beth(true).await;
    let draft = r#"{"fields":{"payment_method_id":"pm_1Typed"},"title":"x","message":"","problems":[],"follow":null}"#;
    dewy_domain::ports::Authenticator::save_in_session(
        &*visitor.house,
        "check-out",
        draft.to_owned(),
    )
    .await;
    let page = visitor.get("/guest/check-out?booking=BK-0042").await;
    assert!(
        page.text.contains("The card you typed")
            && page.text.contains("value=\"pm_1Typed\" checked")
    );
}

#[tokio::test]
async fn a_demo_has_its_test_cards_and_nothing_of_stripe() {
    let visitor = beth(false).await;
    let page = visitor.get("/guest/check-out?booking=BK-0042").await;
    assert!(page.text.contains("Test card") && page.text.contains("Visa •••• 4242, which pays"));
    for part in [
        "Another card",
        "data-new-card",
        "/pkg/pay-",
        "noscript><p class=\"notice",
        "stripe.com",
    ] {
        assert!(!page.text.contains(part), "{part}");
    }
    let page = visitor.get("/guest/concierge/cnv_1").await;
    assert!(!page.text.contains("/guest/pay?card="));
    assert_eq!(
        visitor.get("/guest/pay?card=crd_1").await.location,
        "/guest/concierge/cnv_1"
    );
}

#[tokio::test]
async fn a_card_in_chat_leads_to_its_pay_page_and_back() {
    let visitor = beth(true).await;
    let page = visitor.get("/guest/concierge/cnv_1").await;
    assert_eq!(
        page.text.matches("/guest/pay?card=crd_1").count(),
        1,
        "only the card that is open leads there"
    );
    assert!(!page.text.contains("/pkg/pay-") && page.text.contains("Pay with another card"));

    let page = visitor.get("/guest/pay?card=crd_1").await;
    assert!(field(&page), "{}", page.text);
    for part in [
        "Check out of room 302 (booking BK-0042) and pay $250.00, the whole balance?",
        "A check-out is final.",
        "name=\"choice\"",
        "name=\"answer\" value=\"yes\"",
        "action=\"/form/concierge_decide\"",
        "href=\"/guest/concierge/cnv_1\"",
        "Saved card: Visa •••• 4242",
        "open until",
    ] {
        assert!(page.text.contains(part), "{part}");
    }
    assert!(
        page.text.contains("value=\"pm_1BethVisa4242\" required"),
        "nothing is chosen before"
    );
    assert!(!page.text.contains("id=\"dock\""));
    assert_eq!(
        visitor.get("/guest/pay?card=crd_over").await.location,
        "/guest/concierge/cnv_1"
    );
    assert_eq!(visitor.get("/guest/pay?card=crd_2").await.status, 404);
    assert_eq!(visitor.get("/guest/pay").await.status, 404);
}

#[tokio::test]
async fn a_shared_bill_is_handed_to_the_front_desk_in_one_click() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor.get("/guest/check-out?booking=BK-0025").await;
    let text = page.text.replace("<!>", "");
    for words in [
        "shares one bill with booking BK-0026",
        "Ask the front desk to check me out",
        "The bill is shared with booking BK-0026",
        "action=\"/form/ask\"",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("/form/check_out") && !text.contains("js.stripe.com"));
}
