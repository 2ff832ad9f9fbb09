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
}

#[tokio::test]
async fn a_change_of_one_of_the_rooms_has_the_price_that_is_shown() {
    let hotel = TestHotel::open().await;
    let james = hotel.browser().guest("james.brown@example.com").await;
    let booking = hotel.record("Booking__c", "Name", "BK-0025");
    let leaves: jiff::civil::Date =
        serde_json::from_value(booking["Check_Out_Date__c"].clone()).unwrap();
    let leaves = leaves.tomorrow().unwrap();
    let people = booking["Number_of_Guests__c"].as_f64().unwrap();
    let page =
        format!("/guest/bookings/BK-0025/change?check_out_date={leaves}&number_of_guests={people}");
    let page = james.open(&page).await;
    // The other room on the bill costs what it did
    page.has(&["$250.00", "That is $125.00 more.", "Change to $375.00"]);
    let sent = james.press(&page, "change_booking").await;
    let page = james.until(&sent.to(), "Your booking is changed").await;
    page.has(&["The price is $375.00"]);
}
