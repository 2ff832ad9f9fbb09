//! Sessions: where a person is signed in, how they sign out elsewhere, and limits on repeated
//! attempts.

use std::net::{IpAddr, Ipv4Addr};

use dewy_domain::ports::{Authenticator, SessionView};
use dewy_server::{
    auth::{RequestAuthenticator, RequestOrigin, SignInState, browser_cookie},
    config::installation_key::InstallationKey,
    tool_calls::rate_limit_mark::RateLimitMark,
};
use tower_sessions::Session;

use crate::prelude::*;

const FIREFOX: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";
const PHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1";

/// Authenticator for the browser's next request.
async fn authenticator(hotel: &TestHotel, browser: &Browser) -> RequestAuthenticator {
    let id = browser.cookie().and_then(|cookie| cookie.parse().ok());
    let session = Session::new(id, Arc::new(hotel.server.store.clone()), None);
    in_session(hotel, session, false).await
}

async fn in_session(
    hotel: &TestHotel,
    session: Session,
    speculative: bool,
) -> RequestAuthenticator {
    let store = hotel.server.store.clone();
    let key = InstallationKey::in_store(&store, &OsEntropy).await.unwrap();
    let door = SignInState::new(
        store.clone(),
        key.clone(),
        hotel.server.systems.crm.clone(),
        Arc::new(RealClock),
        Arc::new(OsEntropy),
        true,
    );
    let from = RequestOrigin {
        ip: IpAddr::V4(Ipv4Addr::LOCALHOST),
        browser: browser_cookie::Browser::of(&http::HeaderMap::new(), key, Arc::new(OsEntropy)),
        browser_name: String::new(),
        language: None,
        wall: false,
        speculative,
        rate_limit_mark: RateLimitMark::default(),
    };
    RequestAuthenticator::new(door, session, from)
}

#[tokio::test]
async fn a_page_that_nobody_may_see_takes_no_message() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest(BETH).await;
    let id = beth.cookie().and_then(|cookie| cookie.parse().ok());
    let session = Session::new(id, Arc::new(hotel.server.store.clone()), None);
    let visit = in_session(&hotel, session.clone(), false).await;
    let speculative = in_session(&hotel, session, true).await;
    visit.save_in_session("flash", "Done".to_owned()).await;
    speculative.save_in_session("flash", String::new()).await;
    assert_eq!(speculative.take_from_session("flash").await, None);
    let taken = visit.take_from_session("flash").await;
    assert_eq!(taken.as_deref(), Some("Done"));
    assert_eq!(visit.take_from_session("flash").await, None);
}

async fn is_in(browser: &Browser) -> bool {
    browser.open("/guest/folio").await.status == 200
}

fn named(places: &[SessionView]) -> Vec<(&str, bool)> {
    places
        .iter()
        .map(|place| (place.browser.as_str(), place.this))
        .collect()
}

#[tokio::test]
async fn people_list_and_end_their_sessions() {
    let hotel = TestHotel::open().await;
    let began = now();
    let open = |agent| Browser::named(&hotel.server.public_url, agent);
    let (desktop, phone) = (
        open(FIREFOX).guest(BETH).await,
        open(PHONE).guest(BETH).await,
    );
    let other = hotel.browser().guest("wei.chen@example.com").await;
    let places = authenticator(&hotel, &desktop).await.sessions().await;
    assert_eq!(
        named(&places),
        [("Firefox on Windows", true), ("Safari on iPhone", false)]
    );
    for place in &places {
        assert!(
            place.since >= began - Duration::from_secs(1) && place.last_used >= place.since,
            "{place:?}"
        );
        for browser in [&desktop, &phone] {
            assert!(
                !browser.cookie().unwrap().contains(&place.name),
                "the name must not be the cookie"
            );
        }
    }
    assert_eq!(
        named(&authenticator(&hotel, &other).await.sessions().await),
        [("An unknown browser", true)]
    );
    assert_eq!(
        authenticator(&hotel, &hotel.browser())
            .await
            .sessions()
            .await,
        [],
        "nobody is signed in there"
    );

    // Only one's own, by its right name.
    let phones = places[1].name.clone();
    assert!(!authenticator(&hotel, &other).await.revoke(&phones).await);
    assert!(
        !authenticator(&hotel, &desktop)
            .await
            .revoke("0123456789abcdef")
            .await
    );
    assert!(is_in(&phone).await);
    assert!(authenticator(&hotel, &desktop).await.revoke(&phones).await);
    assert!(!is_in(&phone).await, "it is out with its very next request");
    assert!(is_in(&desktop).await && is_in(&other).await);
    assert!(
        !authenticator(&hotel, &desktop).await.revoke(&phones).await,
        "it is gone already"
    );

    // All others; and this one, which is a sign-out.
    let again = open(PHONE).guest(BETH).await;
    authenticator(&hotel, &desktop).await.revoke_others().await;
    assert!(!is_in(&again).await && is_in(&desktop).await && is_in(&other).await);
    let this = authenticator(&hotel, &desktop)
        .await
        .sessions()
        .await
        .remove(0)
        .name;
    assert!(authenticator(&hotel, &desktop).await.revoke(&this).await);
    assert!(!is_in(&desktop).await);
}

