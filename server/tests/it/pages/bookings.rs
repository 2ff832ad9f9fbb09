//! A guest's bookings: listed, made, changed, canceled; each price before it is asked for.

use crate::prelude::*;

#[tokio::test]
async fn bookings_are_listed_with_their_actions() {
    let hotel = TestHotel::open().await;
    let carlos = hotel.browser().guest("carlos.mendes@example.com").await;
    let page = carlos.open("/guest/bookings").await;
    page.has(&[
        "Coming up",
        "Past stays",
        "/guest/bookings/BK-0048/change",
        "/guest/bookings/BK-0048/cancel",
        "/guest/folio?booking=BK-0001",
        "Canceled",
        &short_day(10),
        // A line breaks before the separator, never after it
        "3 nights ·\u{a0}1 person",
    ]);
    page.lacks(&["/guest/bookings/BK-0001/change"]);
    let priya = hotel.browser().guest("priya.raman@example.com").await;
    let page = priya.open("/guest/bookings").await;
    page.has(&["With us now", "/guest/bookings/BK-0032/change"]);
    page.lacks(&["/guest/bookings/BK-0032/cancel"]);
    let page = priya.open("/guest/bookings/BK-0006/change").await;
    page.has(&["can no longer be changed"]);
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let fields = "email=ada%40example.com&first_name=Ada&last_name=Byron&phone=%2B12125550178&idempotency_token=t";
    desk.post("new_guest", fields).await;
    let ada = hotel.browser().guest("ada@example.com").await;
    ada.open("/guest/bookings")
        .await
        .has(&["Your bookings are here once you have one", "Book a stay"]);
    ada.sees("/guest/folio", &["no stay with us"]).await;

    // Canceling says first what it means
    carlos.open("/guest/bookings/BK-0048/cancel").await.has(&[
        "Cancel this booking?",
        "The $899.97 it would have cost won’t be charged.",
        "be undone",
        "Keep my booking",
        "class=\"danger wide\"",
        "Cancel booking BK-0048",
        "name=\"idempotency_token\" value=\"",
    ]);
    let page = carlos.open("/guest/bookings/BK-0001/cancel").await;
    page.has(&["This booking has ended"]);
    let page = priya.open("/guest/bookings/BK-0032/cancel").await;
    page.has(&["be canceled", "check out instead"]);
}

#[tokio::test]
async fn a_booking_is_reviewed_and_created_once() {
    let hotel = TestHotel::open().await;
    // Nothing is booked so far ahead
    let far = format!("{}&number_of_guests=2", nights(300, 302));
    let beth = hotel.browser().guest("beth.gibbs@email.com").await;
    beth.open("/guest/book").await.has(&[
        &format!("value=\"{}\"", day(1)),
        &format!("value=\"{}\"", day(3)),
        "Check availability",
    ]);
    let page = beth.open(&format!("/guest/book?{far}&room_type=")).await;
    let suite = format!("/guest/book/check?{far}&room_number=410");
    page.has(&[
        &short_day(300),
        "2 nights, 2 people",
        "2 nights at $125.00",
        "$250.00",
        " left",
        "The last one",
        &suite.replace('&', "&amp;"),
    ]);
    let wrong = "check_in_date=2020-11-01&check_out_date=2020-11-01&number_of_guests=0";
    let page = beth.open(&format!("/guest/book?{wrong}")).await;
    page.has(&[
        "href=\"#check_out_date\"",
        "Enter how many people, from 1 to 20",
    ]);
    let path = format!(
        "/guest/book?{}&number_of_guests=2&room_type=Penthouse",
        nights(1, 3)
    );
    let page = beth.open(&path).await;
    page.has(&["No room is available for these nights"]);
    // A party too large for any room is not offered other dates
    let path = format!("/guest/book?{}&number_of_guests=12", nights(300, 302));
    let page = beth.open(&path).await;
    page.has(&[
        "No room is large enough for 12 people",
        "sleeps up to 6 people",
        "tel:+12125550190",
    ]);
    page.lacks(&["Other dates"]);

    let address = format!("/guest/book/check?{far}&room_number=106");
    let page = beth.open(&address).await;
    page.has(&[
        "Check your booking",
        "2 nights at $175.00 = $350.00",
        "<dd>Beth Gibbs</dd>",
        "name=\"idempotency_token\" value=\"",
        "Nothing is charged now",
    ]);
    // Who is signed in is known by name
    page.lacks(&["Last name"]);
    let fields = format!(
        "{far}&room_number=106&idempotency_token=t&guest_first_name=Beth&special_requests=A+quiet+room"
    );
    let sent = beth
        .post("book", &format!("{fields}&guest_last_name="))
        .await;
    assert_eq!(sent.to(), address);
    let page = beth.open(&address).await;
    page.has(&["href=\"#guest_last_name\"", "A quiet room", "value=\"t\""]);
    let whole = format!("{fields}&guest_last_name=Gibbs");
    let sent = beth.post("book", &whole).await;
    let page = beth.until(&sent.to(), "Your room is booked").await;
    page.has(&[
        "Your new booking",
        "Your booking number",
        "The price is $350.00",
    ]);
    let made = hotel.record("Booking__c", "Special_Requests__c", "A quiet room");
    assert_eq!(
        (&made["Check_In_Date__c"], &made["Number_of_Guests__c"]),
        (&json!(day(300)), &json!(2.0))
    );
    let bookings = hotel.sandbox().records("Booking__c").len();
    assert_eq!(beth.post("book", &whole).await.to(), sent.to(), "once");

    // Going back, a guest sees their own booking
    let page = beth.open(&address).await;
    page.has(&["You have booked this room", "See your bookings"]);
    page.lacks(&["just been taken"]);
    // What has been taken meanwhile is told honestly, before and after the button
    let sarah = hotel.browser().guest(SARAH).await;
    let page = sarah.open(&address).await;
    page.has(&["That room has just been taken", "See what is free"]);
    let again = whole.replace("token=t", "token=t2");
    let sent = beth.post("book", &again).await;
    let page = beth.until(&sent.to(), "Nothing was booked").await;
    page.has(&["That room is taken for these nights.", "See what is free"]);
    assert_eq!(hotel.sandbox().records("Booking__c").len(), bookings);
    let wrong = format!("/guest/book/check?{}&number_of_guests=2", nights(302, 300));
    let page = beth.open(&wrong).await;
    assert_eq!(page.status, 303);
}

