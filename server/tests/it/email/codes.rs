//! Registration codes by email, where a mail server is configured.

use dewy_store::CallFilter;

use super::{
    hotel,
    mail_server::{Behavior, MailServer},
};
use crate::prelude::*;

const ADA: &str = "ada.lovelace@example.com";
const OFFER: &str = "/guest/book/check?check_in_date=2030-03-10&check_out_date=2030-03-12&number_of_guests=2&room_number=101";

async fn register(browser: &Browser, email: &str) -> Page {
    let fields = [
        ("first_name", "Ada"),
        ("last_name", "Lovelace"),
        ("email", email),
        ("phone", "(212) 555-0178"),
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
            return (header("To:"), header("Subject:"), code_in(email));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no email came");
}

/// Texts, each with its phone, once there are so many.
async fn texts(hotel: &TestHotel, count: usize) -> Vec<(String, String)> {
    for _ in 0..100 {
        let state = hotel.state();
        let texts = state["twilio"]["messages"].as_array().unwrap();
        if texts.len() >= count {
            let text = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
            let texts = texts.iter();
            return texts
                .map(|one| (text(one, "to"), text(one, "body")))
                .collect();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no text came");
}

fn code_in(words: &str) -> String {
    let is_code = |word: &&str| word.len() == 6 && word.bytes().all(|b| b.is_ascii_digit());
    let code = words.split_whitespace().find(is_code);
    code.unwrap_or_default().to_owned()
}

/// Whether the audit log has the address beside its calls.
async fn is_named(hotel: &TestHotel, email: &str) -> bool {
    let filter = CallFilter {
        limit: 1000,
        ..CallFilter::default()
    };
    let calls = hotel.server.store.calls(&filter).await.unwrap();
    calls
        .iter()
        .any(|found| found.caller_email.as_deref() == Some(email))
}

fn contacts(hotel: &TestHotel, email: &str) -> usize {
    let state = hotel.state();
    let all = state["salesforce"]["Contact"].as_array().unwrap();
    all.iter().filter(|one| one["Email"] == email).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_code_goes_to_the_email_of_someone_new_and_to_the_phone_of_a_known_guest() {
    let server = MailServer::open(Behavior::Good).await;
    let hotel = hotel(server.address.port()).await;
    let (new, known) = (hotel.browser(), hotel.browser());
    new.post("look", "language=es&back=%2F").await;
    let page = register(&new, ADA).await;
    page.has(&["Le enviamos un código de 6 dígitos."]);
    let (to, subject, code) = newest(&server, 1).await;
    assert!(to.contains(ADA) && !code.is_empty(), "{to} {subject}");
    assert_eq!(texts(&hotel, 0).await.len(), 0, "no phone gets that code");
    let other = register(&known, BETH).await;
    other.has(&["otherwise to that address"]);
    // A mailbox is not enough to be a known guest: their phone is asked for, as when they sign in
    let (to, words) = texts(&hotel, 1).await.remove(0);
    assert_ne!(to, "+12125550178", "not the phone that was just entered");
    let own = code_in(&words);
    assert_eq!(server.emails().len(), 1, "no email to a known guest");

    assert_eq!(contacts(&hotel, ADA), 0, "nothing is proven yet");
    // The email of the code is recorded, and not to whom it went
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(
        !is_named(&hotel, ADA).await,
        "anybody can enter any address"
    );
    let page = new.enter(&code).await;
    assert_eq!(path_of(page.location()), OFFER, "{}", page.text);
    assert_eq!(contacts(&hotel, ADA), 1);
    assert_eq!(new.open("/guest/bookings").await.status, 200);
    // The owner of the phone is let in as who they are; their contact is as it was
    let page = known.enter(&own).await;
    assert_eq!(path_of(page.location()), OFFER, "{}", page.text);
    assert_eq!(contacts(&hotel, BETH), 1);
    // Messages to someone new are in their language from now on
    let language = hotel
        .server
        .store
        .get_json(&format!("note:language:{ADA}"))
        .await;
    assert_eq!(language.unwrap(), Some("es".into()));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(is_named(&hotel, ADA).await, "known from now on");
}

/// The front desk makes Ada's contact, with another phone than she enters.
async fn desk_registers(hotel: &TestHotel) {
    let desk = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Form);
    let call = ToolCall {
        tool: "create_contact_if_not_found".to_owned(),
        input: json!({ "email": ADA, "first_name": "Ada", "last_name": "Lovelace", "phone": "+12125550142" }),
        idempotency_token: Some("desk".to_owned()),
        wait: Some(Duration::from_secs(20)),
    };
    let made = hotel.server.hotel.dispatch(&desk, call).await;
    assert_eq!(made.error(), None, "{made:?}");
}

/// The code was right, but the contact is made by the front desk: a mailbox is not enough to be a
/// guest whose phone somebody else has given.
#[tokio::test(flavor = "multi_thread")]
async fn a_proven_email_that_becomes_known_signs_nobody_in() {
    let server = MailServer::open(Behavior::Good).await;
    let url = format!("smtp://{}", server.address);
    let hotel = TestHotel::with(&[
        ("DEWY_MODE", "trial"),
        ("SMTP_URL", &url),
        ("SMTP_FROM", "Dewy Resort <stay@dewy.example>"),
        ("FORWARD_BUDGET_SECONDS", "1"),
    ])
    .await;
    let browser = hotel.browser();
    register(&browser, ADA).await;
    let (_, _, code) = newest(&server, 1).await;
    hotel
        .fault("salesforce", "create", "reset_before_effect", 0, 0)
        .await;
    let failed = browser.enter(&code).await;
    assert!(failed.location().contains("/guest/sign-in/code"));
    assert_eq!(contacts(&hotel, ADA), 0);
    hotel.heal().await;
    desk_registers(&hotel).await;
    // The form is sent again: there is a contact now
    for _ in 0..3 {
        browser.enter("").await;
        let door = browser.open("/guest/bookings").await;
        assert!(door.location().contains("/guest/sign-in"), "{}", door.text);
    }
}

/// Between the email and its code, the front desk makes the contact, with another phone.
#[tokio::test(flavor = "multi_thread")]
async fn an_email_code_is_void_once_the_email_belongs_to_a_guest() {
    let server = MailServer::open(Behavior::Good).await;
    let hotel = hotel(server.address.port()).await;
    let browser = hotel.browser();
    register(&browser, ADA).await;
    let (_, _, code) = newest(&server, 1).await;
    desk_registers(&hotel).await;
    let refused = browser.enter(&code).await;
    assert!(refused.location().contains("/guest/sign-in/code"));
    let door = browser.open("/guest/bookings").await;
    assert!(door.location().contains("/guest/sign-in"));
}

#[tokio::test(flavor = "multi_thread")]
async fn email_codes_have_the_limits_of_text_codes() {
    let server = MailServer::open(Behavior::Good).await;
    let hotel = hotel(server.address.port()).await;
    let browser = hotel.browser();
    for _ in 0..3 {
        register(&browser, ADA).await;
    }
    newest(&server, 3).await;
    let spanish = browser;
    spanish.post("look", "language=es&back=%2F").await;
    let fields =
        "first_name=Ada&last_name=Lovelace&email=ada2%40example.com&phone=%28212%29+555-0178";
    let refused = spanish.post("register", fields).await;
    assert_eq!(refused.status, 429);
    for words in [
        "lang=\"es\"",
        "Demasiados intentos",
        "Volver al inicio de sesión",
    ] {
        assert!(refused.text.contains(words), "{words}: {}", refused.text);
    }
    let evil = Some("https://evil.example");
    let foreign = spanish
        .send_from(evil, "/form/register", &[("first_name", "Ada")])
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
}
