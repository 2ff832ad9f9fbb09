//! A guest's check-in, step by step, and the reasons it can be refused.

use crate::prelude::*;

#[tokio::test]
async fn a_check_in_is_sent_as_its_review_showed_it() {
    let hotel = TestHotel::open().await;
    let sarah = hotel.browser().guest("sarah@example.com").await;
    let fields = "booking_number=BK-0034&arrival=evening&wishes=A+cot%2C+please";
    let sent = sarah.post("check_in_details", fields).await;
    assert_eq!(sent.to(), "/guest/check-in?booking=BK-0034&step=check");
    let review = sarah.open(&sent.to()).await;
    // Another tab changes its mind, and is left alone
    let other = "booking_number=BK-0034&arrival=night&wishes=No+cot";
    sarah.post("check_in_details", other).await;
    let sent = sarah.press(&review, "check_in").await;
    sarah
        .until(&sent.to(), "You are checked in. Welcome!")
        .await;
    let wishes = "A cot, please\nArriving: this evening.\nBooking BK-0034.";
    hotel.wait_for_record("Case", "Description", wishes).await;

    // Without wishes nothing is asked for
    let cases = hotel.sandbox().records("Case").len();
    let liam = hotel.browser().guest("liam.walsh@example.com").await;
    let fields = "booking_number=BK-0036&arrival=here&wishes=";
    liam.post("check_in_details", fields).await;
    let fields = "booking_number=BK-0036&idempotency_token=t2";
    let sent = liam.post("check_in", fields).await;
    liam.until(&sent.to(), "You are checked in. Welcome!").await;
    assert_eq!(hotel.sandbox().records("Case").len(), cases);
}

#[tokio::test]
async fn an_impossible_check_in_names_the_reason() {
    let hotel = TestHotel::open().await;
    let grace = hotel.browser().guest("grace.kim@example.com").await;
    let long = "x".repeat(501);
    let fields = format!("booking_number=BK-0035&wishes={long}");
    let page = grace.submit("check_in_details", &fields).await;
    page.has(&["href=\"#wishes\"", &long]);
    let fields = "booking_number=BK-0035&arrival=here&wishes=&idempotency_token=t1";
    let sent = grace.post("check_in", fields).await;
    let page = grace.until(&sent.to(), "Your room is not ready yet").await;
    page.has(&["Your reservation stands"]);
    // Two bookings that begin today: none is guessed
    let fatima = hotel.record("Contact", "Email", "fatima.hassan@example.com");
    let change = json!({ "Primary_Guest__c": fatima["Id"] });
    hotel.edit("Booking__c", "Name", "BK-0036", &change);
    let (from, to) = (short_day(1), short_day(3));
    for (email, words) in [
        (
            "chloe.dubois@example.com",
            ["It’s too early to check in", &from, &to],
        ),
        (
            "fatima.hassan@example.com",
            [
                "Which booking is it?",
                "/guest/check-in?booking=BK-0036",
                "/guest/check-in?booking=BK-0037",
            ],
        ),
        (
            "beth.gibbs@email.com",
            ["You are checked in", "Room 302 is yours", "302"],
        ),
        (
            "hannah.weiss@example.com",
            [
                "We found no booking to check in to",
                "Find a room",
                "/guest/book",
            ],
        ),
    ] {
        let guest = hotel.browser().guest(email).await;
        guest.open("/guest/check-in").await.has(&words);
    }
    let page = grace.open("/guest/check-in?booking=BK-9999").await;
    assert_eq!(page.status, 404);
}
