//! Sign-in of guests and staff, and its refusals.

use dewy_connectors::RealClock;
use dewy_domain::ports::Clock;
use dewy_store::NewCode;

use crate::test_hotel::{TestHotel, now};

const BETH: &str = "beth.gibbs@email.com";

#[tokio::test]
async fn a_code_signs_in_once() {
    let hotel = TestHotel::open().await;
    let (browser, thief) = (hotel.browser(), hotel.browser());
    browser.code_for(BETH).await.unwrap();
    // The thief has even seen the code; the newest one is the one that counts.
    let code = thief.code_for(BETH).await.unwrap();
    let wrong = if code == "000000" { "111111" } else { "000000" };
    assert!(!browser.enter(wrong).await.location().contains("/folio"));
    let page = browser.enter(&code).await;
    assert!(matches!(page.status, 302 | 303), "{}", page.status);
    assert!(
        page.location().contains("/guest/folio"),
        "{}",
        page.location()
    );
    // The same code again, from another browser.
    assert!(!thief.enter(&code).await.location().contains("/folio"));
    assert!(
        thief
            .open("/guest/folio")
            .await
            .location()
            .contains("/guest/sign-in")
    );
    hotel.close().await;
}

#[tokio::test]
async fn five_wrong_attempts_void_the_code() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    let code = browser.code_for(BETH).await.unwrap();
    for n in 0..5 {
        let wrong = format!("{:06}", (code.parse::<u32>().unwrap() + 1 + n) % 1_000_000);
        assert!(!browser.enter(&wrong).await.location().contains("/folio"));
    }
    assert!(!browser.enter(&code).await.location().contains("/folio"));
    // A new code works.
    let code = browser.code_for(BETH).await.unwrap();
    assert!(browser.enter(&code).await.location().contains("/folio"));
    hotel.close().await;
}

#[tokio::test]
async fn three_codes_an_hour() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    let mut codes = Vec::new();
    for _ in 0..3 {
        codes.push(browser.code_for(BETH).await.unwrap());
    }
    let fourth = browser
        .send("/form/send_code", &[("email", BETH), ("next", "")])
        .await;
    let page = browser
        .open(&crate::browser::path_of(fourth.location()))
        .await;
    assert!(page.text.contains("Too many tries"), "{}", page.text);
    // Only the last one counts.
    assert!(codes[0] == codes[2] || !browser.enter(&codes[0]).await.location().contains("/folio"));
    assert!(browser.enter(&codes[2]).await.location().contains("/folio"));
    hotel.close().await;
}

#[tokio::test]
async fn an_expired_code_is_worthless() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    let code = browser.code_for(BETH).await.unwrap();
    // Ten minutes pass: the same code as it is stored, but of then.
    let store = &hotel.server.store;
    let key = hex::decode(
        store
            .get_setting("sign_in_code_key")
            .await
            .unwrap()
            .unwrap(),
    )
    .unwrap();
    let (email_hash, code_hash) = (
        keyed(&key, &["email", BETH]),
        keyed(&key, &["code", BETH, &code]),
    );
    let passed = now() - std::time::Duration::from_secs(1);
    store
        .store_code(&NewCode {
            email_hash,
            code_hash,
            expires_at: passed,
            sent_at: now(),
        })
        .await
        .unwrap();
    assert!(!browser.enter(&code).await.location().contains("/folio"));
    // The same with time left lets in, so it was the time that mattered.
    let later = now() + std::time::Duration::from_secs(60);
    store
        .store_code(&NewCode {
            email_hash,
            code_hash,
            expires_at: later,
            sent_at: now(),
        })
        .await
        .unwrap();
    assert!(browser.enter(&code).await.location().contains("/folio"));
    hotel.close().await;
}

fn keyed(key: &[u8], parts: &[&str]) -> [u8; 32] {
    use hmac::{KeyInit, Mac};
    let mut mac = hmac::Hmac::<sha2::Sha256>::new_from_slice(key).unwrap();
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
    mac.finalize().into_bytes().into()
}

