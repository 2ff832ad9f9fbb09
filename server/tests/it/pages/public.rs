//! Public pages: the hotel, its rooms and prices, and the start of a booking.

use dewy_sandbox::{Fault, FaultKind, System};

use crate::prelude::*;

/// Two nights; nothing is booked so far ahead.
fn far() -> String {
    nights(300, 302)
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[tokio::test]
async fn the_start_page_keeps_its_layout_and_the_places_of_a_guest() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    let page = browser.open("/").await;
    page.lacks(&["morning-dew"]);
    // Nothing moves when a picture comes: each has its size
    let pictures: Vec<_> = page.text.split("<img ").skip(1).collect();
    assert!(pictures.len() > 3);
    for picture in pictures {
        let picture = picture.split('>').next().unwrap();
        for part in ["width=\"", "height=\"", "alt=\""] {
            assert!(picture.contains(part), "{part} in {picture}");
        }
    }
    let nowhere = browser.open("/guest/nowhere").await;
    assert_eq!(nowhere.status, 404);
    nowhere.has(&["We could not find that page"]);
    // A guest who is signed in keeps their places
    let page = browser.guest("beth.gibbs@email.com").await.open("/").await;
    page.has(&["aria-label=\"Your stay\"", "Beth"]);
    page.lacks(&["aria-label=\"Hotel\""]);
}

#[tokio::test]
async fn every_page_for_everyone_ends_with_help_and_whom_to_call() {
    let hotel = TestHotel::with(&[("HOTEL_ADDRESS", "1 Shore Road, Dewy Bay")]).await;
    let browser = hotel.browser();
    let rooms = format!("/rooms?{}&number_of_guests=2", nights(4, 6));
    for path in [
        "/",
        "/rooms",
        &rooms,
        "/guest/sign-in",
        "/guest/sign-in/new",
        "/guest/sign-in/code",
        "/guest/nowhere",
    ] {
        let page = browser.open(path).await;
        let foot = page.text.split("<footer class=\"foot\">").nth(1).unwrap();
        for part in [
            "Need a hand?",
            "href=\"tel:+12125550190\"",
            "In an emergency, call",
            "href=\"tel:911\"",
            "1 Shore Road, Dewy Bay",
            "Español",
        ] {
            assert!(foot.contains(part), "{path}: {part} in {foot}");
        }
    }
}

#[tokio::test]
async fn rooms_without_dates_lead_to_what_is_free() {
    let hotel = TestHotel::open().await;
    let page = hotel.browser().open("/rooms").await;
    let (_, rest) = page.text.split_once("class=\"room-foot\"").unwrap();
    let (_, rest) = rest.split_once("href=\"").unwrap();
    let href = rest.split('"').next().unwrap().replace("&amp;", "&");
    assert!(href.contains("room_type="), "{href}");
    let page = hotel.browser().open(&href).await;
    page.has(&["Available rooms", "/guest/book/check?"]);
}

#[tokio::test]
async fn available_rooms_show_totals_and_lead_to_booking() {
    let hotel = TestHotel::open().await;
    let visitor = hotel.browser();
    let page = visitor
        .open(&format!("/rooms?{}&number_of_guests=2", far()))
        .await;
    let check = format!(
        "/guest/book/check?{}&number_of_guests=2&room_number=410",
        far()
    );
    page.has(&[
        "Available rooms",
        &short_day(300),
        &short_day(302),
        "2 nights, 2 people",
        "$1,798.00",
        "2 nights at $899.00",
        "The last one",
        &format!("href=\"{}\"", check.replace('&', "&amp;")),
    ]);
    let door = visitor.open(&check).await;
    assert_eq!(door.status, 303);
    let sign_in = visitor.open(&door.to()).await;
    sign_in.has(&[
        "Sign in to book",
        "Your room and dates are saved",
        "New to Dewy Resort?",
        "tel:+12125550190",
        "href=\"/guest/sign-in/new?next=%2Fguest%2Fbook%2Fcheck",
    ]);
    let code = visitor
        .code_on_the_way("beth.gibbs@email.com", &check)
        .await;
    assert_eq!(visitor.enter(&code).await.to(), check);

    // Someone new says who they are, and keeps their choice
    let visitor = hotel.browser();
    let next = encoded(&check);
    let page = visitor
        .open(&format!("/guest/sign-in/new?next={next}"))
        .await;
    page.has(&[
        "Your details",
        &short_day(300),
        &short_day(302),
        "2 nights, 2 people",
        "autocomplete=\"given-name\"",
        "type=\"tel\"",
    ]);
    let person = "first_name=Ada&last_name=Lovelace&email=ada%40example.com";
    let fields = format!("{person}&phone=no&next={next}");
    visitor.submit("register", &fields).await.has(&[
        "Enter a mobile phone number",
        "value=\"Lovelace\"",
        &short_day(302),
    ]);
    let fields = format!("{person}&phone=%2B12125550178&next={next}");
    visitor.submit("register", &fields).await.has(&[
        "If we already know",
        "action=\"/form/register\"",
        "name=\"phone\" value=\"+12125550178\"",
    ]);
    let known = hotel.browser().guest("sarah@example.com").await;
    let elsewhere = known
        .open("/guest/sign-in/new?next=https%3A%2F%2Fevil.example")
        .await;
    assert_eq!(elsewhere.to(), "/guest/book");
}

