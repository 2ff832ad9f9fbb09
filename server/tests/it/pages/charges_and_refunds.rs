//! Refunds and charges by staff, each confirmed before it is sent.

use super::check_out::check_out;
use crate::prelude::*;

#[tokio::test]
async fn a_refund_names_what_is_missing_and_stripe_has_the_last_word() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let beth = hotel.browser().guest(BETH).await;
    let done = check_out(&beth, "pm_card_visa").await;
    beth.until(&done, "You are checked out").await;
    let record = done.replace("/guest/execution/", "/staff/executions/");
    desk.submit_and_see(
        "refund_check",
        "payment_intent_id=ch_1&guest_email=Beth&reason=",
        &[
            "it begins with pi_",
            "#guest_email",
            "#reason",
            "value=\"ch_1\"",
        ],
    )
    .await;
    let charges = hotel.sandbox().stripe_state()["payment_intents"].clone();
    let paid = charges
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["status"] == "succeeded")
        .unwrap();
    let paid = paid["id"].as_str().unwrap();
    let fields = format!("payment_intent_id={paid}&guest_email={BETH}&reason=Twice");
    let redirect = hotel.browser().post("refund", &fields).await;
    assert_eq!(redirect.to(), "/staff/sign-in?next=%2Fstaff%2Frefund");
    // A refund made in Stripe's dashboard is shown next to our own sum
    desk.open(&record).await.has(&["Stripe says the same"]);
    hotel.sandbox().refund_elsewhere(paid, None).unwrap();
    desk.open(&record).await.has(&["Stripe says otherwise"]);
}
#[tokio::test]
async fn a_charge_is_confirmed_and_posted_once() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let fields = "room=&booking=&amount=twelve&description=";
    desk.submit("charge_check", fields).await.has(&[
        "Enter a room or a booking",
        "Enter an amount such as 12.50",
        "Say what it is for",
    ]);
    let fields = "room=302&booking=&amount=12.5&description=Minibar";
    let page = desk.submit("charge_check", fields).await;
    page.has(&["Post $12.50 to Beth Gibbs"]);
    // However it is typed, the review names the guest whom the charge will reach
    for place in [
        "room=&booking=BK0042",
        "room=&booking=%2342",
        "room=Room+302&booking=",
    ] {
        let fields = format!("{place}&amount=1&description=Minibar");
        let page = desk.submit("charge_check", &fields).await;
        page.has(&["Post $1.00 to Beth Gibbs", "Room 302, BK-0042"]);
    }
    // Posted to the confirmed guest, even if the room changes hands
    let sent = desk.press(&page, "post_charge").await;
    assert_eq!(sent.to(), "/staff/stays/BK-0042");
    desk.open(&sent.to()).await.has(&[
        "$12.50 for “Minibar” was posted to Beth Gibbs (room 302).",
        "\">Details</a>",
    ]);
    // A second click ends where the first one did, and posts nothing
    let again = desk.press(&page, "post_charge").await;
    assert_eq!(again.to(), sent.to());
    let page = desk.until(&again.to(), "Minibar").await;
    assert_eq!(
        page.text.matches("<span>$12.50").count(),
        1,
        "{}",
        page.text
    );
    // While an outcome is unknown, the form and its review keep the token
    let kept = "room=302&booking=&amount=12.5&description=Minibar&idempotency_token=t1";
    let page = desk.submit("charge_check", kept).await;
    page.has(&["name=\"idempotency_token\" value=\"t1\""]);
    // Without what it is about, nothing is guessed
    let page = desk.submit("post_charge", "idempotency_token=t3").await;
    page.has(&["Nothing was done. Enter it again."]);
}

#[tokio::test]
async fn each_tab_confirms_what_it_shows() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let first = "room=402&booking=&amount=11&description=Laundry";
    let first = desk.submit("charge_check", first).await;
    first.has(&["Post $11.00 to James Brown"]);
    // Another tab begins with an empty form
    let empty = desk.open("/staff/charges").await;
    empty.lacks(&["value=\"11\"", "value=\"Laundry\""]);
    let second = "room=302&booking=&amount=22&description=Minibar";
    let review = desk.post("charge_check", second).await.to();
    let second = desk.sees(&review, &["Post $22.00 to Beth Gibbs"]).await;
    for (tab, words) in [
        (
            &first,
            "$11.00 for “Laundry” was posted to James Brown (room 402).",
        ),
        (
            &second,
            "$22.00 for “Minibar” was posted to Beth Gibbs (room 302).",
        ),
    ] {
        let sent = desk.press(tab, "post_charge").await;
        desk.open(&sent.to()).await.has(&[words]);
    }
    // The way back to the form leads to the same charge, and one that is not kept says so
    let back = review.replace("step=confirm&", "");
    desk.open(&back).await.has(&["value=\"302\"", "Minibar"]);
    let gone = desk.open("/staff/charges?step=confirm&review=x").await;
    desk.sees(&gone.to(), &["This review is no longer kept"])
        .await;
    // A link to the refund of one payment never shows another one
    let refund = "payment_intent_id=pi_1&guest_email=a%40b.example&reason=Twice";
    desk.submit("refund_check", refund).await.has(&["pi_1"]);
    let page = desk.open("/staff/refund?payment_intent_id=pi_2").await;
    page.has(&["value=\"pi_2\""]);
    page.lacks(&["pi_1", "Twice"]);
    // What failed for one stay is not shown for another one
    let same = "booking_number=BK-0034&check_out_date=&idempotency_token=t";
    let failed = desk.post("change_stay", same).await;
    desk.misses("/staff/stays/BK-0042/change", &["Nothing is different"])
        .await;
    desk.open(&failed.to()).await.has(&["Nothing is different"]);
}

#[tokio::test]
async fn a_charge_posted_a_moment_ago_is_asked_about() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let fields = "room=302&booking=&amount=18&description=Minibar";
    let page = desk.submit("charge_check", fields).await;
    page.lacks(&["Post another", "minute ago"]);
    let sent = desk.press(&page, "post_charge").await;
    desk.open(&sent.to()).await.has(&["was posted to"]);
    let page = desk.submit("charge_check", fields).await;
    page.has(&[
        "The same amount was posted to this stay less than a minute ago, as PT-",
        "Post another $18.00 to Beth Gibbs",
    ]);
    let sent = desk.press(&page, "post_charge").await;
    desk.open(&sent.to()).await.has(&["was posted to"]);
    let lines = hotel.sandbox().records("Payment_Transaction__c");
    let same = lines.iter().filter(|line| line["Amount__c"] == 18.0);
    assert_eq!(same.count(), 2);
}

#[tokio::test]
async fn a_charge_too_large_is_refused_before_its_review() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let fields = "room=302&booking=&amount=1000000&description=Villa";
    let page = desk.submit("charge_check", fields).await;
    page.has(&["One charge is $999,999.99 at most", "#amount"]);
}
