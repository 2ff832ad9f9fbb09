//! Registration of new guests, which never reveals who is already known.

use crate::{browser::demo_code, prelude::*};

const ADA: &str = "ada.lovelace@example.com";
const PHONE: &str = "(212) 555-0178";
const OFFER: &str = "/guest/book/check?check_in_date=2030-03-10&check_out_date=2030-03-12&number_of_guests=2&room_number=101";

pub async fn register(browser: &Browser, email: &str, phone: &str) -> Page {
    let fields = [
        ("first_name", "Ada"),
        ("last_name", "Lovelace"),
        ("email", email),
        ("phone", phone),
        ("next", OFFER),
    ];
    browser.send("/form/register", &fields).await
}

/// The code that the demo shows after the form.
pub async fn code(browser: &Browser, sent: &Page) -> String {
    let page = browser.open(&path_of(sent.location())).await.text;
    demo_code(&page).expect("a code")
}

fn contacts(hotel: &TestHotel, email: &str) -> Vec<Value> {
    let state = hotel.state();
    let all = state["salesforce"]["Contact"].as_array().unwrap();
    let with = all.iter().filter(|one| one["Email"] == email);
    with.cloned().collect()
}

fn wrong(code: &str) -> &'static str {
    if code == "000000" { "111111" } else { "000000" }
}

/// Phones that got a text, once there are so many.
pub async fn texted(hotel: &TestHotel, count: usize) -> Vec<String> {
    for _ in 0..100 {
        let state = hotel.state();
        let texts = state["twilio"]["messages"].as_array().unwrap();
        if texts.len() >= count {
            let to = texts.iter().map(|text| text["to"].as_str().unwrap());
            return to.map(str::to_owned).collect();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no text came");
}

#[tokio::test]
async fn someone_new_becomes_a_contact_once_their_phone_is_proven() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    let before = texted(&hotel, 0).await.len();
    let sent = register(&browser, ADA, PHONE).await;
    let code = code(&browser, &sent).await;
    assert_eq!(
        texted(&hotel, before + 1).await.last().unwrap(),
        "+12125550178"
    );
    let refused = browser.enter(wrong(&code)).await;
    assert!(refused.location().contains("/guest/sign-in/code"));
    assert_eq!(contacts(&hotel, ADA).len(), 0, "nothing is proven yet");
    let before = browser.cookie().unwrap();
    let page = browser.enter(&code).await;
    assert_eq!(path_of(page.location()), OFFER, "{}", page.text);
    let made = contacts(&hotel, ADA);
    assert_eq!(made.len(), 1);
    assert_eq!(
        (&made[0]["MobilePhone"], &made[0]["Contact_Type__c"]),
        (&"+12125550178".into(), &"Guest".into())
    );
    assert_ne!(
        before,
        browser.cookie().unwrap(),
        "the session is a new one"
    );
    assert_eq!(browser.open("/guest/bookings").await.status, 200);
    // The form again, by somebody who has the old cookie and the code
    let thief = hotel.browser();
    thief.plant(&before);
    let page = thief.enter(&code).await;
    assert!(page.location().contains("/guest/sign-in"));
    let door = thief.open("/guest/bookings").await;
    assert!(door.location().contains("/guest/sign-in"));
    assert_eq!(contacts(&hotel, ADA).len(), 1);
}

#[tokio::test]
async fn a_form_that_is_sent_twice_makes_one_contact() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    let sent = register(&browser, ADA, PHONE).await;
    let code = code(&browser, &sent).await;
    let twice = [browser.enter(&code), browser.enter(&code)];
    let pages = futures::future::join_all(twice).await;
    assert!(
        pages.iter().any(|page| path_of(page.location()) == OFFER),
        "{:?}",
        pages.iter().map(Page::location).collect::<Vec<_>>()
    );
    assert_eq!(contacts(&hotel, ADA).len(), 1);
}

#[tokio::test]
async fn a_known_guest_is_not_revealed_and_gets_the_code_by_phone() {
    let hotel = TestHotel::open().await;
    let (known, new) = (hotel.browser(), hotel.browser());
    let own = contacts(&hotel, BETH)[0]["MobilePhone"].clone();
    let before = texted(&hotel, 0).await.len();
    let a = register(&known, BETH, PHONE).await;
    let to = texted(&hotel, before + 1).await.pop().unwrap();
    assert_ne!(to, "+12125550178", "not the phone that was just entered");
    assert_eq!(Value::from(to), own);
    let b = register(&new, ADA, "(212) 555-0179").await;
    assert_eq!((a.status, a.location()), (b.status, b.location()));
    let page = |text: String, email: &str| {
        let text = text.replace(email, "");
        let (before, after) = text.split_once("demo-code\">").unwrap();
        format!("{before}{}", &after[6..])
    };
    let path = path_of(a.location());
    let lead = |text: String| {
        let from = text.find("<h1>").unwrap();
        text[from..text.find("</form>").unwrap()].to_owned()
    };
    assert_eq!(
        lead(page(known.open(&path).await.text, BETH)),
        lead(page(new.open(&path).await.text, ADA))
    );
    // The owner of the phone on file comes in as who they are; nothing of theirs is changed
    let code = code(&known, &a).await;
    assert_eq!(path_of(known.enter(&code).await.location()), OFFER);
    let there = contacts(&hotel, BETH);
    assert_eq!((there.len(), &there[0]["MobilePhone"]), (1, &own));
    assert_eq!(there[0]["FirstName"], "Beth");
}

