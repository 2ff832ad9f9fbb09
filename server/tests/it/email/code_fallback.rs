//! Codes that no phone gets: the same code goes to the email of the same contact.

use super::{
    hotel,
    mail_server::{Behavior, MailServer},
};
use crate::prelude::*;

const STRANGER: &str = "stranger@example.com";

/// Asks for a code; the page that follows.
async fn ask(browser: &Browser, email: &str) -> Page {
    let sent = browser
        .send("/form/send_code", &[("email", email), ("next", "")])
        .await;
    browser.open(&sent.to()).await
}

fn moves_to(hotel: &TestHotel, phone: &str) {
    hotel.edit("Contact", "Email", BETH, &json!({ "MobilePhone": phone }));
}

/// The only email, once it is there, and how long that took.
async fn emailed(server: &MailServer) -> (String, Duration) {
    let began = Instant::now();
    while server.emails().is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "no email came");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    (server.emails().remove(0), began.elapsed())
}

fn code_in(email: &str) -> String {
    let is_code = |word: &&str| word.len() == 6 && word.bytes().all(|b| b.is_ascii_digit());
    email.split_whitespace().find(is_code).unwrap().to_owned()
}

/// The page's own words, without the address that was entered.
fn words(page: &Page, email: &str) -> String {
    let text = page.text.replace(email, "");
    let from = text.find("<h1>").unwrap();
    text[from..text.find("</form>").unwrap()].to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_text_is_followed_by_an_email_to_the_same_contact() {
    let server = MailServer::open(Behavior::Good).await;
    let hotel = hotel(server.address.port()).await;
    moves_to(&hotel, "+12125550000");
    let (guest, stranger) = (hotel.browser(), hotel.browser());
    let known = ask(&guest, BETH).await;
    known.has(&["If the text does not arrive within a minute"]);
    let (email, _) = emailed(&server).await;
    assert!(
        email.contains(BETH) && email.contains("ending in 00"),
        "{email}"
    );
    // The page tells nobody what became of it, nor who is a guest
    let unknown = ask(&stranger, STRANGER).await;
    assert_eq!(words(&known, BETH), words(&unknown, STRANGER));
    let again = guest.open("/guest/sign-in/code").await;
    assert_eq!(words(&again, BETH), words(&unknown, STRANGER));
    // Good in the browser that asked, and in no other
    let code = code_in(&email);
    let thief = hotel.browser();
    ask(&thief, BETH).await;
    assert!(
        thief
            .enter(&code)
            .await
            .location()
            .contains("/guest/sign-in/code")
    );
    let page = guest.enter(&code).await;
    let page = guest.open(&page.to()).await;
    page.has(&["We could not text the number ending in 00, so your code came by email."]);
    assert!(
        server
            .emails()
            .iter()
            .all(|email| !email.contains(STRANGER))
    );
}

/// Twilio takes the text, and reports later that it never arrived.
#[tokio::test(flavor = "multi_thread")]
async fn an_undelivered_code_arrives_by_email_within_a_minute() {
    let server = MailServer::open(Behavior::Good).await;
    let hotel = hotel(server.address.port()).await;
    moves_to(&hotel, "+12125559999");
    let guest = hotel.browser();
    ask(&guest, BETH).await;
    let (email, took) = emailed(&server).await;
    assert!(took < Duration::from_secs(30), "{took:?}");
    let state = hotel.state();
    let text = state["twilio"]["messages"][0]["body"].as_str().unwrap();
    let code = code_in(&email);
    assert!(text.contains(&code), "the same code: {text}");
    guest.enter(&code).await;
    assert_eq!(guest.open("/guest/bookings").await.status, 200);
}

/// No report ever comes: the carrier is asked, and a text that it still holds is not waited for.
#[tokio::test(flavor = "multi_thread")]
async fn a_code_whose_text_is_stuck_arrives_by_email_without_reports() {
    let carrier = TestHotel::open().await;
    let server = MailServer::open(Behavior::Good).await;
    let base = carrier.server.sandbox_url.clone().unwrap();
    let url = format!("smtp://{}", server.address);
    let hotel = TestHotel::with(&[
        ("DEWY_MODE", "trial"),
        ("SMTP_URL", &url),
        ("SMTP_FROM", "stay@dewy.example"),
        ("TWILIO_ACCOUNT_SID", "AC00000000000000000000000000000001"),
        ("TWILIO_API_KEY", "SK00000000000000000000000000000001"),
        ("TWILIO_API_SECRET", "s3cret"),
        (
            "TWILIO_MESSAGING_SERVICE_SID",
            "MG00000000000000000000000000000001",
        ),
        ("TWILIO_API_BASE", &base),
    ])
    .await;
    moves_to(&hotel, "+12125558888");
    ask(&hotel.browser(), BETH).await;
    let (email, _) = emailed(&server).await;
    assert!(email.contains("ending in 88"), "{email}");
    let messages = carrier.state()["twilio"]["messages"].clone();
    assert_eq!(messages[0]["status"], "accepted", "{messages}");
    // Who has no number at all gets it at once
    hotel.edit(
        "Contact",
        "Email",
        BETH,
        &json!({ "MobilePhone": null, "Phone": null }),
    );
    ask(&hotel.browser(), BETH).await;
    for _ in 0..100 {
        if server.emails().len() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let emails = server.emails();
    assert!(
        emails.len() == 2 && !emails[1].contains("ending in"),
        "{emails:?}"
    );
    hotel.close().await;
}
