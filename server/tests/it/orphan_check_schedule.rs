//! Schedule of the orphan check: when it runs, and in which process.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use dewy_domain::orphan_check_view::OrphanCheckView;
use dewy_server::startup::orphan_check_schedule::{
    OrphanCheckRunner, OrphanCheckSchedule, request_run,
};
use dewy_store::Store;
use dewy_test_kit::testing::PostgresServer;
use jiff::{SignedDuration, Timestamp};
use tokio_util::sync::CancellationToken;

use crate::prelude::*;

/// Counts its sweeps, and how many ran at once.
#[derive(Debug, Default)]
struct CountingCheck {
    begun: AtomicUsize,
    done: AtomicUsize,
    sweeping: AtomicUsize,
    most: AtomicUsize,
    takes: Duration,
}

#[async_trait]
impl OrphanCheckRunner for CountingCheck {
    async fn run_orphan_check(&self) -> OrphanCheckView {
        self.begun.fetch_add(1, Ordering::SeqCst);
        self.most.fetch_max(
            self.sweeping.fetch_add(1, Ordering::SeqCst) + 1,
            Ordering::SeqCst,
        );
        tokio::time::sleep(self.takes).await;
        self.sweeping.fetch_sub(1, Ordering::SeqCst);
        let found = u32::try_from(self.done.fetch_add(1, Ordering::SeqCst) + 1).unwrap();
        OrphanCheckView {
            last_run_at: Some(now()),
            looked_at: 9,
            found,
            ..OrphanCheckView::default()
        }
    }
}

fn counting_check(takes: Duration) -> Arc<CountingCheck> {
    Arc::new(CountingCheck {
        takes,
        ..CountingCheck::default()
    })
}

fn schedule(broom: &Arc<CountingCheck>, store: &Store, interval: Duration) -> OrphanCheckSchedule {
    sweeper_by(Arc::new(RealClock), broom, store, interval)
}

fn sweeper_by(
    clock: Arc<dyn Clock>,
    broom: &Arc<CountingCheck>,
    store: &Store,
    interval: Duration,
) -> OrphanCheckSchedule {
    OrphanCheckSchedule::new(
        Arc::clone(broom) as _,
        store.clone(),
        clock,
        &OsEntropy,
        interval,
    )
}

async fn stores() -> Vec<(Store, Store, Option<tempfile::TempDir>)> {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("sqlite://{}", folder.path().join("s.db").display());
    let server = PostgresServer::shared()
        .unwrap()
        .create_database()
        .await
        .unwrap();
    let mut stores = Vec::new();
    for (url, folder) in [(file, Some(folder)), (server, None)] {
        let one = Store::open(&url, Arc::new(RealClock)).await.unwrap();
        one.migrate().await.unwrap();
        stores.push((
            one,
            Store::open(&url, Arc::new(RealClock)).await.unwrap(),
            folder,
        ));
    }
    stores
}

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn one_process_checks_and_the_next_check_is_on_time() {
    for (one, two, _folder) in stores().await {
        let broom = counting_check(SECOND / 4);
        let stop = CancellationToken::new();
        let tasks: Vec<_> = [&one, &two, &one, &two]
            .map(|store| {
                tokio::spawn(schedule(&broom, store, 3 * SECOND / 2).run_loop(stop.clone()))
            })
            .into_iter()
            .collect();
        tokio::time::sleep(9 * SECOND / 2).await;
        stop.cancel();
        for task in tasks {
            tokio::time::timeout(SECOND, task)
                .await
                .expect("it stops")
                .unwrap();
        }
        // Four processes in three intervals: not four times as many.
        let done = broom.done.load(Ordering::SeqCst);
        assert!((1..=3).contains(&done), "{done} sweeps");
        assert_eq!(broom.most.load(Ordering::SeqCst), 1, "never two at once");
    }
}

/// A machine whose clock is wrong by so many seconds.
#[derive(Debug)]
struct Wrong(i64);

#[async_trait]
impl Clock for Wrong {
    fn now(&self) -> Timestamp {
        now() + SignedDuration::from_secs(self.0)
    }

    fn uptime(&self) -> Duration {
        RealClock.uptime()
    }

    async fn sleep(&self, pause: Duration) {
        tokio::time::sleep(pause).await;
    }
}

/// With skewed clocks, the interval between orphan checks still follows the store's clock.
#[tokio::test]
async fn clock_skew_causes_no_extra_checks() {
    let url = PostgresServer::shared()
        .unwrap()
        .create_database()
        .await
        .unwrap();
    let store = Store::open(&url, Arc::new(RealClock)).await.unwrap();
    store.migrate().await.unwrap();
    let broom = counting_check(SECOND / 10);
    let stop = CancellationToken::new();
    let tasks: Vec<_> = [300, 0, -300]
        .map(|seconds| sweeper_by(Arc::new(Wrong(seconds)), &broom, &store, 2 * SECOND))
        .map(|sweeper| tokio::spawn(sweeper.run_loop(stop.clone())))
        .into_iter()
        .collect();
    tokio::time::sleep(7 * SECOND).await;
    stop.cancel();
    for task in tasks {
        task.await.unwrap();
    }
    // Three instances in 7 seconds: one sweep at 2, and one each 2 after that.
    let done = broom.done.load(Ordering::SeqCst);
    assert!((2..=3).contains(&done), "{done} sweeps");
}

