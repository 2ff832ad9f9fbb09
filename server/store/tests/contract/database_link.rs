//! W10 and other failures of the link to Postgres.

use std::time::Instant;

use dewy_test_kit::testing::{FaultyLink, PostgresServer};

use super::prelude::*;

/// A store whose connections go over a link that can fail.
async fn over_a_link() -> (Store, FaultyLink) {
    let server = PostgresServer::shared().unwrap();
    let link = FaultyLink::to(server.address()).await.unwrap();
    let url = server.create_database().await.unwrap();
    let url = url.replace(
        &format!(":{}/", server.address().port()),
        &format!(":{}/", link.port()),
    );
    let store = Store::open(&url, Arc::new(WallClock)).await.unwrap();
    store.migrate().await.unwrap();
    (store, link)
}

async fn begin(store: &Store, n: u64) -> Result<Run, StoreError> {
    let new = new(id(n), "w1");
    let (digest, hash) = (new.first.digest.clone(), new.audit.hash.clone());
    match store.begin(new).await? {
        dewy_saga::journal::BeginResult::New { lease, mark } => Ok(Run {
            lease,
            mark,
            seq: 1,
            digest,
            hash,
            state: State::Queued,
        }),
        other => panic!("not new: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_link_costs_seconds_and_recovers() {
    let (store, link) = over_a_link().await;
    let run = begin(&store, 1).await.unwrap();
    store.list(&newest(5)).await.unwrap();
    link.black_hole(true);
    let began = Instant::now();
    let (append, _) = run.plan(vec![read()]);
    let written = store.append(&run.lease, append.clone()).await;
    assert!(
        matches!(written, Err(StoreError::Lost(_))),
        "{written:?}: it may have been committed"
    );
    let listed = store.list(&newest(5)).await;
    assert!(matches!(listed, Err(StoreError::Busy(_))), "{listed:?}");
    assert!(
        began.elapsed() < Duration::from_secs(25),
        "{:?}",
        began.elapsed()
    );
    // Many concurrent calls wait no longer than one.
    let began = Instant::now();
    let all = futures::future::join_all((0..40).map(|_| store.claim_mark())).await;
    assert!(all.iter().all(Result::is_err));
    assert!(
        began.elapsed() < Duration::from_secs(25),
        "{:?}",
        began.elapsed()
    );
    link.black_hole(false);
    let began = Instant::now();
    assert_eq!(
        store.append(&run.lease, append).await,
        Ok(dewy_saga::journal::AppendResult::Ok)
    );
    begin(&store, 2).await.unwrap();
    assert_eq!(store.list(&newest(5)).await.unwrap().len(), 2);
    assert!(
        began.elapsed() < Duration::from_secs(6),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(store.verify_all().await.unwrap().faults, []);
}

/// A connection with an abandoned call is never reused: it would answer the earlier query.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_response_is_never_given_to_another_call() {
    let (store, link) = over_a_link().await;
    store.get_or_insert_setting("a", "of a").await.unwrap();
    let made = link.made();
    link.black_hole(true);
    assert!(store.put_setting("b", "of b").await.is_err());
    link.black_hole(false);
    assert_eq!(
        store.get_setting("a").await.unwrap().as_deref(),
        Some("of a")
    );
    assert!(link.made() > made, "by a new connection");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_call_leaves_no_half_used_connection() {
    let (store, link) = over_a_link().await;
    store.get_or_insert_setting("a", "of a").await.unwrap();
    let made = link.made();
    link.black_hole(true);
    let given_up = tokio::time::timeout(Duration::from_millis(50), store.get_setting("a")).await;
    assert!(given_up.is_err());
    link.black_hole(false);
    store.put_setting("b", "1").await.unwrap();
    assert_eq!(store.get_setting("b").await.unwrap().as_deref(), Some("1"));
    assert!(link.made() > made, "by a new connection");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_work_behind_a_session_pooler() {
    let server = PostgresServer::shared().unwrap();
    let link = FaultyLink::to(server.address()).await.unwrap();
    link.pooler();
    let url = server.create_database().await.unwrap();
    let url = url.replace(
        &format!(":{}/", server.address().port()),
        &format!(":{}/", link.port()),
    );
    let store = Store::open(&url, Arc::new(WallClock)).await.unwrap();
    store.migrate().await.unwrap();
    let run = begin(&store, 1).await.unwrap();
    // Notifications too.
    let work_signal = store.wait_for_work(Duration::from_secs(20));
    let ring = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        store.hand_over(&run.lease, at()).await.unwrap();
    };
    let began = Instant::now();
    tokio::join!(work_signal, ring);
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn startup_waits_for_a_short_outage() {
    let server = PostgresServer::shared().unwrap();
    let link = FaultyLink::to(server.address()).await.unwrap();
    let url = server.create_database().await.unwrap();
    let url = url.replace(
        &format!(":{}/", server.address().port()),
        &format!(":{}/", link.port()),
    );
    link.black_hole(true);
    let open = Store::open(&url, Arc::new(WallClock));
    let heal = async {
        tokio::time::sleep(Duration::from_secs(7)).await;
        link.black_hole(false);
    };
    let (opened, ()) = tokio::join!(open, heal);
    opened.unwrap();
    // A command does not wait.
    drop(link);
    let began = Instant::now();
    assert!(
        Store::open_existing(&url, Arc::new(WallClock))
            .await
            .is_err()
    );
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_use_tls() {
    let server = PostgresServer::start().unwrap();
    let url = server.create_database().await.unwrap();
    let open = async |url: &str| Store::open(url, Arc::new(WallClock)).await;
    assert!(
        open(&format!("{url}?sslmode=require")).await.is_err(),
        "the server speaks no TLS yet"
    );
    let authority = server.enable_tls().await.unwrap();
    // The reload takes a moment.
    let mut open_by = Err(());
    for _ in 0..50 {
        match open(&format!("{url}?sslmode=require")).await {
            Ok(store) => {
                open_by = Ok(store);
                break;
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    let store = open_by.expect("sslmode=require");
    store.migrate().await.unwrap();
    assert!(store.migrated().await);
    let authority = authority.display();
    let by_name = url.replace("127.0.0.1", "localhost");
    open(&format!(
        "{by_name}?sslmode=verify-full&sslrootcert={authority}"
    ))
    .await
    .expect("verify-full");
    let unknown = open(&format!("{by_name}?sslmode=verify-full")).await;
    assert!(unknown.is_err(), "nobody vouches for the certificate");
    let other = open(&format!(
        "{url}?sslmode=verify-full&sslrootcert={authority}"
    ))
    .await;
    assert!(other.is_err(), "the certificate is for another name");
}
