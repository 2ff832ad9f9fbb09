//! Attention items: on every staff page, gone when handled, and never on a guest's page.

use dewy_domain::{
    error_code::ErrorCode,
    hotel_profile::HotelProfile,
    money::{Cents, Currency, Money},
    ports::{AttentionView, EmergencyLine, StakeLine},
};

use super::{Visitor, double::born};

fn view() -> AttentionView {
    AttentionView {
        emergencies: vec![EmergencyLine {
            conversation: "cnv_1".to_owned(),
            guest: "Beth Gibbs".to_owned(),
            room: Some("302".to_owned()),
            phone: Some("+1 555 0101".to_owned()),
            words: "Fire <b>here</b>".to_owned(),
            latest: Some("She fell".to_owned()),
            seen: 7,
            since: born(),
            answered: false,
        }],
        stuck: 2,
        at_stake: vec![StakeLine {
            execution: "exe_1".to_owned(),
            guest: "Beth Gibbs".to_owned(),
            room: Some("302".to_owned()),
            money: Money {
                cents: Cents(25_000),
                currency: Currency::USD,
            },
        }],
        conversations: 2,
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
        "<title>(6) Today",
        "Emergency: ",
        "Beth Gibbs, room 302",
        "Fire &lt;b&gt;here&lt;/b&gt;",
        "href=\"/staff/concierge/cnv_1\"",
        "href=\"tel:+15550101\"",
        "then “She fell”, ",
        "waiting for ",
        "action=\"/form/concierge_handled\"",
        "name=\"seen\" value=\"7\"",
        " of Beth Gibbs, room 302, charged and not refunded",
        "href=\"/staff/executions/exe_1\"",
        "1 payment or stay needs attention",
        "2 guests are waiting for a reply in the chat",
        "1 urgent case is unassigned",
        "data-alarm=\"1\"",
        "data-sound=\"alarm\"",
    ] {
        assert!(today.text.contains(part), "{part}: {}", today.text);
    }
    let account = visitor.get("/staff/account").await;
    assert!(
        account.text.contains("Emergency: ") && !account.text.contains("charged and not refunded"),
        "elsewhere what cannot wait"
    );
    assert!(
        account
            .text
            .contains("data-events=\"/staff/attention/events\""),
        "every page listens"
    );
    assert_eq!(account.text.matches("class=\"count\"").count(), 3);
    // An answer does not end it
    let mut answered = view();
    answered.emergencies[0].answered = true;
    visitor.house.waits(answered);
    let page = visitor.get("/staff/account").await;
    assert!(page.text.contains("Emergency: ") && page.text.contains("Open the chat"));
    assert!(
        page.text.contains("data-alarm=\"0\""),
        "what the guest writes next sounds again"
    );
    visitor.house.waits(AttentionView::default());
    assert!(
        !visitor.get("/staff").await.text.contains("Emergency"),
        "gone when seen to"
    );
}

#[tokio::test]
async fn an_emergency_that_the_guest_wrote_in_again_is_read_first() {
    let visitor = Visitor::new();
    visitor.sign_in_staff("frontdesk@dewy.example").await;
    let done = visitor
        .post("concierge_handled", "conversation=cnv_1&seen=7")
        .await;
    assert_eq!(done.location, "/staff/conversations");
    for unread in ["seen=0", "seen=", ""] {
        let body = format!("conversation=cnv_1&{unread}");
        let sent = visitor.post("concierge_handled", &body).await;
        assert_eq!(sent.location, "/staff/concierge/cnv_1", "{unread}");
    }
    let page = visitor.get("/staff/concierge/cnv_1").await;
    assert!(page.text.contains("The guest has written again"));
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
        page.text.contains("Salesforce is not responding.") && page.text.contains("data-silent="),
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

#[tokio::test]
async fn every_public_page_ends_with_the_hotels_address_and_whom_to_call() {
    let visitor = Visitor::new();
    visitor.house.configure(HotelProfile {
        address: Some("1 Lake Road".to_owned()),
        ..HotelProfile::default()
    });
    for page in [
        "/",
        "/rooms",
        "/rooms?check_in_date=2026-11-27&check_out_date=2026-11-29&number_of_guests=2",
        "/guest/sign-in",
        "/guest/sign-in/new",
    ] {
        let text = visitor.get(page).await.text;
        let (_, footer) = text.split_once("<footer").unwrap_or_default();
        for part in [
            "href=\"tel:+15550109000\"",
            "href=\"tel:911\"",
            "class=\"address\"",
        ] {
            assert!(footer.contains(part), "{page} {part}: {footer}");
        }
    }
}

#[tokio::test]
async fn a_page_that_cannot_be_read_keeps_what_is_around_it() {
    let visitor = Visitor::new();
    visitor.sign_in_staff("frontdesk@dewy.example").await;
    visitor.house.waits(view());
    visitor.house.hide_rooms(ErrorCode::UpstreamUnavailable);
    let page = visitor.get("/staff/cases").await;
    for part in [
        "Emergency: ",
        "href=\"/staff/cases\"",
        "role=\"search\"",
        "talk-open",
    ] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    assert_eq!(page.status, 503);
    visitor.sign_in("down%40example.com").await;
    let page = visitor.get("/guest/folio").await;
    assert_eq!(page.status, 503);
    for part in ["class=\"places\"", "href=\"tel:+15550109000\"", "talk-open"] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
}
