//! Limits on sign-in attempts: strangers lock out themselves, never the person.

use crate::{
    browser::demo_code,
    guest_sign_up::{self, register, texted},
    prelude::*,
};

/// Asks for a code, and returns it; `None` if this browser has to wait.
async fn asks(browser: &Browser) -> Option<String> {
    let fields = [("email", BETH), ("next", "")];
    let sent = browser.send("/form/send_code", &fields).await;
    let page = browser.open(&sent.to()).await.text;
    let code = demo_code(&page);
    assert_eq!(code.is_none(), page.contains("Too many tries"), "{page}");
    code
}

/// Whoever asks elsewhere uses up only their own codes, and has no phone bombarded.
#[tokio::test]
async fn strangers_cannot_use_up_a_guests_codes() {
    let hotel = TestHotel::open().await;
    let at_home = hotel.browser().guest(BETH).await;
    let messages = async || {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let state = hotel.state();
        let all = state["twilio"]["messages"].as_array().unwrap();
        let texts: Vec<String> = all.iter().map(|one| one["body"].to_string()).collect();
        texts
    };
    let before = messages().await.len();
    let stranger = hotel.browser();
    for n in 1..=4 {
        assert_eq!(asks(&stranger).await.is_some(), n <= 3, "{n}");
    }
    let beside = hotel.browser();
    let waiting = asks(&beside).await.unwrap();
    let mut common = Vec::new();
    for network in 0..8 {
        for _ in 0..3 {
            let stranger = hotel.browser_on(&format!("198.51.{network}.7"));
            let code = asks(&stranger).await.unwrap();
            common.extend((code.len() != 6).then_some((stranger, code)));
        }
    }
    // One at home, the stranger's three, and one beside them came first
    assert_eq!(common.len(), 24 - (12 - 5));
    let code = common[0].1.clone();
    assert!(code.len() == 10 && common.iter().all(|(_, other)| *other == code));
    let texts = messages().await;
    assert_eq!(texts.len() - before, 11 + 1, "{texts:?}");
    let holding: Vec<&String> = texts.iter().filter(|text| text.contains(&code)).collect();
    assert!(
        holding.len() == 1 && holding[0].contains("the only one for 30 minutes"),
        "{holding:?}"
    );
    // The guest is let in by a browser that nobody knows, on any network and on an attacked one
    for network in ["203.0.113.7", "198.51.0.7"] {
        let new = hotel.browser_on(network);
        assert_eq!(asks(&new).await.as_ref(), Some(&code));
        new.open("/guest/sign-in/code")
            .await
            .has(&["one 10-digit code is for everybody"]);
        assert!(new.enter(&code).await.location().ends_with("/guest/folio"));
    }
    assert_eq!(messages().await.len(), texts.len());
    // It is of no use where nobody asked for it, nor a second time; a code of before stays good
    assert!(
        !hotel
            .browser()
            .enter(&code)
            .await
            .location()
            .ends_with("/guest/folio")
    );
    assert!(
        beside
            .enter(&waiting)
            .await
            .location()
            .ends_with("/guest/folio")
    );
    // When its time is over, the next message holds another
    hotel
        .change_store("update rate_limit set expires_at = 0 where bucket like 'code:common:%'")
        .await;
    let later = asks(&hotel.browser_on("203.0.113.9")).await.unwrap();
    assert!(later.len() == 10 && later != code, "{later}");
    assert_eq!(messages().await.len(), texts.len() + 1);
    // The guest's own browser still has its three, of its own
    at_home.send("/form/sign_out", &[]).await;
    for n in 1..=4 {
        let own = asks(&at_home).await;
        assert_eq!(own.map(|code| code.len()), (n <= 3).then_some(6), "{n}");
    }
}

/// Anyone can clear cookies, and enter another person's number.
#[tokio::test]
async fn strangers_cannot_use_up_a_network_or_the_phone_of_someone_new() {
    let hotel = TestHotel::open().await;
    for n in 1..=9 {
        let code = asks(&hotel.browser()).await.unwrap();
        assert_eq!(code.len(), 6, "{n}");
    }
    let guest = hotel.browser();
    let code = asks(&guest).await.unwrap();
    assert!(
        guest
            .enter(&code)
            .await
            .location()
            .ends_with("/guest/folio")
    );
    for n in 0..9 {
        let stranger = hotel.browser_on(&format!("198.51.{n}.7"));
        register(
            &stranger,
            &format!("stranger{n}@example.com"),
            "(212) 555-0178",
        )
        .await;
    }
    let texts = || {
        hotel.state()["twilio"]["messages"]
            .as_array()
            .unwrap()
            .len()
    };
    texted(&hotel, 19).await;
    let before = texts();
    let new = hotel.browser_on("203.0.113.7");
    let sent = register(&new, "ada@example.com", "(212) 555-0178").await;
    let code = guest_sign_up::code(&new, &sent).await;
    assert_eq!(code.len(), 10);
    let entered = new.enter(&code).await;
    assert!(
        entered.location().starts_with("/guest/book"),
        "{}",
        entered.location()
    );
    let stranger = hotel.browser_on("203.0.113.8");
    register(&stranger, "other@example.com", "(212) 555-0178").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(texts(), before + 1);
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
}

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
    let begun = Instant::now();
    hotel.browser_on("192.0.2.7").staff(MANAGER).await;
    assert!(begun.elapsed().as_millis() >= 1000, "no delay");
    // A known browser has ten of its own
    known.send("/form/sign_out", &[]).await;
    for n in 1..=11 {
        assert_eq!(guesses(&known).await, n <= 10, "{n}");
    }
}

/// Behind a container's proxy, everybody comes from one address.
#[tokio::test]
async fn visitors_behind_a_trusted_proxy_are_not_one_person() {
    let hotel = TestHotel::with(&[("TRUSTED_PROXIES", "127.0.0.0/8, 172.18.0.0/16")]).await;
    let visitors = (0..66).map(|n| {
        let browser = hotel.browser_on(&format!("203.0.113.{n}, 172.18.0.2"));
        async move {
            assert!(guesses(&browser).await, "{n}");
            let email = format!("guest{n}@example.com");
            browser.send("/form/send_code", &[("email", &email)]).await
        }
    });
    for sent in futures::future::join_all(visitors).await {
        assert_eq!(sent.status, 303, "{}", sent.text);
        assert!(sent.location().contains("/code"), "{}", sent.location());
    }
}
