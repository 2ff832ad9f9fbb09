//! Bookings: listed, created, changed, canceled.

use std::sync::Arc;

use axum::http::StatusCode;
use dewy_app::{HotelClock, Receipts};
use dewy_domain::{
    caller::{Caller, Interface},
    ports::{ReceiptEmail, ReceiptWriter, SignedIn},
};
use serde_json::json;

use super::Visitor;

async fn beth() -> Visitor {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    visitor
}

pub fn has(page: &super::Page, words: &[&str]) {
    // Leptos puts a marker between adjacent texts
    let text = page.text.replace("<!>", "");
    for words in words {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[tokio::test]
async fn bookings_are_listed_with_what_can_be_done_about_them() {
    let visitor = beth().await;
    let page = visitor.get("/guest/bookings").await;
    has(
        &page,
        &[
            "With us now",
            "Coming up",
            "Past stays",
            "/guest/bookings/BK-0070/cancel",
            "/guest/bookings/BK-0042/change",
        ],
    );
    has(
        &page,
        &[
            "/guest/folio?booking=BK-0007",
            "Canceled",
            "Thu, Dec 24 to Sun, Dec 27, 2026",
            "3 nights",
        ],
    );
    assert!(
        !page.text.contains("/guest/bookings/BK-0042/cancel")
            && !page.text.contains("/guest/bookings/BK-0007/change")
    );
    visitor.house.plant("exe_1", "pm_card_visa");
    visitor.sign_in("nobody%40example.com").await;
    has(
        &visitor.get("/guest/bookings").await,
        &["Your bookings are here once you have one", "Book a stay"],
    );
}

#[tokio::test]
async fn free_rooms_are_offers_with_their_price() {
    let visitor = beth().await;
    let page = visitor.get("/guest/book").await;
    has(
        &page,
        &[
            "value=\"2026-11-21\"",
            "value=\"2026-11-23\"",
            "Check availability",
        ],
    );
    let page = visitor
        .get("/guest/book?check_in_date=2026-12-01&check_out_date=2026-12-03&number_of_guests=2&room_type=")
        .await;
    has(
        &page,
        &[
            "Tue, Dec 1 to Thu, Dec 3, 2026, 2 nights, 2 people",
            "2 nights at $125.00",
            "$250.00",
            "2 left",
            "The last one",
        ],
    );
    has(
        &page,
        &[
            "/guest/book/check?check_in_date=2026-12-01&amp;check_out_date=2026-12-03&amp;number_of_guests=2&amp;room_number=305",
        ],
    );
    let page = visitor
        .get("/guest/book?check_in_date=2026-11-01&check_out_date=2026-11-01&number_of_guests=0")
        .await;
    has(
        &page,
        &[
            "The day you arrive is in the past",
            "href=\"#check_out_date\"",
            "Enter how many people, from 1 to 20",
        ],
    );
    let page = visitor
        .get("/guest/book?check_in_date=2027-02-01&check_out_date=2027-02-02&number_of_guests=2")
        .await;
    has(&page, &["No room is available for these nights"]);
    // A party too large for any room is not offered other dates
    let page = visitor
        .get("/guest/book?check_in_date=2026-12-01&check_out_date=2026-12-03&number_of_guests=12")
        .await;
    has(
        &page,
        &[
            "No room is large enough for 12 people",
            "sleeps up to 6 people",
            "tel:+15550109000",
        ],
    );
    assert!(!page.text.contains("Other dates"));
}

#[tokio::test]
async fn a_booking_is_looked_over_and_made_once() {
    let visitor = beth().await;
    let address = "/guest/book/check?check_in_date=2026-12-01&check_out_date=2026-12-03&number_of_guests=2&room_number=305";
    let page = visitor.get(address).await;
    has(
        &page,
        &[
            "Check your booking",
            "2 nights at $175.00 = $350.00",
            "<dd>Beth Gibbs</dd>",
            "value=\"token-0\"",
            "Nothing is charged now",
        ],
    );
    assert!(
        !page.text.contains("Last name"),
        "who is signed in is known by name"
    );
    let fields = "room_number=305&check_in_date=2026-12-01&check_out_date=2026-12-03&number_of_guests=2&idempotency_token=token-0";
    let page = visitor
        .post(
            "book",
            &format!(
                "{fields}&guest_first_name=Beth&guest_last_name=&special_requests=A+quiet+room"
            ),
        )
        .await;
    assert_eq!(page.location, address);
    let page = visitor.get(address).await;
    has(
        &page,
        &[
            "href=\"#guest_last_name\"",
            "A quiet room",
            "value=\"token-0\"",
        ],
    );
    let page = visitor
        .post(
            "book",
            &format!(
                "{fields}&guest_first_name=Beth&guest_last_name=Gibbs&special_requests=A+quiet+room"
            ),
        )
        .await;
    let call = visitor.house.calls().pop().unwrap();
    assert_eq!(
        call.input,
        json!({ "room_number": "305", "check_in_date": "2026-12-01", "check_out_date": "2026-12-03", "number_of_guests": 2,
            "guest_first_name": "Beth", "guest_last_name": "Gibbs", "special_requests": "A quiet room" })
    );
    let page = visitor.get(&page.location).await;
    has(
        &page,
        &[
            "Your new booking",
            "Your room is booked",
            "Your booking number",
            "BK-0071",
            "The price is $350.00",
        ],
    );
    let page = visitor.get(&address.replace("305", "999")).await;
    has(
        &page,
        &["That room has just been taken", "See what is free"],
    );
    let page =
        visitor.get("/guest/book/check?check_in_date=2026-12-01&check_out_date=2026-11-01&number_of_guests=2").await;
    assert_eq!(page.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_room_that_somebody_else_took_is_told_honestly() {
    let visitor = beth().await;
    let fields = "room_number=308&check_in_date=2026-12-01&check_out_date=2026-12-03&number_of_guests=2&idempotency_token=token-0";
    let page = visitor
        .post(
            "book",
            &format!("{fields}&guest_first_name=Beth&guest_last_name=Gibbs"),
        )
        .await;
    has(
        &visitor.get(&page.location).await,
        &[
            "Nothing was booked",
            "That room is taken for these nights.",
            "See what is free",
        ],
    );
}

#[tokio::test]
async fn a_change_shows_its_price_before_it_is_made() {
    let visitor = beth().await;
    let page = visitor.get("/guest/bookings/BK-0070/change").await;
    has(
        &page,
        &["value=\"2026-12-24\"", "Keep room 305", "See the price"],
    );
    assert!(!page.text.contains("Change to"));
    let page = visitor.get("/guest/bookings/BK-0070/change?check_in_date=2026-12-24&check_out_date=2026-12-28&number_of_guests=2&room=").await;
    has(
        &page,
        &[
            "Check the change",
            "$525.00",
            "$700.00",
            "That is $175.00 more.",
            "name=\"check_out_date\" value=\"2026-12-28\"",
            "Change to $700.00",
        ],
    );
    assert!(
        !page.text.contains("name=\"check_in_date\"")
            && !page.text.contains("name=\"number_of_guests\"")
    );
    let page = visitor
        .post(
            "change_booking",
            "booking_number=BK-0070&check_out_date=2026-12-28&idempotency_token=token-1",
        )
        .await;
    assert_eq!(
        visitor.house.calls().pop().unwrap().input,
        json!({ "booking_number": "BK-0070", "check_out_date": "2026-12-28" })
    );
    has(
        &visitor.get(&page.location).await,
        &["Your booking change", "Your booking is changed"],
    );
}

#[tokio::test]
async fn a_change_that_would_be_refused_is_refused_before_the_button() {
    let page = beth()
        .await
        .get("/guest/bookings/BK-0070/change?check_in_date=2026-12-24&check_out_date=2026-12-27&number_of_guests=12")
        .await;
    has(&page, &["This room is for up to 4", "value=\"12\""]);
    assert!(!page.text.contains("Change to"), "{}", page.text);
}

#[tokio::test]
async fn a_change_that_cannot_be_checked_now_is_not_called_impossible() {
    let page = beth()
        .await
        .get("/guest/bookings/BK-0070/change?check_in_date=2026-12-24&check_out_date=2026-12-27&number_of_guests=4")
        .await;
    has(&page, &["Try again in a moment", "value=\"4\""]);
    for words in ["possible", "Change to"] {
        assert!(!page.text.contains(words), "{words}: {}", page.text);
    }
}

#[tokio::test]
async fn another_room_has_its_own_price() {
    let visitor = beth().await;
    let address = "/guest/bookings/BK-0070/change?check_in_date=2026-12-24&check_out_date=2026-12-27&number_of_guests=2";
    let page = visitor.get(&format!("{address}&room=other")).await;
    has(
        &page,
        &[
            "Other rooms for these nights",
            "room_number=101",
            "Keep my room",
        ],
    );
    let page = visitor.get(&format!("{address}&room_number=101")).await;
    has(
        &page,
        &[
            "That is $150.00 less.",
            "name=\"room_number\" value=\"101\"",
            "Change to $375.00",
        ],
    );
    let page = visitor.get(&format!("{address}&room_number=999")).await;
    has(&page, &["Room 999 has just been taken"]);
    let page = visitor.get(address).await;
    has(&page, &["Nothing has changed yet"]);
    // A guest whose room is not available for the added nights is shown others
    visitor.sign_in("arriving%40example.com").await;
    let page = visitor
        .get("/guest/bookings/BK-0061/change?check_in_date=2026-11-20&check_out_date=2026-11-25&number_of_guests=2")
        .await;
    has(
        &page,
        &[
            "Your room isn’t available for the added nights",
            "room_number=305",
        ],
    );
}

#[tokio::test]
async fn who_is_in_the_house_changes_only_when_they_leave() {
    let visitor = beth().await;
    let page = visitor.get("/guest/bookings/BK-0042/change").await;
    has(
        &page,
        &[
            "You arrived on Wed, Nov 18, 2026",
            "name=\"check_out_date\"",
        ],
    );
    assert!(!page.text.contains("name=\"check_in_date\"") && !page.text.contains("name=\"room\""));
    let page = visitor
        .get("/guest/bookings/BK-0042/change?check_out_date=2026-11-21&number_of_guests=2")
        .await;
    has(&page, &["Your room isn’t available for those nights"]);
    let page = visitor
        .get("/guest/bookings/BK-0042/change?check_out_date=2026-11-19&number_of_guests=2")
        .await;
    has(&page, &["These days are in the past"]);
    has(
        &visitor.get("/guest/bookings/BK-0007/change").await,
        &["can no longer be changed"],
    );
    // Leaving early is a check-out, with what is given up
    visitor.sign_in("wei.chen%40example.com").await;
    let form = visitor.get("/guest/bookings/BK-0011/change").await;
    has(
        &form,
        &[
            "min=\"2026-11-22\"",
            "Here you can stay longer.",
            "href=\"/guest/check-out?booking=BK-0011\"",
        ],
    );
    let page = visitor
        .get("/guest/bookings/BK-0011/change?check_out_date=2026-11-21&number_of_guests=2")
        .await;
    has(
        &page,
        &[
            "Enter the day your booking ends, or a later one",
            "Leave early instead",
        ],
    );
    assert!(!page.text.contains("Change to"), "{}", page.text);
    visitor.sign_in("beth.gibbs%40email.com").await;
    assert_eq!(
        visitor.get("/guest/bookings/BK-9999/change").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn cancelling_says_first_what_it_means() {
    let visitor = beth().await;
    let page = visitor.get("/guest/bookings/BK-0070/cancel").await;
    has(
        &page,
        &[
            "Cancel this booking?",
            "The $525.00 it would have cost won’t be charged.",
            "be undone",
            "Keep my booking",
        ],
    );
    has(
        &page,
        &[
            "class=\"danger wide\"",
            "Cancel booking BK-0070",
            "value=\"token-0\"",
        ],
    );
    let page = visitor
        .post(
            "cancel_booking",
            "booking_number=BK-0070&idempotency_token=token-0",
        )
        .await;
    assert_eq!(
        visitor.house.calls().pop().unwrap().input,
        json!({ "booking_number": "BK-0070", "action": "cancel" })
    );
    has(
        &visitor.get(&page.location).await,
        &["Your booking is canceled", "Nothing is charged for it."],
    );
    has(
        &visitor.get("/guest/bookings/BK-0042/cancel").await,
        &["be canceled", "check out instead"],
    );
    has(
        &visitor.get("/guest/bookings/BK-0007/cancel").await,
        &["This booking has ended"],
    );
}

#[tokio::test]
async fn a_receipt_has_its_lines_and_a_number() {
    let visitor = beth().await;
    let id = "exe_00000000000000000000000000abcdef";
    visitor.house.plant(id, "pm_card_visa");
    let page = visitor.get(&format!("/guest/receipt/{id}")).await;
    has(
        &page,
        &[
            "Receipt",
            "R-0042-ABCDEF",
            "Paid",
            "$250.00",
            "Wed, Nov 18 to Fri, Nov 20, 2026",
            "Balance",
            "pi_3Q0000Beth",
            "Beth Gibbs, beth.gibbs@email.com",
            "2 nights",
            "Visa •••• 4242",
            "Email me this receipt",
            id,
        ],
    );
    assert!(!page.text.contains("Something wrong?"));
}

#[tokio::test]
async fn a_receipt_is_emailed_in_the_language_of_whoever_asks() {
    let visitor = beth().await;
    let id = "exe_00000000000000000000000000abcdef";
    visitor.house.plant(id, "pm_card_visa");
    let fields = format!("execution_id={id}");
    let page = visitor.post("email_receipt", &fields).await;
    assert_eq!(page.location, format!("/guest/receipt/{id}"));
    let (about, email) = visitor.house.emails().pop().unwrap();
    assert_eq!(about.as_str(), id);
    assert_eq!(email.to, "beth.gibbs@email.com");
    assert!(
        email.subject.contains("Receipt R-0042-ABCDEF"),
        "{}",
        email.subject
    );
    for words in [
        "Beth Gibbs",
        "2 nights",
        "Visa •••• 4242",
        "Paid",
        "$250.00",
        "Room 302",
    ] {
        assert!(email.text.contains(words), "{words}: {}", email.text);
        assert!(email.html.contains(words), "{words}: {}", email.html);
    }
    let page = visitor.get(&format!("/guest/receipt/{id}")).await;
    assert!(page.text.contains("On its way to b…@email.com."));
    assert!(!page.text.contains("Email me this receipt"));
    for (email, words, again) in [
        (ReceiptEmail::Off, "", false),
        (ReceiptEmail::Sent, "Sent to b…@email.com.", false),
        (
            ReceiptEmail::Refused,
            "b…@email.com did not accept the receipt.",
            true,
        ),
    ] {
        visitor.house.receipt_email(email);
        let page = visitor.get(&format!("/guest/receipt/{id}")).await;
        assert!(page.text.contains(words), "{email:?}");
        let asked = page.text.contains("Email me this receipt");
        assert_eq!(asked, again, "{email:?}");
    }
    let others = "execution_id=exe_other";
    visitor.post("email_receipt", others).await;
    assert!(visitor.house.emails().len() == 1, "nobody else's");
}

#[tokio::test]
async fn a_receipt_is_written_without_a_request_in_the_guests_language() {
    let visitor = beth().await;
    let id = "exe_00000000000000000000000000abcdef";
    visitor.house.plant(id, "pm_card_visa");
    let writer = Receipts {
        dispatcher: Arc::clone(&visitor.house) as _,
        watch: Arc::clone(&visitor.house) as _,
        hotel: visitor.house.hotel(),
        clock: HotelClock::default(),
    };
    let guest = SignedIn {
        caller: Caller::guest("beth.gibbs@email.com", Interface::Clock),
        first_name: "Beth".to_owned(),
        last_name: "Gibbs".to_owned(),
    };
    let written = writer.write(&guest, id, Some("es")).await.unwrap().unwrap();
    assert!(
        written.subject.contains("Recibo R-0042-ABCDEF"),
        "{written:?}"
    );
    assert!(written.text.contains("Beth Gibbs") && written.text.contains("2 noches"));
    assert!(written.html.contains("lang=\"es\"") && written.text.contains("$250.00"));
    let unknown = writer.write(&guest, id, None).await.unwrap().unwrap();
    assert!(unknown.subject.contains("Receipt"), "the hotel's language");
    assert_eq!(writer.write(&guest, "exe_none", None).await, Ok(None));
}
