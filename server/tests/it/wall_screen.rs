//! The wall screen reads its board with a token, and nothing else.

use crate::prelude::*;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn the_token_opens_only_the_wall_screen_and_its_stream() {
    let hotel = TestHotel::with(&[("HOTEL_WALL_TOKEN", TOKEN)]).await;
    let screen = hotel.browser();
    let shut = |location: &str| location.contains("/staff/sign-in");
    assert!(shut(screen.open("/staff/wall").await.location()));
    let wrong = screen
        .open("/staff/wall?token=0123456789abcdef0123456789abcdee")
        .await;
    assert!(shut(wrong.location()));
    let opened = screen.open(&format!("/staff/wall?token={TOKEN}")).await;
    assert_eq!(
        (opened.status, path_of(opened.location()).as_str()),
        (303, "/staff/wall")
    );
    assert!(opened.header("set-cookie").contains("HttpOnly"));
    let wall = screen.open("/staff/wall").await;
    assert_eq!(wall.status, 200);
    wall.has(&[
        "Board for the wall",
        "Open cases",
        "data-events=\"/staff/board/events\"",
        "data-condition=\"dirty\"",
        "To arrive",
        "arrives today",
        "leaves today",
        "No connection.",
        "<noscript><p class=\"by-hand\">",
    ]);
    // No guest, nothing a guest wrote, no money, nothing to send
    wall.lacks(&[
        "Gibbs",
        "Wei Chen",
        "Sarah",
        "@email.com",
        "@example.com",
        "towels",
        "BK-",
        "$",
        "/form/set_room",
        "<nav",
    ]);
    // What its staff and its guest may open, and the screen may not
    let staff = hotel.browser().staff("manager@dewy.example").await;
    let guest = hotel.browser().guest("beth.gibbs@email.com").await;
    for path in [
        "/staff",
        "/staff/waiting",
        "/staff/rooms",
        "/staff/rooms/302",
        "/staff/tape",
        "/staff/cases",
        "/staff/attention",
        "/staff/account",
        "/staff/audit",
        "/staff/audit.csv",
        "/staff/executions",
        "/staff/stays/BK-0042",
        "/staff/guests",
        "/staff/payments",
        "/staff/systems",
        "/staff/tokens",
        "/staff/conversations",
        "/staff/concierge",
        "/guest/bookings",
        "/guest/folio",
    ] {
        let inside = if path.starts_with("/staff") {
            &staff
        } else {
            &guest
        };
        assert_eq!(inside.open(path).await.status, 200, "{path}");
        let page = screen.open(path).await;
        let shut = page.location().contains("/sign-in") || page.status == 401;
        assert!(shut, "{path}: {} {}", page.status, page.text);
        assert!(!page.text.contains("Gibbs"), "{path}");
    }
    assert_eq!(screen.status("/staff/board/events?after=0").await, 200);
    for path in ["/staff/events", "/staff/attention/events", "/guest/events"] {
        let inside = if path.starts_with("/staff") {
            &staff
        } else {
            &guest
        };
        assert_eq!(inside.status(path).await, 200, "{path}");
        assert_eq!(screen.open(path).await.status, 401, "{path}");
    }
    // A form that the screen sends does nothing; the same form by staff does
    let fields = [
        ("room_number", "101"),
        ("status", "Maintenance"),
        ("idempotency_token", "wall"),
    ];
    let status = || {
        let state = hotel.state();
        let rooms = state["salesforce"]["Hotel_Room__c"].as_array().unwrap();
        let is_it = |room: &&Value| room["Room_Number__c"] == "101";
        rooms.iter().find(is_it).unwrap()["Status__c"].clone()
    };
    let before = status();
    assert_ne!(before, "Maintenance");
    let sent = screen.send("/form/set_room", &fields).await;
    assert!(shut(sent.location()), "{} {}", sent.status, sent.text);
    assert_eq!(status(), before);
    staff.send("/form/set_room", &fields).await;
    assert_eq!(status(), "Maintenance");
    let sent = screen.post("make_token", "name=wall").await;
    assert!(shut(sent.location()), "{} {}", sent.status, sent.text);
    assert_eq!(screen.open("/staff/wall").await.status, 200, "still there");
}

#[tokio::test]
async fn without_the_variable_or_with_another_token_the_screen_is_locked_out() {
    let hotel = TestHotel::open().await;
    let screen = hotel.browser();
    let page = screen.open(&format!("/staff/wall?token={TOKEN}")).await;
    assert!(page.location().contains("/staff/sign-in"));
    assert!(
        page.header("set-cookie").is_empty() || !page.header("set-cookie").contains("dewy_wall")
    );
}

/// The variable is changed and the hotel restarted: every screen is locked out until it opens the
/// new link.
#[tokio::test]
async fn a_screen_with_the_cookie_of_an_earlier_token_is_locked_out() {
    let hotel = TestHotel::with(&[("HOTEL_WALL_TOKEN", TOKEN)]).await;
    let screen = hotel.browser();
    screen.open(&format!("/staff/wall?token={TOKEN}")).await;
    assert_eq!(screen.open("/staff/wall").await.status, 200);
    let cookie = screen.kept("dewy_wall").unwrap();
    let folder = hotel.close_and_keep().await;
    let other = "fedcba9876543210fedcba9876543210";
    let hotel = TestHotel::reopen(folder, &[("HOTEL_WALL_TOKEN", other)]).await;
    let screen = hotel.browser();
    screen.keep("dewy_wall", &cookie);
    let page = screen.open("/staff/wall").await;
    assert!(
        page.location().contains("/staff/sign-in"),
        "{}",
        page.status
    );
    assert_eq!(screen.status("/staff/board/events?after=0").await, 401);
    screen.open(&format!("/staff/wall?token={other}")).await;
    assert_eq!(screen.open("/staff/wall").await.status, 200);
}
