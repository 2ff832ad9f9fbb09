//! A guest's stay: what is next, what to know about the place, the key card, requests, activity.

use super::check_out::check_out;
use crate::{audit::recorded, prelude::*};

const HANNAH: &str = "hannah.weiss@example.com";
const CARLOS: &str = "carlos.mendes@example.com";
const OLIVIA: &str = "olivia.martin@example.com";

#[tokio::test]
async fn a_guest_who_left_with_an_open_balance_reads_so() {
    let hotel = TestHotel::open().await;
    let stay = hotel.record("Booking__c", "Name", "BK-0042");
    let folio = stay["Opportunity__c"].as_str().unwrap();
    hotel.edit("Opportunity", "Id", folio, &json!({ "Amount": 0.3 }));
    let desk = hotel.staff_rest(MANAGER).await;
    let input = json!({ "booking_number": "BK-0042", "amount": 30, "leave_open": true });
    let left = desk
        .call("process_guest_checkout", Some("out"), &input)
        .await;
    assert_eq!(left.body["data"]["left_open"], 30, "{left:?}");
    let beth = hotel.browser().guest(BETH).await;
    let page = beth.until("/guest", "With our front desk").await;
    page.has(&["You are checked out", "$0.30", "with our front desk"]);
    page.lacks(&["Everything is settled", "Nothing is booked"]);
    let id = left.body["execution_id"].as_str().unwrap();
    let page = beth.open(&format!("/guest/execution/{id}")).await;
    page.has(&["$0.30 is less than a card can pay and was left open"]);
    hotel.close().await;
}

#[tokio::test]
async fn the_home_page_offers_the_next_action() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest(BETH).await;
    let page = beth.open("/guest").await;
    let calls = recorded(&hotel, 1).await;
    let asked: Vec<_> = calls.iter().map(|found| found.call.tool.as_str()).collect();
    assert_eq!(asked, ["stay_overview"]);
    assert_eq!(calls[0].call.outcome, "OK");
    page.has(&[
        "Welcome, Beth",
        "Room 302",
        "You check out today",
        "/guest/check-out?booking=BK-0042",
        "class=\"room-picture\"",
        "data-events=\"/guest/events\"",
        ">Refresh<",
    ]);
    let card = key_card(&page);
    for words in [
        "Dewy Resort",
        ">302</strong>",
        "Beth Gibbs",
        "replaces a lost key",
        "open doors",
    ] {
        assert!(card.contains(words), "{words}: {card}");
    }

    // The key card names the room only once the guest is in it
    let sarah = hotel.browser().guest(SARAH).await;
    let page = sarah.open("/guest").await;
    page.has(&[
        "You arrive today",
        "Your room is ready",
        "/guest/check-in?booking=BK-0034",
        "Check in",
    ]);
    let card = key_card(&page);
    assert!(
        card.contains("Pick up your key at the front desk"),
        "{card}"
    );
    assert!(card.contains("Deluxe") && !card.contains("205"), "{card}");

    let wei = hotel.browser().guest(WEI).await;
    // Both of their rooms, in the order in which the bill offers them
    for place in ["/guest", "/guest/folio", "/guest/bookings"] {
        let page = wei.open(place).await.text;
        let (first, second) = (page.find("Room 102"), page.find("Room 103"));
        assert!(first.is_some() && first < second, "{place}");
    }
    let arrival = short_day(10);
    for (email, words) in [
        (
            "grace.kim@example.com",
            ["We are preparing your room", "BK-0035"],
        ),
        (CARLOS, ["You arrive in 10 days", arrival.as_str()]),
        (CARLOS, ["/guest/bookings/BK-0048/change", "3 nights"]),
        (HANNAH, ["Nothing is booked", "Find a room"]),
        (HANNAH, ["/guest/book", "See your earlier stays"]),
    ] {
        let page = hotel.browser().guest(email).await.open("/guest").await;
        page.has(&words);
        assert_eq!(page.shows("class=\"key-card\""), email != HANNAH, "{email}");
    }
    wei.open("/guest").await.has(&[
        "more than one stay with us right now",
        "/guest?booking=BK-0023",
        "Room 102",
        "Room 103",
    ]);
    wei.sees("/guest?booking=BK-0023", &["Room 103"]).await;
    wei.open("/guest/requests")
        .await
        .has(&["For which room?", "value=\"102\"", "value=\"103\""]);
    let page = wei.open("/guest/folio").await;
    page.has(&["booking=BK-0022", "booking=BK-0023"]);
    assert_eq!(wei.open("/guest/check-out").await.to(), "/guest/folio");
}