#[tokio::test]
async fn another_room_for_the_same_nights_is_asked_about() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest("beth.gibbs@email.com").await;
    let far = format!("{}&number_of_guests=2", nights(300, 302));
    let page = beth
        .open(&format!("/guest/book/check?{far}&room_number=106"))
        .await;
    let sent = beth.press(&page, "book").await;
    beth.until(&sent.to(), "Your room is booked").await;
    let page = beth
        .open(&format!("/guest/book/check?{far}&room_number=104"))
        .await;
    let asked = beth.press(&page, "book").await;
    let page = beth.open(&asked.to()).await;
    page.has(&[
        "You already have room 106 for these nights",
        "only if you need both",
    ]);
    let sent = beth.press(&page, "book").await;
    beth.until(&sent.to(), "Your room is booked").await;
}

#[tokio::test]
async fn a_change_shows_its_price_first() {
    let hotel = TestHotel::open().await;
    let sarah = hotel.browser().guest("sarah@example.com").await;
    let form = "/guest/bookings/BK-0034/change";
    let page = sarah.open(form).await;
    page.has(&[
        &format!("value=\"{}\"", day(0)),
        "Keep room 205",
        "See the price",
    ]);
    page.lacks(&["Change to"]);
    let ask = |leaves: i64, more: &str| {
        let (from, to) = (day(0), day(leaves));
        format!("{form}?check_in_date={from}&check_out_date={to}&number_of_guests={more}")
    };
    // A change that would be refused is refused before the button
    let page = sarah.open(&ask(3, "12&room=")).await;
    page.has(&["This room is for up to 2", "value=\"12\""]);
    page.lacks(&["Change to"]);
    // An unchanged form is nobody's mistake in one field
    let page = sarah.open(&ask(3, "2&room=")).await;
    page.has(&["Nothing has changed yet"]);
    page.lacks(&["field-problem"]);
    // Another room has its own price
    sarah.open(&ask(3, "2&room=other")).await.has(&[
        "Other rooms for these nights",
        "room_number=100",
        "Keep my room",
    ]);
    sarah.open(&ask(3, "2&room_number=100")).await.has(&[
        "That is $150.00 less.",
        "name=\"room_number\" value=\"100\"",
        "Change to $375.00",
    ]);
    let page = sarah.open(&ask(3, "2&room_number=999")).await;
    page.has(&["Room 999 has just been taken"]);
    sarah.sees(&ask(3, "2"), &["Nothing has changed yet"]).await;
    // A guest whose room is not available for the added nights is shown others
    let room = hotel.record("Hotel_Room__c", "Room_Number__c", "205");
    let moved = json!({ "Room__c": room["Id"] });
    hotel.edit("Booking__c", "Name", "BK-0047", &moved);
    sarah.open(&ask(8, "2")).await.has(&[
        "Your room isn’t available for the added nights",
        "room_number=100",
    ]);

    let page = sarah.open(&ask(4, "2&room=")).await;
    page.has(&[
        "Check the change",
        "$525.00",
        "$700.00",
        "That is $175.00 more.",
        &format!("name=\"check_out_date\" value=\"{}\"", day(4)),
        "Change to $700.00",
    ]);
    let (_, act) = page.text.split_once("/form/change_booking").unwrap();
    assert!(!act.contains("name=\"check_in_date\"") && !act.contains("name=\"number_of_guests\""));
}