/// The contact is created after the text message was sent: the code is void.
#[tokio::test]
async fn a_registration_code_is_void_once_the_email_belongs_to_a_guest() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    let sent = register(&browser, ADA, PHONE).await;
    let code = code(&browser, &sent).await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let fields = [
        ("email", ADA),
        ("first_name", "Ada"),
        ("last_name", "Lovelace"),
        ("phone", "+12125550142"),
        ("idempotency_token", "desk"),
    ];
    desk.send("/form/new_guest", &fields).await;
    assert_eq!(contacts(&hotel, ADA).len(), 1);
    let page = browser.enter(&code).await;
    assert!(page.location().contains("/guest/sign-in/code"));
    let door = browser.open("/guest/bookings").await;
    assert!(door.location().contains("/guest/sign-in"));
}

#[tokio::test]
async fn invalid_fields_are_named_and_nothing_is_sent() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    let fields = [
        ("first_name", " "),
        ("last_name", &"x".repeat(81)),
        ("email", "ada"),
        ("phone", "ask me"),
        ("next", OFFER),
    ];
    let sent = browser.send("/form/register", &fields).await;
    let page = browser.open(&path_of(sent.location())).await.text;
    for field in ["first_name", "last_name", "email", "phone"] {
        let id = format!("id=\"{field}-problem\"");
        assert!(page.contains(&id), "{field}: {page}");
    }
    assert!(page.contains("101"), "the offer is kept: {page}");
}

#[tokio::test]
async fn a_refusal_defaults_to_the_hotels_language() {
    for (locale, words) in [("es-ES", "Este formulario"), ("en-GB", "This form")] {
        let hotel = TestHotel::with(&[("HOTEL_LOCALE", locale)]).await;
        let browser = hotel.browser();
        let refused = browser
            .send_from(Some("https://evil.example"), "/form/register", &[])
            .await;
        assert_eq!(refused.status, 403);
        assert!(refused.text.starts_with(words), "{}", refused.text);
        hotel.close().await;
    }
}

#[tokio::test]
async fn one_phone_and_one_email_get_three_codes_an_hour() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    for n in 0..3 {
        let sent = register(&browser, &format!("ada{n}@example.com"), PHONE).await;
        assert!(sent.location().contains("/guest/sign-in/code"), "{n}");
    }
    let sent = register(&browser, "ada3@example.com", "+1 212 555 0178").await;
    assert_eq!(sent.status, 429, "{}", sent.text);
    // The email's own codes count as well, whoever asks
    let other = hotel.browser();
    for n in 0..3 {
        assert!(
            other.code_for(ADA).await.is_none(),
            "{n}: nobody has this email"
        );
    }
    let sent = register(&other, ADA, "+1 212 555 0170").await;
    let page = other.open(&path_of(sent.location())).await;
    page.has(&["Too many tries"]);
}

/// The contact can't be written: nobody is signed in, and the next attempt needs no new code.
#[tokio::test]
async fn a_failed_registration_resumes_without_a_new_code() {
    let hotel = TestHotel::with(&[("FORWARD_BUDGET_SECONDS", "1")]).await;
    let browser = hotel.browser();
    let sent = register(&browser, ADA, PHONE).await;
    let code = code(&browser, &sent).await;
    hotel
        .fault("salesforce", "create", "reset_before_effect", 0, 0)
        .await;
    let page = browser.enter(&code).await;
    assert!(page.location().contains("/guest/sign-in/code"));
    assert_eq!(contacts(&hotel, ADA).len(), 0);
    let page = browser.open(&path_of(page.location())).await.text;
    assert!(!page.contains("name=\"code\""), "{page}");
    let door = browser.open("/guest/bookings").await;
    assert!(door.location().contains("/guest/sign-in"));
    hotel.heal().await;
    let mut page = browser.enter("").await;
    for _ in 0..20 {
        if path_of(page.location()) == OFFER {
            break;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        page = browser.enter("").await;
    }
    assert_eq!(path_of(page.location()), OFFER);
    assert_eq!(contacts(&hotel, ADA).len(), 1);
}