#[tokio::test]
async fn sign_in_never_reveals_who_is_a_guest() {
    let hotel = TestHotel::open().await;
    let (known, unknown) = (hotel.browser(), hotel.browser());
    let stranger = "stranger@example.com";
    let (a, b) = (
        known
            .send("/form/send_code", &[("email", BETH), ("next", "")])
            .await,
        unknown
            .send("/form/send_code", &[("email", stranger), ("next", "")])
            .await,
    );
    assert_eq!(
        (a.status, a.location().replace(BETH, "")),
        (b.status, b.location().replace(stranger, ""))
    );
    let code = unknown
        .code_for(stranger)
        .await
        .expect("a stranger sees a code like anybody");
    let refused = unknown.enter(&code).await;
    let wrong = known.enter("12345").await;
    assert_eq!(refused.status, wrong.status);
    assert!(!refused.location().contains("/folio"));
    let say = |page: &str| page.contains("That code did not match");
    let (a, b) = (
        unknown
            .open(&crate::browser::path_of(refused.location()))
            .await
            .text,
        known
            .open(&crate::browser::path_of(wrong.location()))
            .await
            .text,
    );
    assert!(say(&a) && say(&b), "{a}\n{b}");
    hotel.close().await;
}

#[tokio::test]
async fn the_session_is_renewed_at_sign_in_and_ends_at_sign_out() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    let code = browser.code_for(BETH).await.unwrap();
    let before = browser.cookie().expect("a kept form needs a session");
    assert!(browser.enter(&code).await.location().contains("/folio"));
    let after = browser.cookie().unwrap();
    assert_ne!(
        before, after,
        "a session planted before the sign-in must not become a signed-in one"
    );
    let planter = hotel.browser();
    planter.plant(&before);
    assert!(
        planter
            .open("/guest/folio")
            .await
            .location()
            .contains("/guest/sign-in")
    );
    assert_eq!(browser.open("/guest/folio").await.status, 200);
    let stolen = hotel.browser();
    stolen.plant(&after);
    browser.send("/form/sign_out", &[]).await;
    assert!(
        browser
            .open("/guest/folio")
            .await
            .location()
            .contains("/guest/sign-in")
    );
    assert!(
        stolen
            .open("/guest/folio")
            .await
            .location()
            .contains("/guest/sign-in")
    );
    hotel.close().await;
}

#[tokio::test]
async fn staff_sign_in_by_password_until_disabled() {
    let hotel = TestHotel::open().await;
    let desk = "frontdesk@dewy.example";
    for (email, password) in [
        (desk, "wrong"),
        ("nobody@dewy.example", dewy_server::auth::DEMO_PASSWORD),
    ] {
        let page = hotel
            .browser()
            .send(
                "/form/enter_password",
                &[("email", email), ("password", password), ("next", "")],
            )
            .await;
        assert!(!page.location().contains("/executions"), "{email}");
    }
    let browser = hotel.browser().staff(desk).await;
    assert_eq!(browser.open("/staff/executions").await.status, 200);
    assert!(
        browser
            .open("/guest/folio")
            .await
            .location()
            .contains("/guest/sign-in"),
        "staff are no guests"
    );
    let account = hotel
        .server
        .store
        .staff_by_email(&desk.into())
        .await
        .unwrap()
        .unwrap();
    hotel
        .server
        .store
        .upsert_staff(&dewy_store::StaffAccount {
            disabled: true,
            ..account
        })
        .await
        .unwrap();
    assert!(
        browser
            .open("/staff/executions")
            .await
            .location()
            .contains("/staff/sign-in")
    );
    hotel.close().await;
}

/// Each code and each attempt reads the guest in Salesforce, whose calls are limited by the day.
#[tokio::test]
async fn sign_ins_of_one_network_are_limited() {
    let hotel = TestHotel::open().await;
    let store = &hotel.server.store;
    let browser = hotel.browser();
    let code = browser.code_for(BETH).await.unwrap();
    let window = std::time::Duration::from_secs(6 * 3600);
    let mut hits = 0;
    while hits < 500 {
        let bucket = "guest_reads:ip:127.0.0.1";
        hits = store
            .count_rate_limit_hit(bucket, window, RealClock.now())
            .await
            .unwrap();
    }
    let page = browser.enter(&code).await;
    assert!(
        !page.location().contains("/folio"),
        "the right code comes too late"
    );
    hotel.close().await;
}