#[tokio::test]
async fn another_process_takes_over_a_check_at_shutdown() {
    for (one, two, _folder) in stores().await {
        let (slow, quick) = (counting_check(60 * SECOND), counting_check(Duration::ZERO));
        let stop = CancellationToken::new();
        let keeping = tokio::spawn(schedule(&slow, &one, SECOND).run_loop(stop.clone()));
        while slow.begun.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(SECOND / 20).await;
        }
        let next = schedule(&quick, &two, SECOND);
        assert_eq!(next.run().await.unwrap(), None, "somebody sweeps");
        stop.cancel();
        tokio::time::timeout(2 * SECOND, keeping)
            .await
            .expect("it stops at once")
            .unwrap();
        assert!(
            next.run().await.unwrap().is_some(),
            "its lease was given back"
        );
    }
}

#[tokio::test]
async fn a_requested_check_runs_once() {
    for (one, two, _folder) in stores().await {
        let broom = counting_check(SECOND / 5);
        let stop = CancellationToken::new();
        let tasks = [&one, &two].map(|store| {
            tokio::spawn(schedule(&broom, store, 600 * SECOND).run_loop(stop.clone()))
        });
        let requests =
            [&one, &two, &two].map(|store| request_run(store, &RealClock, &OsEntropy, 30 * SECOND));
        let mut found: Vec<u32> = Vec::new();
        for granted in futures::future::join_all(requests).await {
            found.push(granted.unwrap().expect("it was granted").found);
        }
        found.sort_unstable();
        assert_eq!(found, [1, 2, 3], "each wish has its own sweep");
        tokio::time::sleep(3 * SECOND / 2).await;
        assert_eq!(broom.done.load(Ordering::SeqCst), 3, "and no more");
        stop.cancel();
        futures::future::join_all(tasks).await;
        let lonely = request_run(&one, &RealClock, &OsEntropy, SECOND)
            .await
            .unwrap();
        assert_eq!(lonely, None, "nobody serves any more");
    }
}

fn run_orphan_check(environment: &[(String, String)]) -> std::process::Output {
    dewy(environment.to_vec(), &["sweep"]).output().unwrap()
}

/// A payment of an unknown execution is found and refunded, whether or not the server is running.
#[tokio::test(flavor = "multi_thread")]
async fn the_command_checks_with_and_without_a_running_server() {
    let hotel = TestHotel::with(&[("SWEEP_GRACE_SECONDS", "1")]).await;
    let mut environment = hotel.environment();
    environment.push(("SWEEP_GRACE_SECONDS".to_owned(), "1".to_owned()));
    environment.push(("SANDBOX_ADDR".to_owned(), "127.0.0.1:0".to_owned()));
    let swept = tokio::task::spawn_blocking({
        let environment = environment.clone();
        move || run_orphan_check(&environment)
    });
    let swept = swept.await.unwrap();
    let words = String::from_utf8_lossy(&swept.stdout).into_owned();
    assert!(
        swept.status.success() && words.contains("0 of ours were orphaned"),
        "{swept:?}"
    );
    assert!(
        words.contains("installation's first run, which only reports"),
        "{words}"
    );
    // The orphan: charged under an execution that no journal knows.
    let installation = hotel
        .server
        .store
        .known_installation()
        .await
        .unwrap()
        .unwrap()
        .to_string();
    let sandbox = hotel.server.sandbox_url.clone().unwrap();
    let orphan = [
        ("amount", "4200"),
        ("currency", "usd"),
        ("confirm", "true"),
        ("payment_method", "pm_card_visa"),
        ("allowed_payment_method_types[0]", "card"),
        ("metadata[installation_id]", installation.as_str()),
        (
            "metadata[execution_id]",
            "exe_00000000000070008000000000000000",
        ),
        ("metadata[booking_number]", "BK-0042"),
    ];
    let made = crate::fake_dispatcher::client()
        .post(format!("{sandbox}/v1/payment_intents"))
        .bearer_auth("sk_test_sandbox");
    let made: Value = made
        .header("idempotency-key", "orphan")
        .form(&orphan)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(made["status"], "succeeded", "{made}");
    let refunds = |state: Value| state["stripe"]["refunds"].as_array().map_or(0, Vec::len);
    assert_eq!(refunds(hotel.state()), 0);
    tokio::time::sleep(2 * SECOND).await;
    let folder = hotel.close_and_keep().await;
    let swept = tokio::task::spawn_blocking({
        let environment = environment.clone();
        move || run_orphan_check(&environment)
    });
    let swept = swept.await.unwrap();
    let words = String::from_utf8_lossy(&swept.stdout).into_owned();
    assert!(
        swept.status.success()
            && words.contains("1 of ours were orphaned")
            && words.contains("1 compensations"),
        "{swept:?}"
    );
    let hotel = TestHotel::reopen(folder, &[]).await;
    assert_eq!(refunds(hotel.state()), 1);
    let again = tokio::task::spawn_blocking(move || run_orphan_check(&environment))
        .await
        .unwrap();
    assert!(
        String::from_utf8_lossy(&again.stdout).contains("0 compensations"),
        "nothing is done twice: {again:?}"
    );
    assert_eq!(refunds(hotel.state()), 1);
    let kept = hotel
        .server
        .store
        .get_json("sweep_last")
        .await
        .unwrap()
        .unwrap();
    assert!(
        kept.as_str().unwrap().parse::<jiff::Timestamp>().unwrap() <= RealClock.now(),
        "{kept}"
    );
}