/// A disabled account, and one whose password was changed.
#[tokio::test]
async fn a_disabled_account_loses_every_session() {
    let hotel = TestHotel::open().await;
    let browsers = [
        hotel.browser().staff(FRONT_DESK).await,
        hotel.browser().staff(FRONT_DESK).await,
    ];
    let shut = |account: &mut dewy_store::StaffAccount| account.disabled = true;
    let account = hotel.change_staff(FRONT_DESK, shut).await;
    for browser in &browsers {
        browser
            .is_sent_to("/staff/executions", "/staff/sign-in")
            .await;
        assert_eq!(authenticator(&hotel, browser).await.sessions().await, []);
    }
    hotel.server.store.upsert_staff(&account).await.unwrap();
    hotel
        .server
        .store
        .revoke_sessions(&format!("staff:{FRONT_DESK}"))
        .await
        .unwrap();
    for browser in &browsers {
        browser
            .is_sent_to("/staff/executions", "/staff/sign-in")
            .await;
    }
}

/// The status, the time to wait and the words say the same.
#[tokio::test]
async fn too_many_attempts_must_wait() {
    let hotel = TestHotel::open().await;
    let password = [("email", FRONT_DESK), ("password", "wrong"), ("next", "")];
    let email = [("email", BETH), ("next", "")];
    type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str, u32, u64);
    let cases: [Case<'_>; 8] = [
        ("/form/send_code", &email, "codes", 600, 60),
        ("/form/send_code", &email, "guest_reads", 2000, 360),
        (
            "/form/enter_code",
            &[("code", "123456")],
            "guess:browser",
            15,
            15,
        ),
        (
            "/form/enter_code",
            &[("code", "123456")],
            "guesses",
            300,
            15,
        ),
        (
            "/form/enter_password",
            &password,
            "password:browser",
            10,
            15,
        ),
        (
            "/form/enter_password",
            &password,
            "password:network",
            10,
            15,
        ),
        (
            "/form/enter_password",
            &password,
            "password:region",
            300,
            15,
        ),
        ("/form/enter_password", &password, "passwords", 300, 15),
    ];
    for (n, (path, fields, bucket, most, minutes)) in cases.into_iter().enumerate() {
        let browser = hotel.browser_on(&format!("198.51.{n}.7"));
        browser.code_for(BETH).await.unwrap();
        browser.send(path, fields).await;
        let sql =
            |hits| format!("update rate_limit set hits = {hits} where bucket like '{bucket}:%'");
        hotel.change_store(&sql(most - 1)).await;
        assert_ne!(browser.send(path, fields).await.status, 429, "{bucket}");
        let page = browser.send(path, fields).await;
        assert_eq!(page.status, 429, "{bucket}");
        let wait: u64 = page.header("retry-after").parse().unwrap();
        assert!(
            (minutes * 60 - 50..=minutes * 60).contains(&wait),
            "{bucket}: {wait}"
        );
        assert!(
            page.text
                .contains(&format!("Please wait {minutes} minutes")),
            "{}",
            page.text
        );
        assert!(page.text.contains("sign-in") && page.location().is_empty());
        hotel.change_store("delete from rate_limit").await;
    }
}

