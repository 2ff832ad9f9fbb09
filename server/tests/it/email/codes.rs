//! Someone new proves their email where there is a mail server.

use std::time::Duration;

use super::{
    BETH, hotel,
    mail_server::{MailServer, Mood},
};
use crate::{
    browser::{Browser, Page, path_of},
    hotel::TestHotel,
};

const ADA: &str = "ada.lovelace@example.com";
const OFFER: &str = "/guest/book/check?check_in_date=2030-03-10&check_out_date=2030-03-12&number_of_guests=2&room_number=101";

async fn register(browser: &Browser, email: &str) -> Page {
    let fields = [
        ("first_name", "Ada"),
        ("last_name", "Lovelace"),
        ("email", email),
        ("phone", "(555) 010-7788"),
        ("next", OFFER),
    ];
    let sent = browser.send("/form/register", &fields).await;
    browser.open(&path_of(sent.location())).await
}

/// The newest email, once there are so many: its address, subject, and code.
async fn newest(server: &MailServer, count: usize) -> (String, String, String) {
    for _ in 0..100 {
        let emails = server.emails();
        if emails.len() >= count {
            let email = emails.last().unwrap();
            let header = |name: &str| {
                let line = email.lines().find_map(|line| line.strip_prefix(name));
                line.unwrap_or_default().trim().to_owned()
            };
            let is_code = |word: &&str| word.len() == 6 && word.bytes().all(|b| b.is_ascii_digit());
            let code = email.split_whitespace().find(is_code).unwrap_or_default();
            return (header("To:"), header("Subject:"), code.to_owned());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no email came");
}

fn texts(hotel: &TestHotel) -> usize {
    hotel.state()["twilio"]["messages"]
        .as_array()
        .map_or(0, Vec::len)
}

fn contacts(hotel: &TestHotel, email: &str) -> usize {
    let state = hotel.state();
    let all = state["salesforce"]["Contact"].as_array().unwrap();
    all.iter().filter(|one| one["Email"] == email).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_code_goes_to_the_email_of_someone_new_and_of_a_guest_alike() {
    let server = MailServer::open(0, Mood::Good).await;
    let hotel = hotel(server.address.port()).await;
    let (new, known) = (hotel.browser(), hotel.browser());
    new.send("/form/look", &[("language", "es"), ("back", "/")])
        .await;
    let page = register(&new, ADA).await;
    assert!(
        page.text.contains("Le enviamos un código de 6 dígitos a"),
        "{}",
        page.text
    );
    let (to, subject, code) = newest(&server, 1).await;
    assert!(to.contains(ADA) && !code.is_empty(), "{to} {subject}");
    let other = register(&known, BETH).await;
    assert!(
        other.text.contains("A 6-digit code is on its way to"),
        "{}",
        other.text
    );
    let (to, _, own) = newest(&server, 2).await;
    assert!(to.contains(BETH));
    assert_eq!(texts(&hotel), 0, "no phone gets a code");

    assert_eq!(contacts(&hotel, ADA), 0, "nothing is proven yet");
    let page = new.enter(&code).await;
    assert_eq!(path_of(page.location()), OFFER, "{}", page.text);
    assert_eq!(contacts(&hotel, ADA), 1);
    assert_eq!(new.open("/guest/bookings").await.status, 200);
    // The owner of the mailbox is let in as who they are; their contact is as it was
    let page = known.enter(&own).await;
    assert_eq!(path_of(page.location()), OFFER, "{}", page.text);
    assert_eq!(contacts(&hotel, BETH), 1);
    // Messages to someone new are in their language from now on
    let language = hotel
        .server
        .store
        .get_fact(&format!("note:language:{ADA}"))
        .await;
    assert_eq!(language.unwrap(), Some("es".into()));
    hotel.close().await;
}

/// Another person's contact with that email, made in the meantime, doesn't matter: the email is proven.
#[tokio::test(flavor = "multi_thread")]
async fn a_code_of_the_email_is_still_good_once_the_email_is_somebodys() {
    let server = MailServer::open(0, Mood::Good).await;
    let hotel = hotel(server.address.port()).await;
    let (first, second) = (hotel.browser(), hotel.browser());
    register(&first, ADA).await;
    let (_, _, one) = newest(&server, 1).await;
    assert_eq!(path_of(first.enter(&one).await.location()), OFFER);
    register(&second, ADA).await;
    let (_, _, other) = newest(&server, 2).await;
    let wrong = if other == "000000" {
        "111111"
    } else {
        "000000"
    };
    let refused = second.enter(wrong).await;
    assert!(refused.location().contains("/guest/sign-in/code"));
    assert_eq!(path_of(second.enter(&other).await.location()), OFFER);
    assert_eq!(contacts(&hotel, ADA), 1);
    hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_those_of_codes_by_text() {
    let server = MailServer::open(0, Mood::Good).await;
    let hotel = hotel(server.address.port()).await;
    let browser = hotel.browser();
    for _ in 0..3 {
        register(&browser, ADA).await;
    }
    newest(&server, 3).await;
    let spanish = hotel.browser();
    spanish
        .send("/form/look", &[("language", "es"), ("back", "/")])
        .await;
    let fields = [
        ("first_name", "Ada"),
        ("last_name", "Lovelace"),
        ("email", "ada2@example.com"),
        ("phone", "(555) 010-7788"),
    ];
    let refused = spanish.send("/form/register", &fields).await;
    assert_eq!(refused.status, 429);
    for words in [
        "lang=\"es\"",
        "Demasiados intentos",
        "Volver al inicio de sesión",
    ] {
        assert!(refused.text.contains(words), "{words}: {}", refused.text);
    }
    let foreign = spanish
        .send_from(Some("https://evil.example"), "/form/register", &fields)
        .await;
    assert_eq!(foreign.status, 403);
    assert!(
        foreign.text.starts_with("Este formulario debe enviarse"),
        "{}",
        foreign.text
    );
    let long = "x".repeat(70_000);
    let refused = spanish
        .send("/form/register", &[("first_name", &long)])
        .await;
    assert_eq!(
        (refused.status, refused.text.as_str()),
        (413, "El texto es demasiado largo.")
    );
    assert_eq!(server.emails().len(), 3);
    hotel.close().await;
}
