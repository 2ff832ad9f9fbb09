//! Attention items: on every staff page, gone when handled, and never on a guest's page.

use dewy_domain::{
    money::{Cents, Currency, Money},
    ports::{AttentionView, EmergencyLine},
};

use super::{Visitor, double::born};

fn view() -> AttentionView {
    AttentionView {
        emergencies: vec![EmergencyLine {
            conversation: "cnv_1".to_owned(),
            guest: "Beth Gibbs".to_owned(),
            room: Some("302".to_owned()),
            words: "Fire <b>here</b>".to_owned(),
            since: born(),
        }],
        stuck: 2,
        at_stake: Some(Money {
            cents: Cents(139_996),
            currency: Currency::USD,
        }),
        conversations: 3,
        cases: Some(7),
        urgent_cases: 1,
        paused: false,
        silent: Vec::new(),
    }
}

#[tokio::test]
async fn every_page_of_the_desk_counts_what_waits_and_today_says_what_it_is() {
    let visitor = Visitor::new();
    visitor.sign_in_staff("frontdesk@dewy.example").await;
    let quiet = visitor.get("/staff").await;
    assert!(
        !quiet.text.contains("class=\"count\"") && !quiet.text.contains("class=\"strip\""),
        "nothing waits"
    );
    visitor.house.waits(view());
    let today = visitor.get("/staff").await;
    for part in [
        "<title>(7) Today",
        "Emergency: ",
        "Beth Gibbs, room 302",
        "Fire &lt;b&gt;here&lt;/b&gt;",
        "href=\"/staff/concierge/cnv_1\"",
        "2 payments or stays need a person, $1,399.96 at stake",
        "2 guests wait for an answer in the chat",
        "1 urgent case has nobody yet",
        "data-alarm=\"1\"",
        "data-sound=\"alarm\"",
    ] {
        assert!(today.text.contains(part), "{part}: {}", today.text);
    }
    let account = visitor.get("/staff/account").await;
    assert!(
        account.text.contains("Emergency: ") && !account.text.contains("at stake"),
        "elsewhere what cannot wait"
    );
    assert!(
        account
            .text
            .contains("data-events=\"/staff/attention/events\""),
        "every page listens"
    );
    assert_eq!(account.text.matches("class=\"count\"").count(), 3);
    visitor.house.waits(AttentionView::default());
    assert!(
        !visitor.get("/staff").await.text.contains("Emergency"),
        "gone when seen to"
    );
}

#[tokio::test]
async fn a_silent_system_is_told_to_whoever_looks() {
    let visitor = Visitor::new();
    visitor.sign_in_staff("frontdesk@dewy.example").await;
    visitor.house.waits(AttentionView {
        silent: vec!["Salesforce"],
        ..AttentionView::default()
    });
    let page = visitor.get("/staff").await;
    assert!(
        page.text.contains("Salesforce does not answer.") && page.text.contains("data-silent="),
        "{}",
        page.text
    );
    visitor.sign_in("beth.gibbs@email.com").await;
    let page = visitor.get("/guest").await;
    assert!(
        page.text.contains("Our booking system is not answering")
            && !page.text.contains("Salesforce")
    );
}

#[tokio::test]
async fn every_guest_page_has_a_phone_to_dial() {
    let visitor = Visitor::new();
    for page in ["/", "/guest/sign-in", "/guest/sign-in/code"] {
        assert!(
            visitor
                .get(page)
                .await
                .text
                .contains("href=\"tel:+15550109000\""),
            "{page}"
        );
    }
    visitor.sign_in("beth.gibbs@email.com").await;
    for page in [
        "/guest",
        "/guest/folio",
        "/guest/check-out",
        "/guest/requests",
        "/guest/concierge",
        "/guest/account",
    ] {
        let page = visitor.get(page).await;
        assert!(
            page.text.contains("href=\"tel:+15550109000\"")
                && page.text.contains("href=\"tel:911\"")
        );
    }
}