#[tokio::test]
async fn a_guest_who_has_left_sees_the_next_stay() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest(BETH).await;
    let in_house = ["Late check-out", "Clean my room"];
    beth.open("/guest/requests").await.has(&in_house);
    let done = check_out(&beth, "pm_card_visa").await;
    beth.until(&done, "You are checked out").await;
    beth.open("/guest").await.lacks(&["Your next stay"]);
    let left = hotel.record("Booking__c", "Name", "BK-0042");
    let hers = json!({ "Primary_Guest__c": left["Primary_Guest__c"].clone() });
    hotel.edit("Booking__c", "Name", "BK-0038", &hers);
    let page = beth.open("/guest").await;
    page.has(&[
        "See your receipt",
        "Your next stay",
        "href=\"/guest?booking=BK-0038\"",
        &short_day(1),
    ]);
    let page = beth.open("/guest?booking=BK-0038").await;
    page.has(&["You arrive tomorrow"]);
    let page = beth.sees("/guest/requests", &["A taxi"]).await;
    page.lacks(&in_house);
}

/// An org's calls per day are limited, and each costs the guest most of a second.
#[tokio::test]
async fn a_view_of_the_home_page_is_one_exchange_with_salesforce() {
    let hotel = TestHotel::open().await;
    for (email, path, words) in [
        (BETH, "/guest", ["Room 302", "$250.00"]),
        (SARAH, "/guest", ["You arrive today", "BK-0034"]),
        (HANNAH, "/guest", ["Nothing is booked", "Find a room"]),
        (WEI, "/guest", ["BK-0022", "BK-0023"]),
        (WEI, "/guest?booking=BK-0023", ["Room 103", "Balance"]),
    ] {
        let guest = hotel.browser().guest(email).await;
        // Reads what all guests share
        guest.open("/guest").await;
        let before = hotel.sandbox().calls().len();
        let page = guest.open(path).await;
        let calls = hotel.sandbox().calls().split_off(before);
        let asked: Vec<_> = calls.iter().map(|call| call.operation.as_str()).collect();
        assert_eq!(asked, ["query"], "{email} {path}");
        page.has(&words);
    }
}

#[tokio::test]
async fn an_incomplete_folio_is_reported() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest(BETH).await;
    beth.open("/guest").await.has(&["$250.00"]);
    let folio = hotel.record("Booking__c", "Name", "BK-0042")["Opportunity__c"].clone();
    let amount = ["Amount".to_owned()];
    let blanked = hotel
        .sandbox()
        .blank("Opportunity", folio.as_str(), Some(&amount));
    blanked.unwrap();
    let page = beth.open("/guest").await;
    assert_eq!(page.status, 200, "{}", page.text);
    page.has(&["Please ask for your bill at our front desk."]);
    page.lacks(&["$250.00"]);
}

fn key_card(page: &Page) -> String {
    let text = page.text.replace("<!>", "");
    let (_, card) = text.split_once("class=\"key-card\"").expect("a key card");
    card.split("</section>").next().unwrap().to_owned()
}

