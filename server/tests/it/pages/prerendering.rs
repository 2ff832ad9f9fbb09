//! Prerendered pages change nothing, and a page view writes the session at most once a minute.

use dewy_store::{CallFilter, StoredSession};
use tower_sessions::{SessionStore, session::Record};

use crate::prelude::*;

/// Everything that a view could have changed.
#[derive(Debug, PartialEq)]
struct Traces {
    calls_outside: usize,
    recorded: usize,
    session: Record,
    sessions: Vec<StoredSession>,
}

async fn session(hotel: &TestHotel, browser: &Browser) -> Record {
    let id = browser.cookie().unwrap().parse().unwrap();
    SessionStore::load(&hotel.server.store, &id)
        .await
        .unwrap()
        .unwrap()
}

async fn traces(hotel: &TestHotel, browser: &Browser, subject: &str) -> Traces {
    let store = &hotel.server.store;
    let all = CallFilter {
        limit: 1000,
        ..CallFilter::default()
    };
    Traces {
        calls_outside: hotel.sandbox().calls().len(),
        recorded: store.calls(&all).await.unwrap().len(),
        session: session(hotel, browser).await,
        sessions: store.sessions_of(subject).await.unwrap(),
    }
}

#[tokio::test]
async fn a_prerendered_page_changes_nothing_and_calls_nobody() {
    let hotel = TestHotel::open().await;
    let (beth, manager) = (
        hotel.browser().guest(BETH).await,
        hotel.browser().staff(MANAGER).await,
    );
    for (browser, subject, pages) in [
        (&beth, format!("guest:{BETH}"), &["/guest/account"][..]),
        (
            &manager,
            format!("staff:{MANAGER}"),
            &["/staff/account", "/staff/audit", "/staff/keys"],
        ),
    ] {
        // Sign-in has read the guest
        tokio::time::sleep(Duration::from_millis(500)).await;
        let before = traces(&hotel, browser, &subject).await;
        assert_eq!(before.sessions.len(), 1, "{subject}");
        for page in pages {
            let shown = browser.prerender(page).await;
            assert_eq!(shown.status, 200, "{page}: {}", shown.text);
            assert!(!shown.shows("$"), "money on {page}: {}", shown.text);
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        let after = traces(&hotel, browser, &subject).await;
        assert_eq!(after, before, "{pages:?}");
    }
}

#[tokio::test]
async fn pages_with_money_or_outside_calls_are_refused_until_opened() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest(BETH).await;
    let before = hotel.sandbox().calls().len();
    for page in [
        "/",
        "/guest",
        "/guest/folio",
        "/guest/bookings",
        "/guest/events",
        "/guest/sign-in",
        "/staff",
    ] {
        let page = beth.prerender(page).await;
        assert_eq!((page.status, page.text.as_str()), (503, ""));
    }
    assert_eq!(hotel.sandbox().calls().len(), before);
    // Whoever is not signed in is asked to, when they open it
    let stranger = hotel.browser();
    assert_eq!(stranger.prerender("/guest/account").await.status, 303);

    let page = beth.open("/guest").await;
    let policy = page.header("content-security-policy").to_owned();
    let nonce = policy.split("'nonce-").nth(1).unwrap();
    let nonce = nonce.split('\'').next().unwrap();
    let rules = page
        .text
        .split("<script")
        .find(|script| script.contains("speculationrules"));
    let rules = rules.expect("rules");
    assert!(rules.contains(nonce), "{nonce}: {rules}");
    assert!(
        rules.contains("/guest/account") && !rules.contains("/staff"),
        "{rules}"
    );
    let page = stranger.open("/guest/sign-in").await;
    page.lacks(&["speculationrules"]);
}

#[tokio::test]
async fn a_view_stores_the_session_once_a_minute() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest(BETH).await;
    beth.open("/guest").await;
    let first = session(&hotel, &beth).await;
    for page in ["/guest", "/guest/account", "/guest?live=1"] {
        let page = beth.open(page).await;
        assert_eq!((page.status, page.header("set-cookie")), (200, ""));
    }
    assert_eq!(session(&hotel, &beth).await, first);
}
