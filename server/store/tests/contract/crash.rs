//! Processes and servers that die during a write.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use dewy_store::OpenError;
use dewy_test_kit::testing::PostgresServer;

use super::prelude::*;

every_sql_store!(acknowledged_writes_survive_a_kill);

/// The other process of the test below; does nothing on its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writer_process_that_is_killed() {
    let Ok(url) = std::env::var("DEWY_TEST_WRITE_TO") else {
        return;
    };
    let store = Store::open(&url, Arc::new(WallClock)).await.unwrap();
    store.lock_for_serving().await.unwrap();
    let tasks = (0..8_u64).map(|task| {
        let store = store.clone();
        tokio::spawn(async move {
            for n in 0.. {
                let id = id(1 + task * 1_000_000 + n);
                let new = new(id, "doomed");
                let (digest, hash) = (new.first.digest.clone(), new.audit.hash.clone());
                let BeginResult::New { lease, mark } = store.begin(new).await.unwrap() else {
                    panic!("not new")
                };
                println!("stored {id} 1");
                let mut run = Run {
                    lease,
                    mark,
                    seq: 1,
                    digest,
                    hash,
                    state: State::Queued,
                };
                run.append(&store, vec![read(), intended("pay")]).await;
                println!("stored {id} 3");
                run.append(&store, vec![done("pay"), intended("move")])
                    .await;
                println!("stored {id} 5");
                assert!(store.signal(id, &signal(), at()).await.unwrap());
                println!("stored {id} 6");
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
}

fn signal() -> Signal {
    Signal {
        key: "evt_1".to_owned(),
        action: SignalAction::Recheck,
        by: "webhook".to_owned(),
        why: "refund.failed".to_owned(),
    }
}

async fn acknowledged_writes_survive_a_kill(s: Subject) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "contract::crash::writer_process_that_is_killed",
            "--nocapture",
            "--test-threads=1",
        ])
        .env("DEWY_TEST_WRITE_TO", &s.url)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stored = Vec::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while stored.len() < 400 {
        let line = lines.next().expect("the writer ended by itself").unwrap();
        if let Some(words) = line.split("stored ").nth(1) {
            let (id, seq) = words.split_once(' ').unwrap();
            stored.push((id.parse().unwrap(), seq.parse::<i64>().unwrap()));
        }
    }
    if s.url.starts_with("sqlite") {
        assert!(
            matches!(
                s.store().lock_for_serving().await,
                Err(OpenError::Served(_))
            ),
            "two may not serve one file"
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Reopened, as after a restart.
    let store = Store::open(&s.url, Arc::new(WallClock)).await.unwrap();
    store.lock_for_serving().await.unwrap();
    for (id, seq) in &stored {
        let record = store
            .load(*id)
            .await
            .unwrap()
            .unwrap_or_else(|| panic!("{id} was acknowledged"));
        // 6 is the signal, not a row.
        assert!(
            record.rows.last().unwrap().seq >= (*seq).min(5),
            "{id} was acknowledged up to {seq}"
        );
        assert!(
            *seq < 6 || record.signals == [signal()],
            "{id}: the signal was acknowledged"
        );
    }
    assert_eq!(store.verify_all().await.unwrap().faults, []);
    let taken = store
        .take("heir", &DueFilter::any(10_000), LONG, at())
        .await
        .unwrap();
    if s.url.starts_with("sqlite") {
        // Leases are void: their holders are certainly gone.
        assert!(taken.len() >= 100 && taken.iter().all(|(l, _)| l.fence == 2));
    } else {
        // Another instance cannot know that, and waits for the leases to expire.
        assert_eq!(taken, []);
    }
}

/// S3: each worker repeats unanswered calls, and finally everything is stored once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_live_through_a_postgres_that_dies() {
    let server = PostgresServer::start().unwrap();
    let store = open(&server.create_database().await.unwrap()).await;
    let workers = (1..=12_u64).map(|n| {
        let store = store.clone();
        tokio::spawn(async move {
            let mut seen = (0, 0);
            for round in 0..60 {
                let new = new(id(n * 1000 + round), "w1");
                let (digest, hash) = (new.first.digest.clone(), new.audit.hash.clone());
                let begun = insist(&mut seen, || store.begin(new.clone())).await;
                let BeginResult::New { lease, mark } = begun else {
                    panic!("{begun:?}")
                };
                let mut run = Run {
                    lease,
                    mark,
                    seq: 1,
                    digest,
                    hash,
                    state: State::Queued,
                };
                for events in [vec![read(), intended("pay")], vec![done("pay")]] {
                    let (append, after) = run.plan(events);
                    assert_eq!(
                        insist(&mut seen, || store.append(&run.lease, append.clone())).await,
                        AppendResult::Ok
                    );
                    run = after;
                }
                let signal = signal();
                assert!(insist(&mut seen, || store.signal(run.lease.id, &signal, at())).await);
                let (mut append, _) = run.plan(vec![]);
                append.handled = vec![signal.key.clone()];
                assert_eq!(
                    insist(&mut seen, || store.append(&run.lease, append.clone())).await,
                    AppendResult::Ok
                );
                assert_eq!(insist(&mut seen, || store.signals(run.lease.id)).await, []);
            }
            seen
        })
    });
    let workers = workers.collect::<Vec<_>>();
    tokio::time::sleep(Duration::from_millis(150)).await;
    tokio::task::block_in_place(|| server.crash_and_restart()).unwrap();
    let mut seen = (0, 0);
    for worker in workers {
        let (lost, other) = worker.await.unwrap();
        seen = (seen.0 + lost, seen.1 + other);
    }
    assert!(
        seen.0 + seen.1 > 0,
        "the server died after everything was done"
    );
    let report = store.verify_all().await.unwrap();
    assert_eq!((report.executions, report.faults), (12 * 60, vec![]));
}

async fn insist<T, F: Future<Output = Result<T, StoreError>>>(
    seen: &mut (u32, u32),
    call: impl Fn() -> F,
) -> T {
    for _ in 0..400 {
        match call().await {
            Ok(answer) => return answer,
            Err(StoreError::Lost(_)) => seen.0 += 1,
            Err(StoreError::Busy(_) | StoreError::Failed(_)) => seen.1 += 1,
            Err(other) => panic!("{other}"),
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the server did not come back");
}
