//! Tests that need internal access: a full disk.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::ports::Clock;
use dewy_saga::{Event, ExecutionId, Row, State, StoreError, hash_chain, journal::NewExecution};
use jiff::Timestamp;
use uuid::Uuid;

use super::{BeginOutcome, Sqlite};

#[derive(Debug)]
struct FixedClock;

#[async_trait]
impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }

    async fn sleep(&self, _pause: std::time::Duration) {}
}

fn new(n: u128, input: &str) -> NewExecution {
    let (id, at) = (ExecutionId(Uuid::from_u128(n)), Timestamp::UNIX_EPOCH);
    let event = Event::Queued {
        saga: "check_out".to_owned(),
        version: 1,
    };
    let first = Row {
        seq: 1,
        at,
        by: "w1".to_owned(),
        fence: 1,
        digest: hash_chain::digest(id, "", 1, at, &event),
        event,
    };
    let audit = hash_chain::audit(id, "", &first, "guest", None, State::Queued);
    NewExecution {
        id,
        saga: "check_out".to_owned(),
        version: 1,
        caller: "guest".to_owned(),
        interface: "form".to_owned(),
        token: None,
        input_digest: "d".to_owned(),
        input: input.into(),
        labels: vec![],
        first,
        audit,
        worker: "w1".to_owned(),
        lease: std::time::Duration::from_secs(60),
        at,
    }
}

/// S4: nothing of a failed write remains, and writes succeed again once there is space.
#[tokio::test]
async fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/full.db", folder.path().display());
    let sqlite = Sqlite::open(&url, Arc::new(FixedClock), true)
        .await
        .unwrap();
    sqlite.migrate().await.unwrap();
    let pages: i64 = sqlx::query_scalar("pragma page_count")
        .fetch_one(&mut *sqlite.writer.acquire().await.unwrap())
        .await
        .unwrap();
    let limit = |pages: i64| {
        sqlx::query(sqlx::AssertSqlSafe(format!(
            "pragma max_page_count = {pages}"
        )))
    };
    let mut writer = sqlite.writer.acquire().await.unwrap();
    limit(pages + 20).execute(&mut *writer).await.unwrap();
    drop(writer);
    let input = "x".repeat(8_000);
    let mut stored = 0;
    let error = loop {
        match sqlite.begin(new(stored + 1, &input)).await {
            Ok(BeginOutcome::New { .. }) => stored += 1,
            Ok(other) => panic!("{other:?}"),
            Err(error) => break error,
        }
        assert!(stored < 1000, "the limit does nothing");
    };
    assert!(matches!(&error, StoreError::Full(_)), "{error}");
    for table in ["execution", "journal", "audit", "execution_input"] {
        let sql = sqlx::AssertSqlSafe(format!("select count(*) from {table}"));
        let count: i64 = sqlx::query_scalar(sql)
            .fetch_one(&mut *sqlite.reader().acquire().await.unwrap())
            .await
            .unwrap();
        assert_eq!(u128::try_from(count).unwrap(), stored, "{table}");
    }
    // The failed connection is gone, and its limit with it.
    assert!(matches!(
        sqlite.begin(new(stored + 1, &input)).await,
        Ok(BeginOutcome::New { .. })
    ));
}
