//! The walk-in form: what it refuses, and what it asks about before it books.

use crate::prelude::*;

async fn front_desk(hotel: &TestHotel) -> Browser {
    hotel.browser().staff("frontdesk@dewy.example").await
}

/// The room that the form has chosen, as it sends it.
fn room(page: &Page) -> String {
    let (_, options) = page.text.split_once("name=\"room\"").unwrap();
    let (_, option) = options.split_once("<option value=\"").unwrap();
    option.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_number_out_of_range_is_named_and_nothing_typed_is_lost() {
    let hotel = TestHotel::open().await;
    let desk = front_desk(&hotel).await;
    for nights in ["99999", "0", "-1", "two"] {
        let path = format!("/staff/walk-in?who=Ida+Walker&nights={nights}&people=21");
        let page = desk.open(&path).await;
        page.has(&[
            "Nights: enter a whole number from 1 to 30",
            "People: enter a whole number from 1 to 20",
            "value=\"Ida Walker\"",
            &format!("value=\"{nights}\""),
            "value=\"21\"",
        ]);
        page.lacks(&["Book and check in"]);
    }
    let page = desk.open("/staff/walk-in?who=Ida+Walker&nights=2").await;
    page.has(&["Book and check in", "value=\"Ida\""]);
}

#[tokio::test]
async fn a_guest_on_file_with_the_phone_number_is_chosen_or_somebody_new() {
    let hotel = TestHotel::open().await;
    let desk = front_desk(&hotel).await;
    let page = desk.open("/staff/walk-in?who=Ida+Walker").await;
    let room = room(&page).replace(' ', "+");
    let phone = hotel.record("Contact", "Email", BETH)["Phone"].clone();
    let phone = phone.as_str().unwrap().replace('+', "%2B");
    let stay = format!(
        "{}&number_of_guests=1&room={room}&back=%2Fstaff%2Fwalk-in%3Fwho%3DIda%2BWalker",
        nights(0, 1)
    );
    let typed = "guest_first_name=Ida&guest_last_name=Walker";
    let fields = format!("{typed}&guest_phone={phone}&{stay}&idempotency_token=w1");
    let page = desk.submit("walk_in", &fields).await;
    page.has(&[
        "Nothing was booked: a guest on file has this phone number",
        "Book for Beth Gibbs, beth.gibbs@email.com",
        "Book for a new guest",
        "value=\"Walker\"",
    ]);
    page.lacks(&["Book and check in</button>"]);
    let same = hotel.record("Contact", "Email", BETH)["Id"].clone();
    let same = same.as_str().unwrap();
    page.has(&[&format!("name=\"same_guest_as\" value=\"{same}\"")]);
    let fields = format!("{fields}2&repeat_of={phone}");
    let page = desk.submit("walk_in", &fields).await;
    page.has(&["Ida Walker is checked in."]);
    // The same form with other entries
    let fields = fields.replace("guest_first_name=Ida", "guest_first_name=Eva");
    let page = desk.submit("walk_in", &fields).await;
    page.has(&["This form was sent before with other entries"]);
    page.lacks(&["idempotency token was"]);
}
