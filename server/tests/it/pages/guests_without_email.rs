//! Guests without an email at the desk.

use crate::prelude::*;

async fn desk(hotel: &TestHotel) -> Browser {
    hotel.browser().staff("frontdesk@dewy.example").await
}

/// Others remove the contact's email while the boards still know it.
#[tokio::test]
async fn a_stay_is_served_after_its_guests_email_was_removed() {
    let hotel = TestHotel::open().await;
    let desk = desk(&hotel).await;
    desk.sees("/staff/stays/BK-0034", &["sarah@example.com"])
        .await;
    let sarah = hotel.record("Contact", "Email", "sarah@example.com");
    let fields = ["Email", "Unique_Email__c"].map(str::to_owned);
    let blank = hotel
        .sandbox()
        .blank("Contact", sarah["Id"].as_str(), Some(&fields));
    blank.unwrap();
    let page = desk.open("/staff/stays/BK-0034").await;
    page.lacks(&["sarah@example.com", "No contact has this email"]);
    page.lacks(&["name=\"guest_email\""]);
    let fields = "booking_number=BK-0034&back=%2Fstaff%2Fstays%2FBK-0034&idempotency_token=t1";
    let page = desk.submit("desk_check_in", fields).await;
    page.has(&["Sarah Johnson is checked in.", "In house", "Check out"]);
    page.lacks(&["Arrives today", "No contact has this email"]);
    let fields = "booking_number=BK-0034&room_number=205&type=Housekeeping&description=Towels&idempotency_token=t2";
    let parts = ["is open.", "to pay", "Towels"];
    desk.submit_and_see("stay_request", fields, &parts).await;
    let form = "/staff/stays/BK-0034/check-out";
    desk.sees(form, &["and check out"]).await;
    let charges = "/staff/charges?booking_number=BK-0034";
    desk.sees(charges, &["Room 205"]).await;
}

/// A guest without an email is booked at the desk, and once more by the first booking.
#[tokio::test]
async fn the_desk_books_for_a_guest_without_an_email() {
    let hotel = TestHotel::open().await;
    let desk = desk(&hotel).await;
    let dates = nights(3, 4);
    let room = "/staff/book?number_of_guests=1&room=201&".to_owned() + &dates;
    let back = room
        .replace('&', "%26")
        .replace('/', "%2F")
        .replace('?', "%3F")
        .replace('=', "%3D");
    let form = format!("room_number=201&number_of_guests=1&{dates}&back={back}");
    let fields = format!("{form}&guest_first_name=Ida&guest_last_name=Walker&idempotency_token=w1");
    desk.submit("desk_book", &fields).await.has(&[
        "Enter a phone number, or an email address",
        "value=\"Ida\"",
        "value=\"Walker\"",
    ]);
    let fields = format!("{fields}&guest_phone=%2B12125550147").replace("=w1", "=w2");
    desk.submit("desk_book", &fields).await;
    let ida = hotel.wait_for_record("Contact", "LastName", "Walker").await;
    let booking = hotel
        .wait_for_record(
            "Booking__c",
            "Primary_Guest__c",
            ida["Id"].as_str().unwrap(),
        )
        .await;
    let number = booking["Name"].as_str().unwrap();
    desk.open(&format!("/staff/stays/{number}")).await.has(&[
        "Ida Walker",
        "Another booking",
        &format!("same_guest_as={number}"),
    ]);
    desk.open(&format!("{room}&same_guest_as={number}").replace("room=201", "room=202"))
        .await
        .has(&[&format!("The guest of booking {number}")]);
}
