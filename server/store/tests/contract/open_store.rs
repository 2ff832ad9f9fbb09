//! Opening a store: locks, clocks, and URLs.

use dewy_domain::ports::Clock;

use super::prelude::*;

#[tokio::test]
async fn one_file_is_served_once() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/a.db", folder.path().display());
    let (first, second) = (
        open(&url).await,
        Store::open(&url, Arc::new(WallClock)).await.unwrap(),
    );
    first.lock_for_serving().await.unwrap();
    first.lock_for_serving().await.unwrap();
    let Err(error) = second.lock_for_serving().await else {
        panic!("served twice")
    };
    assert!(
        error.to_string().contains("a.db is being served"),
        "{error}"
    );
    // Named leases also record that something was spent: the next server must not forget them.
    assert!(
        first
            .acquire_named_lease("spent:1", "a", LONG, at())
            .await
            .unwrap()
    );
    drop(first);
    second.lock_for_serving().await.unwrap();
    assert!(
        !second
            .acquire_named_lease("spent:1", "b", LONG, at())
            .await
            .unwrap(),
        "it is spent, whoever serves the file"
    );
}

/// A clock that is wrong by this many seconds.
#[derive(Debug)]
struct Ahead(i64);

#[async_trait::async_trait]
impl Clock for Ahead {
    fn now(&self) -> Timestamp {
        Timestamp::now() + jiff::SignedDuration::from_secs(self.0)
    }

    async fn sleep(&self, pause: Duration) {
        tokio::time::sleep(pause).await;
    }
}

/// A short wait stays short, even if the clock was set back; so does the pause of the orphan check.
#[tokio::test]
async fn a_clock_set_back_stalls_nothing_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/a.db", folder.path().display());
    let fast = Store::open(&url, Arc::new(Ahead(300))).await.unwrap();
    fast.migrate().await.unwrap();
    fast.lock_for_serving().await.unwrap();
    let Ok(BeginResult::New { lease, .. }) = fast.begin(new(id(1), "w1")).await else {
        panic!("not begun")
    };
    let record = fast.load(id(1)).await.unwrap().unwrap();
    let (now, mut run) = (Ahead(300).now(), Run::resume(lease, &record));
    run.append_with(&fast, vec![read()], |a| {
        (a.at, a.lease, a.wake_at) = (
            now,
            LeaseChange::Release,
            Some(now + Duration::from_millis(400)),
        );
    })
    .await;
    assert!(
        fast.acquire_named_lease(dewy_store::ORPHAN_CHECK_LEASE, "a", LONG, now)
            .await
            .unwrap()
    );
    fast.close().await;
    drop(fast);
    let right = Store::open(&url, Arc::new(Ahead(0))).await.unwrap();
    right.lock_for_serving().await.unwrap();
    assert!(
        right
            .take("w2", &DueFilter::any(9), LONG, at())
            .await
            .unwrap()
            .is_empty(),
        "it is not due yet"
    );
    tokio::time::sleep(Duration::from_millis(450)).await;
    assert_eq!(
        right
            .take("w2", &DueFilter::any(9), LONG, at())
            .await
            .unwrap()
            .len(),
        1
    );
    assert!(
        right
            .acquire_named_lease(dewy_store::ORPHAN_CHECK_LEASE, "b", LONG, Ahead(0).now())
            .await
            .unwrap(),
        "nobody else sweeps"
    );
}

#[tokio::test]
async fn an_url_of_another_kind_is_refused() {
    let error = Store::open("mysql://root:secret@localhost/x", Arc::new(WallClock))
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("mysql") && !error.to_string().contains("secret"),
        "{error}"
    );
}

#[tokio::test]
async fn an_in_memory_database_opens() {
    let store = open("sqlite::memory:").await;
    store.lock_for_serving().await.unwrap();
    assert!(matches!(
        store.begin(new(id(1), "w1")).await,
        Ok(BeginResult::New { .. })
    ));
    assert!(store.load(id(1)).await.unwrap().is_some());
}