#[tokio::test]
async fn a_code_goes_only_to_the_guests_phone() {
    let hotel = TestHotel::open().await;
    let stranger = hotel.browser().code_for("stranger@example.com").await;
    assert_eq!(stranger, None, "a code of nobody opens nothing");
    let code = hotel.browser().code_for(BETH).await.unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    let messages = loop {
        let messages = hotel.state()["twilio"]["messages"]
            .as_array()
            .unwrap()
            .clone();
        if !messages.is_empty() {
            break messages;
        }
        assert!(Instant::now() < deadline, "no message was sent");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(messages.len(), 1, "the stranger has no phone: {messages:?}");
    let words = messages[0]["body"].as_str().unwrap();
    assert!(words.contains(&code), "{words}");
    let contacts = hotel.state()["salesforce"]["Contact"]
        .as_array()
        .unwrap()
        .clone();
    let beth = contacts.iter().find(|c| c["Email"] == BETH).unwrap();
    assert_eq!(messages[0]["to"], beth["MobilePhone"]);
}

/// A slow SMS carrier must neither delay the page nor reveal by timing who is a guest.
#[tokio::test]
async fn sign_in_does_not_wait_for_the_message() {
    let hotel = TestHotel::open().await;
    hotel
        .fault("twilio", "message_create", "slow", 0, 5000)
        .await;
    hotel.fault("salesforce", "query", "slow", 0, 3000).await;
    for email in [BETH, "stranger@example.com"] {
        let began = Instant::now();
        assert!(hotel.browser().code_for(email).await.is_some());
        assert!(
            began.elapsed() < Duration::from_secs(2),
            "{email} took {:?}",
            began.elapsed()
        );
    }
}

/// A password is hashed for unknown accounts too. The limit is generous; it only detects an
/// immediate response.
#[tokio::test]
async fn an_unknown_account_takes_as_long_as_a_wrong_password() {
    let hotel = TestHotel::open().await;
    let mut times = [Vec::new(), Vec::new()];
    // In turn, so that what else the machine does slows both
    for _ in 0..5 {
        for (email, times) in [FRONT_DESK, "nobody@dewy.example"].iter().zip(&mut times) {
            let began = Instant::now();
            let fields = [("email", *email), ("password", "wrong"), ("next", "")];
            hotel.browser().send("/form/enter_password", &fields).await;
            times.push(began.elapsed());
        }
    }
    let took = times.map(|mut times| {
        times.sort();
        times[2]
    });
    assert!(took[1] * 3 > took[0], "{took:?}");
}

/// What the store keeps for a browser.
async fn kept(hotel: &TestHotel, browser: &Browser) -> Option<tower_sessions::session::Record> {
    use tower_sessions::SessionStore;
    let id = browser.cookie()?.parse().ok()?;
    SessionStore::load(&hotel.server.store, &id).await.unwrap()
}

#[tokio::test]
async fn anonymous_drafts_are_small_and_short_lived() {
    let hotel = TestHotel::open().await;
    let long = "x".repeat(60_000);
    for (form, fields) in [
        (
            "/form/send_code",
            vec![("email", long.as_str()), ("next", "/guest/folio")],
        ),
        (
            "/form/enter_password",
            vec![
                ("email", long.as_str()),
                ("password", "x"),
                ("next", &long[..3000]),
            ],
        ),
    ] {
        let browser = hotel.browser();
        let answer = browser.send(form, &fields).await;
        assert_eq!(answer.status, 303, "{form}");
        let record = kept(&hotel, &browser).await.unwrap();
        let size = serde_json::to_string(&record.data).unwrap().len();
        assert!(size < 4096, "{form} keeps {size} bytes");
        let lasts = record.expiry_date - tower_sessions::cookie::time::OffsetDateTime::now_utc();
        assert!(
            lasts <= tower_sessions::cookie::time::Duration::minutes(15),
            "{form} keeps it for {lasts}"
        );
        let page = browser.open(&path_of(answer.location())).await;
        assert!(
            page.text.contains("xxx") && page.text.len() < 60_000,
            "the form is shown again, cut"
        );
    }
    // Whoever signs in is kept in as long as ever.
    let beth = hotel.browser().guest(BETH).await;
    let lasts = kept(&hotel, &beth).await.unwrap().expiry_date
        - tower_sessions::cookie::time::OffsetDateTime::now_utc();
    assert!(
        lasts > tower_sessions::cookie::time::Duration::hours(11),
        "{lasts}"
    );
}

/// Programs that keep no cookies are counted by network, before anything is stored for them; a
/// browser that was here before never waits for them.
#[tokio::test]
async fn anonymous_requests_are_rate_limited_before_storage() {
    let hotel = TestHotel::open().await;
    let client = crate::fake_dispatcher::client();
    let post = async |from: &str| {
        let request = client
            .post(hotel.url("/form/enter_code"))
            .header("origin", &hotel.server.public_url);
        let request = request
            .header("x-forwarded-for", from)
            .header("cookie", "dewy_session=AAAAAAAAAAAAAAAAAAAAAA");
        request.form(&[("code", "1")]).send().await.unwrap()
    };
    let guest = hotel.browser_on("2001:db8:1:2::beef");
    guest.code_for(BETH).await.unwrap();
    let mut slowed = 0;
    for n in 0..330 {
        let answer = post(&format!("2001:db8:1:2::{n:x}")).await;
        if answer.status() == 429 {
            slowed += 1;
            assert!(answer.headers().contains_key("retry-after"), "{answer:?}");
        }
    }
    assert!(
        slowed > 0,
        "one IPv6 network counts as one, and gets one more each second"
    );
    assert_ne!(post("198.51.100.7").await.status(), 429, "others go on");
    let page = guest.enter("1").await;
    assert_ne!(page.status, 429, "the guest goes on beside them");
}
