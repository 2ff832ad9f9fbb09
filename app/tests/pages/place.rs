//! The stay's place: what a hotel configures, when it helps, and results that lead with what matters.

use dewy_domain::hotel_profile::HotelProfile;

use super::{Visitor, bookings::has};

fn configured(visitor: &Visitor) {
    visitor.house.configure(HotelProfile {
        address: Some("1 Shore Road".to_owned()),
        check_in_from: Some("3 PM".to_owned()),
        check_out_by: Some("11 AM".to_owned()),
        breakfast: Some("7 to 10 on the terrace".to_owned()),
        wifi_network: Some("Dewy Guests".to_owned()),
        wifi_password: Some("morning-dew".to_owned()),
        map_url: Some("https://maps.example/dewy".to_owned()),
        ..HotelProfile::default()
    });
}

#[tokio::test]
async fn nothing_is_shown_that_the_hotel_did_not_configure() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor.get("/guest").await;
    has(&page, &["class=\"room-picture\"", "Room 302"]);
    for part in ["Good to know", "Wi-Fi", "Breakfast", "Getting here"] {
        assert!(!page.text.contains(part), "{part}");
    }
}

#[tokio::test]
async fn a_guest_in_the_house_has_wifi_and_one_who_comes_has_the_way() {
    let visitor = Visitor::new();
    configured(&visitor);
    visitor.sign_in("beth.gibbs%40email.com").await;
    let inside = visitor.get("/guest").await;
    has(
        &inside,
        &[
            "Good to know",
            "Dewy Guests",
            "morning-dew",
            "7 to 10 on the terrace",
            "By 11 AM",
        ],
    );
    assert!(!inside.text.contains("From 3 PM") && !inside.text.contains("maps.example"));
    visitor.sign_in("arriving%40example.com").await;
    let coming = visitor.get("/guest").await;
    has(
        &coming,
        &[
            "From 3 PM",
            "1 Shore Road",
            "href=\"https://maps.example/dewy\"",
            "7 to 10 on the terrace",
        ],
    );
    assert!(
        !coming.text.contains("morning-dew"),
        "a password is for guests who are checked in"
    );
}

#[tokio::test]
async fn a_result_leads_with_what_matters_and_folds_the_rest() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    visitor.house.plant("exe_1", "pm_card_visa");
    let page = visitor.get("/guest/execution/exe_1").await;
    let (first, folded) = page.text.split_once("<details class=\"review\">").unwrap();
    for part in [
        "You are checked out",
        "Goodbye, and thank you",
        "href=\"/guest/receipt/exe_1\"",
        "Left something behind?",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(
        !first.contains("<code class=\"id\">") && folded.contains("<code class=\"id\">exe_1"),
        "an id is there on request"
    );
    assert!(folded.contains("What happened, step by step") && folded.contains("class=\"steps\""));
    assert!(
        !page.text.contains("14:03:20 UTC"),
        "guests need no seconds"
    );
    let receipt = visitor.get("/guest/receipt/exe_1").await;
    let (paper, ids) = receipt.text.split_once("Reference numbers").unwrap();
    assert!(ids.contains("exe_1") && !paper.contains("<dd>exe_1"));
}
