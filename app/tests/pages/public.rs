//! Pages for everyone: the hotel, its rooms and prices, and the way into a booking.

use axum::http::StatusCode;
use dewy_domain::error_code::ErrorCode;

use super::{Visitor, bookings::has};

const NOVEMBER: &str = "check_in_date=2026-11-27&check_out_date=2026-11-29";

#[tokio::test]
async fn the_start_page_shows_the_hotel_its_rooms_and_their_prices() {
    let page = Visitor::new().get("/").await;
    assert_eq!(page.status, StatusCode::OK);
    has(
        &page,
        &[
            "<h1>Dewy Resort</h1>",
            "Slow mornings",
            "action=\"/rooms\"",
            "from <strong>$125.00</strong> a night",
            "<strong>$299.99</strong> a night",
            "Up to 4 people",
            "Ocean view",
            "href=\"/rooms?room_type=Suite\"",
            "href=\"/guest\"",
            "href=\"/staff\"",
            "fetchpriority=\"high\"",
        ],
    );
    // Nothing moves when a picture comes: each has its size
    for picture in page.text.split("<img ").skip(1) {
        let picture = picture.split('>').next().unwrap();
        assert!(
            picture.contains("width=\"")
                && picture.contains("height=\"")
                && picture.contains("alt=\""),
            "{picture}"
        );
    }
}

#[tokio::test]
async fn free_rooms_have_a_total_and_lead_through_the_sign_in_to_their_booking() {
    let visitor = Visitor::new();
    let page = visitor
        .get(&format!("/rooms?{NOVEMBER}&number_of_guests=2"))
        .await;
    let check = format!("/guest/book/check?{NOVEMBER}&number_of_guests=2&room_number=109");
    has(
        &page,
        &[
            "Available rooms",
            "Fri, Nov 27 to Sun, Nov 29, 2026, 2 nights, 2 people",
            "$599.98",
            "2 nights at $299.99",
            "The last one",
            &format!("href=\"{}\"", check.replace('&', "&amp;")),
        ],
    );
    let door = visitor.get(&check).await;
    assert_eq!(door.status, StatusCode::SEE_OTHER);
    let sign_in = visitor.get(&door.location).await;
    has(
        &sign_in,
        &[
            "Sign in to book",
            "Your room and your dates are kept",
            "New to Dewy Resort?",
            "tel:+15550109000",
            "href=\"/guest/sign-in/new?next=%2Fguest%2Fbook%2Fcheck",
        ],
    );
    let next = door.location.split_once("next=").unwrap().1;
    visitor
        .post(
            "send_code",
            &format!("email=beth.gibbs%40email.com&next={next}"),
        )
        .await;
    assert_eq!(
        visitor.post("enter_code", "code=123456").await.location,
        check
    );
}

#[tokio::test]
async fn what_is_not_free_is_not_offered_and_mistakes_are_named() {
    let visitor = Visitor::new();
    let december = "check_in_date=2026-12-01&check_out_date=2026-12-03";
    let page = visitor
        .get(&format!(
            "/rooms?{december}&number_of_guests=2&room_type=Suite"
        ))
        .await;
    has(
        &page,
        &["No room is free for these nights", "tel:+15550109000"],
    );
    let page = visitor
        .get(&format!("/rooms?{december}&number_of_guests=12"))
        .await;
    has(
        &page,
        &["No room is large enough for 12 people", "up to 4 people"],
    );
    let page = visitor
        .get("/rooms?check_in_date=2026-11-27&check_out_date=2026-11-27&number_of_guests=2")
        .await;
    has(
        &page,
        &[
            "role=\"alert\"",
            "The day you leave must be after the day you arrive",
        ],
    );
    assert!(!page.text.contains("Available rooms"));
}

#[tokio::test]
async fn the_pages_stand_while_the_booking_system_is_silent() {
    let visitor = Visitor::new();
    visitor.house.hide_rooms(ErrorCode::UpstreamUnavailable);
    let page = visitor.get("/").await;
    assert_eq!(page.status, StatusCode::OK);
    has(
        &page,
        &[
            "<h1>Dewy Resort</h1>",
            "show our rooms and prices right now",
        ],
    );
    let page = visitor.get("/rooms").await;
    has(
        &page,
        &["We can’t show availability right now", "does not answer"],
    );
    visitor.house.hide_rooms(ErrorCode::RateLimited);
    let page = visitor
        .get(&format!("/rooms?{NOVEMBER}&number_of_guests=2"))
        .await;
    has(
        &page,
        &["Many people are looking for rooms", "tel:+15550109000"],
    );
    visitor.house.hide_rooms(ErrorCode::QuotaReserved);
    let page = visitor
        .get(&format!("/rooms?{NOVEMBER}&number_of_guests=2"))
        .await;
    has(
        &page,
        &["try again in a quarter of an hour", "tel:+15550109000"],
    );
}

#[tokio::test]
async fn a_guest_who_is_signed_in_keeps_their_places() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor.get("/").await;
    has(&page, &["aria-label=\"Your stay\"", "Beth"]);
    assert!(!page.text.contains("aria-label=\"Hotel\""));
}

#[tokio::test]
async fn someone_new_says_who_they_are_and_keeps_their_choice() {
    let visitor = Visitor::new();
    let next = format!("/guest/book/check?{NOVEMBER}&number_of_guests=2&room_number=109");
    let encoded = next
        .replace('/', "%2F")
        .replace('?', "%3F")
        .replace('=', "%3D")
        .replace('&', "%26");
    let page = visitor
        .get(&format!("/guest/sign-in/new?next={encoded}"))
        .await;
    has(
        &page,
        &[
            "Your details",
            "Fri, Nov 27 to Sun, Nov 29, 2026, 2 nights, 2 people",
            "autocomplete=\"given-name\"",
            "type=\"tel\"",
        ],
    );
    let person = "first_name=Ada&last_name=Lovelace&email=ada%40example.com";
    let failed = visitor
        .post("register", &format!("{person}&phone=no&next={encoded}"))
        .await;
    has(
        &visitor.get(&failed.location).await,
        &[
            "Enter a mobile phone number",
            "value=\"Lovelace\"",
            "Nov 29",
        ],
    );
    let sent = visitor
        .post(
            "register",
            &format!("{person}&phone=%2B15550107788&next={encoded}"),
        )
        .await;
    assert_eq!(sent.location, "/guest/sign-in/code");
    let page = visitor.get(&sent.location).await;
    has(
        &page,
        &[
            "If we already know",
            "action=\"/form/register\"",
            "name=\"phone\" value=\"+15550107788\"",
        ],
    );
    assert_eq!(
        visitor.post("enter_code", "code=123456").await.location,
        next
    );
    let elsewhere = visitor
        .get("/guest/sign-in/new?next=https%3A%2F%2Fevil.example")
        .await;
    assert_eq!(elsewhere.location, "/guest/book");
}
