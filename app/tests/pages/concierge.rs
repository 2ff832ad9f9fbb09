//! Concierge panel: everything is shown, and nothing in it is trusted.

use super::Visitor;

#[tokio::test]
async fn a_conversation_is_shown_as_text_and_a_card_can_be_answered_once() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs@email.com").await;
    let page = visitor.get("/guest/concierge/cnv_1").await;
    assert!(
        page.text.contains("please &lt;b&gt;now&lt;/b&gt;"),
        "what people write is text"
    );
    assert_eq!(
        page.text.matches("name=\"nonce\"").count(),
        1,
        "only the card that is open has a form"
    );
    for part in [
        "role=\"log\"",
        "data-events=\"/guest/concierge/cnv_1/events\"",
        "Pay $250.00",
        "Declined. Nothing was done.",
        "This is Frank.",
    ] {
        assert!(page.text.contains(part), "{part}");
    }
    assert!(
        !page.text.contains("id=\"dock\""),
        "no second panel beside its own page"
    );
    assert_eq!(visitor.get("/guest/concierge/cnv_2").await.status, 404);
}

#[tokio::test]
async fn every_page_leads_to_it_and_a_new_one_has_suggestions() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs@email.com").await;
    for page in ["/guest", "/guest/bookings", "/guest/requests"] {
        let page = visitor.get(page).await;
        assert!(page.text.contains("class=\"talk-open\"") && page.text.contains("id=\"dock\""));
    }
    let page = visitor.get("/guest/concierge/new").await;
    assert!(page.text.contains("What do I owe?") && page.text.contains("offline concierge"));
    assert!(
        !page.text.contains("data-events"),
        "there is nothing to listen to yet"
    );
}

#[tokio::test]
async fn forms_lead_back_to_the_conversation_and_say_what_is_wrong() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs@email.com").await;
    let said = visitor
        .post("concierge_say", "text=Hello&idempotency_token=t&live=1")
        .await;
    assert_eq!(
        (said.status.as_u16(), said.location.as_str()),
        (303, "/guest/concierge/cnv_1")
    );
    let empty = visitor
        .post("concierge_say", "text=++&idempotency_token=t&live=1")
        .await;
    let page = visitor.get(&empty.location).await;
    assert!(
        page.text.contains("Write something first.") && page.text.contains("href=\"#talk-text\"")
    );
    let away = visitor
        .post("concierge_stop", "conversation=..%2F..%2Fstaff&live=1")
        .await;
    assert_eq!(away.location, "/guest/concierge/new", "an id is an id");
}

#[tokio::test]
async fn the_desk_has_its_list_and_a_manager_the_switch() {
    let visitor = Visitor::new();
    visitor.sign_in_staff("frontdesk@dewy.example").await;
    let page = visitor.get("/staff/conversations").await;
    assert!(
        page.text.contains("No guest is waiting")
            && !page.text.contains("Switch the concierge off")
    );
    let visitor = Visitor::new();
    visitor.sign_in_staff("manager@dewy.example").await;
    let page = visitor.get("/staff/conversations").await;
    assert!(
        page.text.contains("Switch the concierge off everywhere")
            && page.text.contains("under $0.01")
    );
    let visitor = Visitor::new();
    visitor.sign_in_staff("housekeeping@dewy.example").await;
    assert_eq!(visitor.get("/staff/conversations").await.status, 404);
}
