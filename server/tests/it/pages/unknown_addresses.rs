//! Addresses that are none.

use crate::{browser::Browser, test_hotel::TestHotel};

async fn desk(hotel: &TestHotel) -> Browser {
    hotel.browser().staff("frontdesk@dewy.example").await
}

/// An address that is none shows staff their own layout, with the way back.
#[tokio::test]
async fn an_unknown_address_is_in_the_layout_of_whoever_it_is_for() {
    let hotel = TestHotel::open().await;
    let desk = desk(&hotel).await;
    for path in [
        "/staff/nothing-here",
        "/staff/rooms/302/more",
        "/staff/stays/BK-9999",
    ] {
        let page = desk.open(path).await;
        assert_eq!(page.status, 404, "{path}");
        page.has(&[
            "class=\"desk\"",
            "href=\"/staff\"",
            "Go to today’s board",
            "/staff/account",
        ]);
    }
    let stranger = hotel.browser().open("/staff/nothing-here").await;
    assert_eq!(stranger.status, 404);
    stranger.lacks(&["class=\"account-link\"", "class=\"letterhead\""]);
    let guest = hotel.browser().guest("beth.gibbs@email.com").await;
    let page = guest.open("/guest/nothing-here").await;
    assert_eq!(page.status, 404);
    page.has(&["class=\"letterhead\"", "/guest/account"]);
    assert_eq!(hotel.browser().status("/nothing-here").await, 404);
}
