//! Sign-in of guests and staff, and its refusals.

use crate::prelude::*;

#[tokio::test]
async fn a_code_signs_in_once_where_it_was_asked_for() {
    let hotel = TestHotel::open().await;
    let (browser, stranger) = (hotel.browser(), hotel.browser());
    let code = browser.code_for(BETH).await.unwrap();
    // The stranger asks later, and has even seen the guest's code; five guesses void only their own
    stranger.code_for(BETH).await.unwrap();
    for _ in 0..5 {
        assert!(!stranger.enter(&code).await.location().contains("/folio"));
    }
    let page = browser.enter(&code).await;
    assert!(matches!(page.status, 302 | 303), "{}", page.status);
    assert!(
        page.location().contains("/guest/folio"),
        "{}",
        page.location()
    );
    // The same code again
    let again = hotel.browser();
    for name in ["dewy_session", "dewy_browser"] {
        again.keep(name, &browser.kept(name).unwrap());
    }
    again.send("/form/sign_out", &[]).await;
    assert!(!again.enter(&code).await.location().contains("/folio"));
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
    let page = browser.open(&path_of(fourth.location())).await;
    page.has(&["Too many tries"]);
    // Only the last one counts.
    assert!(codes[0] == codes[2] || !browser.enter(&codes[0]).await.location().contains("/folio"));
    assert!(browser.enter(&codes[2]).await.location().contains("/folio"));
}

#[tokio::test]
async fn an_expired_code_is_worthless() {
    let hotel = TestHotel::open().await;
    let (late, in_time) = (hotel.browser(), hotel.browser());
    let code = late.code_for(BETH).await.unwrap();
    // Ten minutes pass
    let micros = now().as_microsecond() - 1;
    hotel
        .change_store(&format!("update sign_in_code set expires_at = {micros}"))
        .await;
    assert!(!late.enter(&code).await.location().contains("/folio"));
    // The same with time left lets in, so it was the time that mattered.
    let code = in_time.code_for(BETH).await.unwrap();
    let micros = now().as_microsecond() + 60_000_000;
    hotel
        .change_store(&format!("update sign_in_code set expires_at = {micros}"))
        .await;
    assert!(in_time.enter(&code).await.location().contains("/folio"));
}

/// Whoever reads the whole store finds no key to the codes in it, and no session to take over.
#[tokio::test]
async fn a_reader_of_the_store_becomes_nobody() {
    use std::os::unix::fs::PermissionsExt;
    let hotel = TestHotel::open().await;
    let browser = hotel.browser().guest(BETH).await;
    hotel.browser().code_for("wei.chen@example.com").await;
    let cookies = ["dewy_session", "dewy_browser"].map(|name| browser.kept(name).unwrap());
    let folder = hotel.close_and_keep().await;
    let key = std::fs::read_to_string(folder.path().join("dewy.db.key")).unwrap();
    let secrets = [key.trim().to_owned()].into_iter().chain(cookies);
    let secrets: Vec<Vec<u8>> = secrets
        .flat_map(|secret| {
            let raw = hex::decode(&secret).unwrap_or_default();
            [secret.into_bytes(), raw]
        })
        .filter(|secret| !secret.is_empty())
        .collect();
    let mut files = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        // SQLite removes its log when the last connection closes
        let Ok(about) = std::fs::metadata(&path) else {
            continue;
        };
        let mode = about.permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{path:?}");
        files += 1;
        if path.to_string_lossy().ends_with(".key") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        for secret in &secrets {
            let found = bytes.windows(secret.len()).any(|part| part == secret);
            assert!(!found, "{path:?} holds {}", String::from_utf8_lossy(secret));
        }
    }
    assert!(files >= 4, "store, lock, key, sandbox: {files}");
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
    // Only a demo says that no code would match, and shows the way to book
    let page = unknown.open(&b.to()).await.text;
    assert!(page.contains("book as a new guest") && page.contains("/guest/sign-in/new?next="));
    assert_eq!(unknown.code_for(stranger).await, None);
    let refused = unknown.enter("54321").await;
    let wrong = known.enter("12345").await;
    assert_eq!(refused.status, wrong.status);
    assert!(!refused.location().contains("/folio"));
    let say = |page: &str| page.contains("That code did not match");
    let (a, b) = (
        unknown.open(&path_of(refused.location())).await.text,
        known.open(&path_of(wrong.location())).await.text,
    );
    assert!(say(&a) && say(&b), "{a}\n{b}");
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
    planter.is_sent_to("/guest/folio", "/guest/sign-in").await;
    assert_eq!(browser.open("/guest/folio").await.status, 200);
    let stolen = hotel.browser();
    stolen.plant(&after);
    browser.send("/form/sign_out", &[]).await;
    browser.is_sent_to("/guest/folio", "/guest/sign-in").await;
    stolen.is_sent_to("/guest/folio", "/guest/sign-in").await;
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
    browser.is_sent_to("/guest/folio", "/guest/sign-in").await;
    let shut = |account: &mut dewy_store::StaffAccount| account.disabled = true;
    hotel.change_staff(desk, shut).await;
    browser
        .is_sent_to("/staff/executions", "/staff/sign-in")
        .await;
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
}