#[tokio::test]
async fn an_uncheckable_change_is_not_called_impossible() {
    // Enough to read the stay, and not to check a change of it
    let hotel = TestHotel::with(&[("SALESFORCE_CALLS_PER_GUEST", "20")]).await;
    let sarah = hotel.browser().guest("sarah@example.com").await;
    let form = "/guest/bookings/BK-0034/change";
    let query = format!("{}&number_of_guests=1&room=", nights(0, 3));
    let page = sarah.open(&format!("{form}?{query}")).await;
    page.has(&["Try again in a moment", "value=\"1\""]);
    page.lacks(&["possible", "Change to"]);
}

#[tokio::test]
async fn checked_in_guests_change_only_the_departure() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest("beth.gibbs@email.com").await;
    let form = "/guest/bookings/BK-0042/change";
    let page = beth.open(form).await;
    page.has(&[
        &format!("You arrived on {}", short_day(-2)),
        "name=\"check_out_date\"",
    ]);
    page.lacks(&["name=\"check_in_date\"", "name=\"room\""]);
    let room = hotel.record("Hotel_Room__c", "Room_Number__c", "302");
    let moved = json!({ "Room__c": room["Id"] });
    hotel.edit("Booking__c", "Name", "BK-0046", &moved);
    for (leaves, words) in [
        (8, "Your room isn’t available for those nights"),
        (-1, "These days are in the past"),
    ] {
        let query = format!("check_out_date={}&number_of_guests=1", day(leaves));
        beth.open(&format!("{form}?{query}")).await.has(&[words]);
    }
    let page = beth.open("/guest/bookings/BK-9999/change").await;
    assert_eq!(page.status, 404);
    // Leaving early is a check-out, with what is given up
    let wei = hotel.browser().guest("wei.chen@example.com").await;
    let form = "/guest/bookings/BK-0023/change";
    wei.open(form).await.has(&[
        &format!("min=\"{}\"", day(2)),
        "Here you can stay longer.",
        "href=\"/guest/check-out?booking=BK-0023\"",
    ]);
    let query = format!("check_out_date={}&number_of_guests=2", day(1));
    let page = wei.open(&format!("{form}?{query}")).await;
    page.has(&[
        "Enter the day your booking ends, or a later one",
        "Leave early instead",
    ]);
    page.lacks(&["Change to"]);
}

#[tokio::test]
async fn a_price_that_changes_before_the_click_is_asked_about_again() {
    let hotel = TestHotel::open().await;
    let rate = |cents: f64| {
        let change = json!({ "Nightly_Rate__c": cents });
        hotel.edit("Hotel_Room__c", "Room_Number__c", "106", &change);
    };
    let far = format!("{}&number_of_guests=2", nights(300, 302));
    let beth = hotel.browser().guest("beth.gibbs@email.com").await;
    let review = format!("/guest/book/check?{far}&room_number=106");
    let page = beth.sees(&review, &["Book for $350.00"]).await;
    rate(500.0);
    let bookings = hotel.sandbox().records("Booking__c").len();
    let sent = beth.press(&page, "book").await;
    let page = beth.until(&sent.to(), "Nothing was booked").await;
    page.has(&["The price is $1,000.00 now, not $350.00."]);
    // At the desk, the form itself asks again
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let fields = "guest_email=beth.gibbs%40email.com&guest_first_name=Beth&guest_last_name=Gibbs";
    let fields = format!("{far}&room_number=106&{fields}&special_requests=A+cot");
    let back = format!("/staff/book?{far}&room=106").replace('&', "%26");
    let stale = format!("{fields}&amount=35000&back={back}&idempotency_token=d1");
    desk.submit("desk_book", &stale).await.has(&[
        "The price is $1,000.00 now, not $350.00",
        "name=\"amount\" value=\"100000\"",
        "A cot",
    ]);
    assert_eq!(hotel.sandbox().records("Booking__c").len(), bookings);
    // A change of an existing booking
    let sarah = hotel.browser().guest("sarah@example.com").await;
    let query = format!("{}&number_of_guests=2&room_number=100", nights(0, 3));
    let page = sarah
        .open(&format!("/guest/bookings/BK-0034/change?{query}"))
        .await;
    page.has(&["Change to $375.00"]);
    let dearer = json!({ "Nightly_Rate__c": 300 });
    hotel.edit("Hotel_Room__c", "Room_Number__c", "100", &dearer);
    let sent = sarah.press(&page, "change_booking").await;
    let page = sarah
        .until(&sent.to(), "Your booking stands as it was")
        .await;
    page.has(&["The price is $900.00 now, not $375.00."]);
}
