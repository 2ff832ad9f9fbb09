//! The concierge's panel, over the sandbox's model: everything is shown, and nothing in it is
//! trusted.

use crate::{browser::Page, test_hotel::TestHotel};

/// Value of the first hidden field of that name.
fn field(page: &Page, name: &str) -> String {
    let name = format!("name=\"{name}\" value=\"");
    let (_, rest) = page.text.split_once(&name).expect("a field");
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_conversation_is_shown_as_text_and_a_proposal_can_be_answered_once() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest("beth.gibbs@email.com").await;
    let page = beth.open("/guest/concierge/new").await;
    page.has(&["What do I owe?", "In this demo"]);
    // There is nothing to listen to yet
    page.lacks(&["data-events"]);
    let page = beth
        .submit("concierge_say", "text=++&idempotency_token=t0")
        .await;
    page.has(&["Write something first.", "href=\"#talk-text\""]);

    let fields = "text=I%27d+like+to+check+out+please+%3Cb%3Enow%3C%2Fb%3E&idempotency_token=t1";
    let said = beth.post("concierge_say", fields).await;
    let place = said.to();
    let id = place.strip_prefix("/guest/concierge/").unwrap();
    let page = beth.until(&place, "Pay $250.00").await;
    page.has(&[
        "please &lt;b&gt;now&lt;/b&gt;",
        "role=\"log\"",
        &format!("data-events=\"/guest/concierge/{id}/events\""),
    ]);
    assert_eq!(page.text.matches("name=\"nonce\"").count(), 1);
    // No second panel beside its own page, and in a demo no card to type
    page.lacks(&["id=\"dock\"", "/guest/pay?card="]);
    let (card, nonce) = (field(&page, "card"), field(&page, "nonce"));
    let pay = beth.open(&format!("/guest/pay?card={card}")).await;
    assert_eq!(pay.to(), place);
    let answer = format!("card={card}&nonce={nonce}&answer=no");
    let page = beth.submit("concierge_decide", &answer).await;
    page.has(&["Declined. Nothing was done."]);
    page.lacks(&["name=\"nonce\""]);
    assert_eq!(beth.open("/guest/concierge/cnv_2").await.status, 404);
    // An id is an id
    let fields = "conversation=..%2F..%2Fstaff&live=1";
    let away = beth.post("concierge_stop", fields).await;
    assert_eq!(away.to(), "/guest/concierge/new");

    // The desk has its list, and a manager the switch
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    // Names are those that a board has read
    desk.open("/staff").await;
    let page = desk.open("/staff/conversations").await;
    page.has(&["No guest is waiting"]);
    page.lacks(&["Switch the concierge off"]);
    let called = format!("conversation={id}");
    beth.post("concierge_call", &called).await;
    let page = desk.open("/staff/conversations").await;
    let named = format!("<a href=\"/staff/concierge/{id}\">Beth Gibbs, room 302<");
    page.has(&[&named, "<p>I'd like to check out please"]);
    let answer = format!("conversation={id}&text=This+is+Frank.&idempotency_token=t2");
    desk.post("concierge_say", &answer).await;
    beth.open(&place).await.has(&["This is Frank."]);
    let page = desk.submit("concierge_back", &called).await;
    page.has(&[
        "Beth Gibbs is back with the concierge.",
        "No guest is waiting",
    ]);
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let page = manager.open("/staff/conversations").await;
    page.has(&["Switch the concierge off everywhere", "Today: "]);
}

/// A new demo scene replaces the faults of the previous one.
#[tokio::test]
async fn a_new_scene_replaces_the_previous_one() {
    let hotel = TestHotel::open().await;
    let manager = hotel.browser().staff("manager@dewy.example").await;
    for (scene, refused) in [
        ("refund_fails", true),
        ("charged_then_salesforce_fails", false),
    ] {
        manager.post("set_scene", &format!("scene={scene}")).await;
        let page = manager.open("/staff/fault-injection").await;
        let expected = "Every stripe refund create is answered with 400.";
        assert_eq!(page.shows(expected), refused, "{scene}: {}", page.text);
        let silent = "Every salesforce composite is never answered and does nothing.";
        let text = page.text.replace("<!>", "");
        assert_eq!(text.matches(silent).count(), 1, "{scene}");
    }
}
