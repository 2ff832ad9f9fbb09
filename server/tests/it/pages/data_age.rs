//! The time that a board shows is the time of the read, not of the page.

use dewy_app::HotelClock;
use jiff::Timestamp;

use crate::prelude::*;

/// Value of an attribute of the page's `main` element.
fn attribute(text: &str, name: &str) -> String {
    let (_, rest) = text.split_once(&format!("{name}=\"")).unwrap();
    rest.split_once('"').unwrap().0.to_owned()
}

#[tokio::test]
async fn boards_are_dated_by_their_data() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff("manager@dewy.example").await;
    let first = desk.open("/staff").await.text;
    let read: i64 = attribute(&first, "data-read").parse().unwrap();
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    for path in ["/staff", "/staff/rooms", "/staff/cases", "/staff/tape"] {
        let page = desk.open(path).await.text;
        let now: i64 = attribute(&page, "data-now").parse().unwrap();
        assert_eq!(attribute(&page, "data-read"), read.to_string(), "{path}");
        assert!(now >= read + 2, "{path}: {now} {read}");
        let at = HotelClock::default().clock_time(Timestamp::from_second(read).unwrap());
        assert_eq!(attribute(&page, "data-as-of"), at, "{path}");
        // Without scripts, too
        assert!(page.contains(&format!("As of {at}")), "{path}");
    }
}