#[tokio::test]
async fn hotel_information_is_shown_when_useful() {
    let map = ("HOTEL_MAP_URL", "https://maps.example/dewy");
    let hotel = TestHotel::with(&[map, ("HOTEL_ADDRESS", "1 Shore Road")]).await;
    let stranger = hotel.browser();
    let beth = hotel.browser().guest(BETH).await;
    let inside = beth.open("/guest").await;
    inside.has(&[
        "Good to know",
        "Dewy Guests",
        "morning-dew",
        "7 to 10:30 AM, on the terrace",
        "By 11 AM",
    ]);
    inside.lacks(&["From 3 PM", "maps.example"]);
    let sarah = hotel.browser().guest(SARAH).await;
    let coming = sarah.open("/guest").await;
    coming.has(&[
        "From 3 PM",
        "1 Shore Road",
        "href=\"https://maps.example/dewy\"",
        "7 to 10:30 AM, on the terrace",
    ]);
    // A password is for guests who are checked in
    coming.lacks(&["morning-dew"]);

    // Every page of a guest has its places, a phone to dial, and help
    for (path, place) in [
        ("/guest", "/guest"),
        ("/guest/folio", "/guest"),
        ("/guest/check-out", "/guest"),
        ("/guest/book", "/guest/bookings"),
        ("/guest/bookings/BK-0042/change", "/guest/bookings"),
        ("/guest/requests", "/guest/requests"),
        ("/guest/story", "/guest/story"),
        ("/guest/account", "/guest/account"),
    ] {
        let page = beth.open(path).await;
        let here = if path == place { "page" } else { "true" };
        page.has(&[
            &format!("<a href=\"{place}\" aria-current=\"{here}\""),
            "Ask our front desk",
            "href=\"tel:+12125550190\"",
            "href=\"tel:911\"",
            "class=\"talk-open\"",
            "id=\"dock\"",
        ]);
        let marked = ["page", "true"].map(|here| format!("aria-current=\"{here}\""));
        let marked = marked.iter().map(|mark| page.text.matches(mark).count());
        assert_eq!(marked.sum::<usize>(), 1, "{path}");
    }
    let page = beth.open("/guest/concierge").await;
    page.has(&["href=\"tel:+12125550190\"", "href=\"tel:911\""]);
    let page = stranger.open("/guest/sign-in").await;
    page.lacks(&["aria-label=\"Your stay\""]);
}

#[tokio::test]
async fn what_was_typed_is_kept_when_a_request_fails() {
    let hotel = TestHotel::open().await;
    let olivia = hotel.browser().guest(OLIVIA).await;
    let fields = "kind=Nobody&priority=Later&description=+&idempotency_token=t3";
    olivia.submit("ask", fields).await.has(&[
        "href=\"#description\"",
        "href=\"#kind\"",
        "href=\"#priority\"",
        "value=\"t3\"",
    ]);
    hotel
        .fault("salesforce", "*", "reset_before_effect", 0, 0)
        .await;
    let fields = "kind=Concierge&priority=Low&description=A+piano&idempotency_token=t4";
    let sent = olivia.post("ask", fields).await;
    let place = "/guest/requests#problem";
    assert!(sent.location().ends_with(place), "{}", sent.location());
    hotel.heal().await;
    let page = olivia.open("/guest/requests").await;
    page.has(&["Your request was not sent", "A piano", "value=\"t4\""]);
}

#[tokio::test]
async fn a_guest_saves_what_we_have_about_them_and_nobody_else() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest(BETH).await;
    let path = "/guest/account/data.json";
    let page = beth.open("/guest/account").await;
    page.has(&["Your account", "Beth Gibbs", BETH, path]);
    let file = beth.open(path).await;
    let data: Value = serde_json::from_str(&file.text).unwrap();
    assert_eq!(
        (&data["email"], &data["last_name"]),
        (&json!(BETH), &json!("Gibbs"))
    );
    let bookings = data["bookings"]["bookings"].as_array().unwrap();
    assert!(
        bookings
            .iter()
            .any(|one| one["booking_number"] == "BK-0042"),
        "{data}"
    );
    assert!(
        bookings
            .iter()
            .all(|one| one["guest_email"] == BETH || one["guest_email"].is_null())
    );
    assert_eq!(data["folio"]["balance"], 25_000);
    assert_eq!(data["sessions"].as_array().unwrap().len(), 1);
    let manager = hotel.browser().staff(MANAGER).await;
    for other in [manager, hotel.browser()] {
        assert!(other.open(path).await.to().starts_with("/guest/sign-in"));
    }
    // Half of it is no file
    hotel
        .fault("salesforce", "*", "reset_before_effect", 0, 0)
        .await;
    let none = beth.open(path).await;
    assert_eq!(none.to(), "/guest/account?data=later");
}
