//! Requests and the stay history.

use serde_json::json;

use super::{Visitor, bookings::has};

async fn beth() -> Visitor {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    visitor
}

#[tokio::test]
async fn a_tap_fills_in_the_form_and_the_request_is_in_the_list() {
    let visitor = beth().await;
    let page = visitor.get("/guest/requests?ask=towels").await;
    has(
        &page,
        &[
            "Two fresh bath towels, please.",
            "Late breakfast for two",
            "On its way",
            "Two more towels",
            "Done",
            "As of 14:04",
        ],
    );
    has(
        &page,
        &["aria-current=\"true\"", "For room ", "value=\"token-0\""],
    );
    let fields = "kind=Housekeeping&priority=Medium&description=Two+fresh+bath+towels%2C+please.&room_number=";
    let page = visitor
        .post("ask", &format!("{fields}&idempotency_token=token-0"))
        .await;
    assert_eq!(page.location, "/guest/requests");
    let call = visitor
        .house
        .calls()
        .into_iter()
        .rfind(|call| call.tool == "submit_guest_service_request")
        .unwrap();
    assert_eq!(
        call.input,
        json!({ "type": "Housekeeping", "priority": "Medium", "description": "Two fresh bath towels, please." })
    );
    let page = visitor.get("/guest/requests").await;
    has(
        &page,
        &[
            "Your request was sent.",
            "#case-00001030",
            "id=\"case-00001030\"",
            "Received",
        ],
    );
    assert!(
        !visitor
            .get("/guest/requests")
            .await
            .text
            .contains("Your request was sent.")
    );
    // An identical request within minutes joins the first
    let before = visitor
        .house
        .calls()
        .iter()
        .filter(|call| call.tool == "submit_guest_service_request")
        .count();
    let page = visitor
        .post("ask", &format!("{fields}&idempotency_token=token-9"))
        .await;
    assert_eq!(page.location, "/guest/requests#case-00001030");
    assert_eq!(
        visitor
            .house
            .calls()
            .iter()
            .filter(|call| call.tool == "submit_guest_service_request")
            .count(),
        before
    );
    has(
        &visitor.get("/guest/requests").await,
        &["We already have that", "number 00001030"],
    );
}

#[tokio::test]
async fn what_was_typed_is_kept_when_a_request_fails() {
    let visitor = beth().await;
    visitor
        .post(
            "ask",
            "kind=Nobody&priority=Later&description=+&idempotency_token=token-0",
        )
        .await;
    let page = visitor.get("/guest/requests").await;
    has(
        &page,
        &[
            "href=\"#description\"",
            "href=\"#kind\"",
            "href=\"#priority\"",
            "value=\"token-0\"",
        ],
    );
    let page = visitor
        .post(
            "ask",
            "kind=Concierge&priority=Low&description=A+piano&idempotency_token=token-0",
        )
        .await;
    assert_eq!(page.location, "/guest/requests#problem");
    has(
        &visitor.get("/guest/requests").await,
        &["Your request was not sent", "A piano", "value=\"token-0\""],
    );
}

#[tokio::test]
async fn who_has_two_rooms_says_for_which() {
    let visitor = Visitor::new();
    visitor.sign_in("wei.chen%40example.com").await;
    has(
        &visitor.get("/guest/requests").await,
        &["For which room?", "value=\"102\"", "value=\"103\""],
    );
}

#[tokio::test]
async fn the_story_is_told_by_day() {
    let visitor = beth().await;
    visitor.house.plant("exe_2", "pm_card_mastercard");
    let page = visitor.get("/guest/story").await;
    let places: Vec<_> = [
        "Thu, Dec 24, 2026",
        "You arrive: room 305, booking BK-0070.",
        "Fri, Nov 20, 2026",
        "Your check-out could not be completed; we refunded your payment in full.",
        "You asked for: Late breakfast for two. It is on its way.",
        "Wed, Nov 18, 2026",
        "You moved into room 302.",
        "You left room 305.",
    ]
    .iter()
    .map(|words| {
        page.text
            .find(words)
            .unwrap_or_else(|| panic!("{words}: {}", page.text))
    })
    .collect();
    assert!(places.is_sorted(), "{places:?}");
    visitor.sign_in("nobody%40example.com").await;
    visitor.get("/guest/story").await;
}

#[tokio::test]
async fn every_page_of_a_guest_has_its_places_and_help() {
    let visitor = beth().await;
    for (page, place) in [
        ("/guest", "/guest"),
        ("/guest/folio", "/guest"),
        ("/guest/book", "/guest/bookings"),
        ("/guest/bookings/BK-0070/change", "/guest/bookings"),
        ("/guest/requests", "/guest/requests"),
        ("/guest/story", "/guest/story"),
        ("/guest/account", "/guest/account"),
    ] {
        let text = visitor.get(page).await.text;
        let here = if page == place { "page" } else { "true" };
        assert!(
            text.contains(&format!("<a href=\"{place}\" aria-current=\"{here}\"")),
            "{page}: {text}"
        );
        assert_eq!(
            text.matches("aria-current=\"page\"").count()
                + text.matches("aria-current=\"true\"").count(),
            1,
            "{page}"
        );
        assert!(text.contains("Ask our front desk"), "{page}");
    }
    assert!(
        !visitor
            .get("/guest/sign-in")
            .await
            .text
            .contains("aria-label=\"Your stay\"")
    );
}