#[tokio::test]
async fn unavailable_rooms_are_not_offered_and_errors_are_named() {
    let hotel = TestHotel::open().await;
    let visitor = hotel.browser();
    // Its one room is booked for these nights
    let taken = nights(1, 3);
    let page = visitor
        .open(&format!(
            "/rooms?{taken}&number_of_guests=2&room_type=Penthouse"
        ))
        .await;
    page.has(&["No room is available for these nights", "tel:+12125550190"]);
    let page = visitor
        .open(&format!("/rooms?{}&number_of_guests=12", far()))
        .await;
    page.has(&["No room is large enough for 12 people", "up to 6 people"]);
    let page = visitor
        .open(&format!("/rooms?{}&number_of_guests=2", nights(300, 300)))
        .await;
    page.has(&[
        "role=\"alert\"",
        "The day you leave must be after the day you arrive",
    ]);
    page.lacks(&["Available rooms"]);
    // New dates are read for visitors 20 times a minute at most
    let words = "Many people are looking for rooms";
    let busy = first_with(&visitor, 21, words).await;
    busy.expect("a limit").has(&["tel:+12125550190"]);
}

#[tokio::test]
async fn public_pages_work_during_an_outage() {
    let hotel = TestHotel::open().await;
    let mut settings = hotel.sandbox().org_settings();
    let fault = Fault::new(System::Salesforce, "*", FaultKind::ResetBeforeEffect);
    hotel.sandbox().add_fault(fault.count(0));
    let visitor = hotel.browser();
    let page = visitor.open("/").await;
    assert_eq!(page.status, 200);
    page.has(&[
        "<h1>Dewy Resort</h1>",
        "show our rooms and prices right now",
    ]);
    let page = visitor.open("/rooms").await;
    page.has(&["We can’t show availability right now", "does not answer"]);
    hotel.close().await;

    // The rest of the day's calls is kept for guests with a booking
    settings.daily_calls = 20;
    let hotel = TestHotel::open().await;
    hotel.sandbox().set_org_settings(settings);
    let words = "try again in a quarter of an hour";
    let kept = first_with(&hotel.browser(), 19, words).await;
    kept.expect("a reserve").has(&["tel:+12125550190"]);
}

#[tokio::test]
async fn addresses_with_a_slash_at_the_end_lead_to_the_page() {
    let hotel = TestHotel::open().await;
    let visitor = hotel.browser();
    for (path, page) in [
        ("/staff/", "/staff"),
        ("/rooms/?number_of_guests=2", "/rooms?number_of_guests=2"),
        ("/guest/receipt/exe_1/", "/guest/receipt/exe_1"),
    ] {
        let answer = visitor.open(path).await;
        assert_eq!((answer.status, answer.to().as_str()), (308, page));
    }
    // No text, so nothing there: a page that says so, after the sign-in
    let guest = hotel.browser().guest("beth.gibbs@email.com").await;
    let page = guest.open("/guest/receipt/%FF").await;
    assert_eq!(page.status, 404);
    page.has(&["<h1>"]);
}

/// Searches different nights until a page contains this text.
async fn first_with(visitor: &Browser, searches: i64, words: &str) -> Option<Page> {
    for night in 1..=searches {
        let path = format!("/rooms?{}&number_of_guests=2", nights(300, 300 + night));
        let page = visitor.open(&path).await;
        if page.shows(words) {
            return Some(page);
        }
    }
    None
}

#[tokio::test]
async fn the_hotels_own_texts_are_pages() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("privacy.txt");
    std::fs::write(&file, "Who we are.\n\n# What we store\n<b>Little</b>.").unwrap();
    let hotel = TestHotel::with(&[("HOTEL_PRIVACY", file.to_str().unwrap())]).await;
    let page = hotel.browser().open("/privacy").await;
    page.has(&[
        "<p>Who we are.</p>",
        "<h2>What we store</h2>",
        "&lt;b&gt;Little&lt;/b&gt;.",
        "href=\"/terms\"",
    ]);
    let page = hotel.browser().open("/terms").await;
    page.has(&["This hotel is a demonstration."]);
}
