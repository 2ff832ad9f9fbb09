//! Sign-in of guests and staff, and its refusals.

use crate::{
    browser::Browser,
    test_hotel::{TestHotel, now},
};

const BETH: &str = "beth.gibbs@email.com";

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

/// Whoever asks elsewhere uses up only their own codes.
#[tokio::test]
async fn strangers_cannot_use_up_a_guests_codes() {
    let hotel = TestHotel::open().await;
    let at_home = hotel.browser().guest(BETH).await;
    let asks = async |browser: &Browser| {
        let fields = [("email", BETH), ("next", "")];
        let sent = browser.send("/form/send_code", &fields).await;
        let page = browser.open(&sent.to()).await;
        !page.text.contains("Too many tries")
    };
    let stranger = hotel.browser();
    for n in 1..=4 {
        assert_eq!(asks(&stranger).await, n <= 3, "{n}");
    }
    assert!(asks(&hotel.browser()).await, "beside the stranger");
    // Nobody can have the phone bombarded: not from one network, not from many
    let mut sent = 5;
    for network in 0..8 {
        for _ in 0..3 {
            let stranger = hotel.browser_on(&format!("198.51.{network}.7"));
            sent += u32::from(asks(&stranger).await);
        }
    }
    assert_eq!(sent, 12);
    // The guest's own browser still has its three
    at_home.send("/form/sign_out", &[]).await;
    for n in 1..=4 {
        assert_eq!(asks(&at_home).await, n <= 3, "{n}");
    }
    hotel.close().await;
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
    hotel.close().await;
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
async fn reads_for_sign_ins_of_one_network_are_limited() {
    let hotel = TestHotel::open().await;
    let known = hotel.browser().guest(BETH).await;
    let browser = hotel.browser();
    let code = browser.code_for(BETH).await.unwrap();
    hotel
        .change_store("update rate_limit set hits = 2000 where bucket like 'guest_reads:%'")
        .await;
    let page = browser.enter(&code).await;
    assert_eq!(page.status, 429, "the right code comes too late");
    known.send("/form/sign_out", &[]).await;
    known.guest(BETH).await;
    hotel.close().await;
}

const MANAGER: &str = "manager@dewy.example";

/// Enters a wrong password; true if it was compared, false if this browser has to wait.
async fn guesses(browser: &Browser) -> bool {
    let fields = [("email", MANAGER), ("password", "guess"), ("next", "")];
    let page = browser.send("/form/enter_password", &fields).await;
    assert!(!page.location().ends_with("/staff"), "{}", page.location());
    page.status != 429
}

#[tokio::test]
async fn ten_wrong_passwords_lock_the_browser_and_network_that_typed_them() {
    let hotel = TestHotel::open().await;
    let (stranger, neighbor) = (
        hotel.browser_on("203.0.113.7"),
        hotel.browser_on("203.0.113.7"),
    );
    for n in 1..=11 {
        assert_eq!(guesses(&stranger).await, n <= 10, "{n}");
    }
    assert!(!guesses(&neighbor).await, "the network waits");
    // The browser waits as well, wherever it goes
    let moved = hotel.browser_on("198.51.100.7");
    moved.keep("dewy_browser", &stranger.kept("dewy_browser").unwrap());
    assert!(!guesses(&moved).await);
    // Neither the person nor others on that network
    hotel.browser_on("198.51.100.7").staff(MANAGER).await;
    hotel
        .browser_on("203.0.113.7")
        .staff("frontdesk@dewy.example")
        .await;
    hotel.close().await;
}

#[tokio::test]
async fn wrong_passwords_from_twenty_networks_do_not_keep_the_owner_out() {
    let hotel = TestHotel::open().await;
    let attacked = "198.51.0.7";
    let known = hotel.browser_on(attacked).staff(MANAGER).await;
    let networks = (0..20).map(|network| {
        let stranger = hotel.browser_on(&format!("198.51.{network}.7"));
        async move {
            for n in 1..=12 {
                assert_eq!(guesses(&stranger).await, n <= 10, "{network} {n}");
            }
        }
    });
    futures::future::join_all(networks).await;
    // From a new browser on a network of their own, and from the usual browser on an attacked one
    hotel.browser_on("203.0.113.7").staff(MANAGER).await;
    known.send("/form/sign_out", &[]).await;
    let known = known.staff(MANAGER).await;
    // Many more, from everywhere: guesses take longer, and still nobody is locked out
    hotel
        .change_store("update rate_limit set hits = 100000 where bucket like 'password:%'")
        .await;
    hotel
        .change_store("update rate_limit set hits = 0 where bucket like 'password:known:%'")
        .await;
    known.send("/form/sign_out", &[]).await;
    let known = known.staff(MANAGER).await;
    let begun = std::time::Instant::now();
    hotel.browser_on("192.0.2.7").staff(MANAGER).await;
    assert!(begun.elapsed().as_millis() >= 1000, "no delay");
    // A known browser has ten of its own
    known.send("/form/sign_out", &[]).await;
    for n in 1..=11 {
        assert_eq!(guesses(&known).await, n <= 10, "{n}");
    }
    hotel.close().await;
}

/// Behind a container's proxy, everybody comes from one address.
#[tokio::test]
async fn visitors_behind_a_trusted_proxy_are_not_one_person() {
    let hotel = TestHotel::with(&[("TRUSTED_PROXIES", "127.0.0.0/8, 172.18.0.0/16")]).await;
    let visitors = (0..66).map(|n| {
        let browser = hotel.browser_on(&format!("203.0.113.{n}, 172.18.0.2"));
        async move {
            assert!(guesses(&browser).await, "{n}");
            browser.code_for(&format!("guest{n}@example.com")).await
        }
    });
    let codes = futures::future::join_all(visitors).await;
    assert!(codes.iter().all(Option::is_some));
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
