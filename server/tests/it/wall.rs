//! The screen on the wall reads its board with a token, and nothing else.

use crate::{browser::path_of, hotel::TestHotel};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn the_token_opens_the_wall_and_its_stream_and_nothing_else() {
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
    assert!(wall.text.contains("Board for the wall") && wall.text.contains("Open cases"));
    for name in ["Gibbs", "Wei Chen", "beth.gibbs"] {
        assert!(!wall.text.contains(name), "{name}");
    }
    for path in [
        "/staff",
        "/staff/rooms",
        "/staff/arrivals",
        "/staff/audit",
        "/staff/audit.csv",
        "/staff/executions",
        "/staff/stays/BK-0042",
        "/staff/systems",
        "/staff/concierge",
        "/guest/bookings",
    ] {
        let page = screen.open(path).await;
        assert!(page.status != 200, "{path}: {}", page.status);
    }
    assert_eq!(screen.status("/staff/board/events?after=0").await, 200);
    for path in ["/staff/events", "/staff/attention/events", "/guest/events"] {
        assert_eq!(screen.open(path).await.status, 401, "{path}");
    }
    // A form from the page does nothing
    let fields = [("room_number", "302"), ("status", "Maintenance")];
    for form in [
        "/form/set_room_status",
        "/form/sign_out",
        "/form/create_token",
    ] {
        let sent = screen.send(form, &fields).await;
        assert!(sent.status != 200, "{form}: {}", sent.text);
    }
    let state = hotel.state();
    let rooms = state["salesforce"]["Hotel_Room__c"].as_array().unwrap();
    let room = rooms
        .iter()
        .find(|room| room["Room_Number__c"] == "302")
        .unwrap();
    assert_eq!(room["Status__c"], "Occupied");
    assert_eq!(screen.open("/staff/wall").await.status, 200, "still there");
    hotel.close().await;
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
    hotel.close().await;
}