#[tokio::test]
async fn passwords_are_tried_ten_times_at_most() {
    let hotel = TestHotel::open().await;
    let desk = "frontdesk@dewy.example";
    for _ in 0..10 {
        let window = std::time::Duration::from_secs(900);
        let account = format!(
            "passwords:account:{}",
            hex::encode(<sha2::Sha256 as sha2::Digest>::digest(desk))
        );
        hotel
            .server
            .store
            .count_rate_limit_hit(&account, window, RealClock.now())
            .await
            .unwrap();
    }
    let fields = [
        ("email", desk),
        ("password", dewy_server::auth::DEMO_PASSWORD),
        ("next", ""),
    ];
    let page = hotel.browser().send("/form/enter_password", &fields).await;
    assert!(
        !page.location().contains("/executions"),
        "the right password comes too late"
    );
    hotel.close().await;
}

#[tokio::test]
async fn cross_origin_forms_are_refused() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    let fields = [("email", BETH), ("next", "")];
    for origin in [Some("https://evil.example"), Some("null"), None] {
        let page = browser.send_from(origin, "/form/send_code", &fields).await;
        assert_eq!(page.status, 403, "{origin:?}");
    }
    assert!(browser.cookie().is_none());
    let long = "x".repeat(100_000);
    assert_eq!(
        browser
            .send("/form/send_code", &[("email", &long)])
            .await
            .status,
        413
    );
    hotel.close().await;
}

#[tokio::test]
async fn only_a_demo_shows_codes_and_accounts() {
    let hotel = TestHotel::with(&[("DEWY_MODE", "trial")]).await;
    let browser = hotel.browser();
    assert_eq!(browser.code_for(BETH).await, None, "no code is shown");
    let page = browser.open("/staff/sign-in").await;
    assert!(!page.text.contains(dewy_server::auth::DEMO_PASSWORD));
    assert!(
        hotel
            .server
            .store
            .staff_by_email(&"manager@dewy.example".into())
            .await
            .unwrap()
            .is_none()
    );
    hotel.close().await;
}

/// A demo account with a changed password belongs to its user.
#[tokio::test]
async fn a_demo_account_with_a_password_of_its_own_is_not_withdrawn() {
    let hotel = TestHotel::open().await;
    let store = &hotel.server.store;
    let manager = store
        .staff_by_email(&"manager@dewy.example".into())
        .await
        .unwrap()
        .unwrap();
    let own = dewy_store::StaffAccount {
        password_hash: "$own$".to_owned(),
        ..manager
    };
    store.upsert_staff(&own).await.unwrap();
    dewy_server::auth::disable_demo_accounts(store)
        .await
        .unwrap();
    assert!(
        !store
            .staff_by_email(&"manager@dewy.example".into())
            .await
            .unwrap()
            .unwrap()
            .disabled
    );
    assert!(
        store
            .staff_by_email(&"frontdesk@dewy.example".into())
            .await
            .unwrap()
            .unwrap()
            .disabled
    );
    hotel.close().await;
}

/// First sign-in codes of a new installation, requested concurrently.
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_first_codes_are_all_valid() {
    let hotel = TestHotel::open().await;
    let emails = [
        "beth.gibbs@email.com",
        "wei.chen@example.com",
        "sarah@example.com",
        "Nora.O'Brien@example.com",
    ];
    futures::future::join_all(emails.map(|email| {
        let browser = hotel.browser();
        async move {
            let code = browser.code_for(email).await.unwrap();
            let page = browser.enter(&code).await;
            assert!(
                !page.location().contains("sign-in"),
                "{email}: {}",
                page.location()
            );
        }
    }))
    .await;
    hotel.close().await;
}
