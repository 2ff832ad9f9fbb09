//! Two bookings on one opportunity, as another program made them: no separate balance is known.

use crate::{browser::path_of, test_hotel::TestHotel};

const JAMES: &str = "james.brown@example.com";

/// Value of a hidden field.
fn field(page: &str, name: &str) -> String {
    let (_, after) = page
        .split_once(&format!("name=\"{name}\" value=\""))
        .unwrap();
    after.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_shared_folio_is_referred_to_the_front_desk() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser().guest(JAMES).await;
    let page = browser.open("/guest/check-out?booking=BK-0025").await.text;
    assert!(
        page.contains("shares one bill with booking BK-0026"),
        "{page}"
    );
    let form = page.split("/form/ask").nth(1).unwrap();
    let names = [
        "kind",
        "priority",
        "description",
        "room_number",
        "reader",
        "idempotency_token",
    ];
    let values = names.map(|name| field(form, name));
    let fields: Vec<_> = names
        .into_iter()
        .zip(values.iter().map(String::as_str))
        .collect();
    let sent = browser.send("/form/ask", &fields).await;
    assert_eq!(path_of(sent.location()), "/guest/requests");
    let state = hotel.state();
    let cases = state["salesforce"]["Case"].as_array().unwrap();
    let asked = |case: &&serde_json::Value| {
        let text = case["Description"].as_str().unwrap_or_default();
        text.contains("room 401 (booking BK-0025)") && text.contains("BK-0026")
    };
    assert_eq!(cases.iter().filter(asked).count(), 1);
    // Nothing was started that would be refused
    let paid = state["stripe"]["payment_intents"].as_array().unwrap();
    assert!(paid.iter().all(|one| one["amount"] != 0));
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let page = desk.open("/staff/stays/BK-0025/check-out").await.text;
    let page = page.replace("<!>", "");
    for words in [
        "shares its opportunity",
        "/staff/stays/BK-0026/check-out",
        "an opportunity of its own, with its amount",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("/form/desk_check_out"), "{page}");
    hotel.close().await;
}
