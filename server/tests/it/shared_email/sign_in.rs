//! Sign-in with an email address that several guests have.

use dewy_domain::{
    hotel_profile::HotelProfile,
    ports::{AcceptedCode, Authenticator, Email, Mail, Registration},
    upstream_request::{Call, Outcome},
};
use dewy_server::{
    auth::{CodeMail, RequestAuthenticator, RequestOrigin, SignInState, browser_cookie},
    config::installation_key::InstallationKey,
    tool_calls::rate_limit_mark::RateLimitMark,
};
use tower_sessions::Session;

use super::{EMAIL, ask, guest, line, share};
use crate::prelude::*;

#[tokio::test(flavor = "multi_thread")]
async fn contacts_with_one_phone_are_one_guest() {
    let hotel = TestHotel::open().await;
    let phone = hotel.record("Contact", "FirstName", "Beth")["MobilePhone"].clone();
    let same = json!({ "Email": EMAIL, "Phone": phone, "MobilePhone": phone });
    hotel.edit("Contact", "Email", "wei.chen@example.com", &same);
    let browser = hotel.browser();
    let sent = ask(&hotel, &browser, 1).await;
    assert_eq!(sent.len(), 1, "{sent:?}");
    browser.enter(&sent[0].1[..6]).await;
    let page = browser.open("/guest/bookings").await;
    page.has(&["BK-0042", "BK-0022"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_that_becomes_shared_ends_sessions_and_voids_tokens() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest(EMAIL).await;
    beth.open("/guest/bookings").await.has(&["BK-0042"]);
    let token = hotel.token(Persona::Guest, EMAIL).await;
    share(&hotel);
    let folder = hotel.close_and_keep().await;
    // Another process asks anew
    let hotel = TestHotel::reopen(folder, &[]).await;
    let browser = hotel.browser();
    browser.plant(&beth.cookie().unwrap());
    let page = browser.open("/guest/bookings").await;
    assert!(page.location().contains("/guest/sign-in"), "{}", page.text);
    let rest = Rest::new(&hotel.server.public_url, "guest", &token);
    let refused = rest.call("get_folio", None, &json!({})).await;
    assert_eq!(refused.status_and_code(), (403, "SHARED_EMAIL"));
    let url = hotel.url("/mcp/guest");
    let mcp = reqwest::Client::new().post(url).bearer_auth(&token);
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let mcp = mcp
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(list.to_string());
    let mcp = mcp.send().await.unwrap();
    assert_eq!(mcp.status(), 403);
    let words = mcp.text().await.unwrap();
    assert!(words.contains("an email of their own"), "{words}");
}

/// A mail server that keeps what it is given.
#[derive(Clone, Debug, Default)]
struct Mailbox(Arc<Mutex<Vec<String>>>);

#[async_trait::async_trait]
impl Mail for Mailbox {
    fn message(&self, email: &Email, _: &str, _: jiff::Timestamp) -> Option<Call> {
        self.0.lock().unwrap().push(email.text.clone());
        None
    }

    fn refuses_us(&self) -> bool {
        false
    }

    async fn send(&self, _: &Call) -> Outcome<()> {
        Outcome::Done(())
    }
}

impl Mailbox {
    async fn newest(&self, count: usize) -> String {
        for _ in 0..200 {
            if let Some(text) = self.0.lock().unwrap().get(count - 1) {
                return text.clone();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("no email came");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_carrier_a_shared_mailbox_proves_nobody_but_with_their_phone() {
    let hotel = TestHotel::open().await;
    share(&hotel);
    let (store, mailbox) = (hotel.server.store.clone(), Mailbox::default());
    let (clock, entropy) = (Arc::new(RealClock), Arc::new(OsEntropy));
    let key = InstallationKey::in_store(&store, &OsEntropy).await.unwrap();
    let crm = hotel.server.systems.crm.clone();
    let state = SignInState::new(
        store.clone(),
        key.clone(),
        crm,
        clock.clone(),
        entropy.clone(),
        false,
    );
    let state = state.with_mail(Some(CodeMail {
        mail: Arc::new(mailbox.clone()),
        clock,
        entropy,
        hotel: HotelProfile::default(),
    }));
    let from = RequestOrigin {
        ip: std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST),
        browser: browser_cookie::Browser::of(&http::HeaderMap::new(), key, Arc::new(OsEntropy)),
        browser_name: String::new(),
        language: None,
        wall: false,
        speculative: false,
        rate_limit_mark: RateLimitMark::default(),
    };
    let session = Session::new(None, Arc::new(store), None);
    let door = RequestAuthenticator::new(state, session, from);
    let sent = door.send_code(&EMAIL.into()).await.unwrap();
    assert_eq!(sent.demo_code, None);
    let words = mailbox.newest(1).await;
    assert!(words.starts_with("Several guests"), "{words}");
    assert!(!words.chars().any(|c| c.is_ascii_digit()), "{words}");

    let entered = |phone: &str| Registration {
        email: EMAIL.into(),
        first_name: "Somebody".to_owned(),
        last_name: "Else".to_owned(),
        phone: phone.to_owned(),
    };
    let sent = door
        .send_registration_code(&entered("(212) 555-0178"))
        .await;
    assert!(sent.is_ok(), "{sent:?}");
    assert!(mailbox.newest(2).await.starts_with("Several guests"));
    let own = line(&hotel, "Wei");
    let sent = door.send_registration_code(&entered(&own)).await;
    assert!(sent.is_ok(), "{sent:?}");
    let code = mailbox.newest(3).await[..6].to_owned();
    let accepted = door.enter_code(&EMAIL.into(), &code).await;
    let Ok(AcceptedCode::SignedIn { user, .. }) = accepted else {
        panic!("{accepted:?}");
    };
    assert_eq!(user.first_name, "Wei");
    assert_eq!(user.caller.identity(), guest(&hotel, "Wei").identity());
}
