//! Two releases on one schema: the older release keeps running, and starts, on a schema one
//! migration newer. A schema from before the first release is refused.

use dewy_store::{OpenError, SchemaError};
use dewy_test_kit::testing::{PostgresServer, apply_later_migration};

use super::prelude::*;

every_sql_store!(
    the_previous_release_works_on_the_next_schema,
    a_schema_from_before_the_first_release_is_refused,
);

/// A rollback: the next release has expanded the schema, and this one replaces it again.
async fn the_previous_release_works_on_the_next_schema(s: Subject) {
    let before = s.run("w1").await;
    let expand = "alter table execution add column next_release bigint";
    let expand = if s.url.starts_with("sqlite") {
        expand.replace("bigint", "integer")
    } else {
        expand.to_owned()
    };
    apply_later_migration(&s.url, "next release", &expand).await;
    // A running process continues
    let mut run = s.run("w1").await;
    run.append(&*s.journal, vec![read()]).await;
    // A new process starts
    let older = Store::open_existing(&s.url, Arc::new(WallClock))
        .await
        .unwrap();
    assert_eq!(
        older.newer_migration().await.unwrap().as_deref(),
        Some("next release")
    );
    older.migrate().await.unwrap();
    assert!(older.migrated().await);
    older.hand_over(&before.lease, at()).await.unwrap();
    let (lease, record) = s.take("w2", 9).await.remove(0);
    assert_eq!(lease.id, before.lease.id);
    Run::resume(lease, &record)
        .append(&older, vec![read()])
        .await;
    assert!(older.verify_all().await.unwrap().faults.is_empty());

    apply_later_migration(&s.url, "one more", "create table one_more (id text)").await;
    for refused in [
        older.newer_migration().await.map(drop),
        older.migrate().await,
    ] {
        assert!(
            matches!(refused, Err(OpenError::Schema(SchemaError::Newer(2)))),
            "{refused:?}"
        );
    }
    older.renew(&run.lease, LONG, at()).await.unwrap();
}

/// Its first migration has another name, and no later one is ever applied to it.
async fn a_schema_from_before_the_first_release_is_refused(s: Subject) {
    s.tamper("update _sqlx_migrations set description = 'journal' where version = 1")
        .await;
    for name in ["accounts", "signals"] {
        apply_later_migration(&s.url, name, "select 1").await;
    }
    let older = Store::open_existing(&s.url, Arc::new(WallClock))
        .await
        .unwrap();
    for refused in [
        older.newer_migration().await.map(drop),
        older.migrate().await,
    ] {
        let Err(OpenError::Schema(error @ SchemaError::Unreleased(1, _))) = refused else {
            panic!("{refused:?}")
        };
        assert!(error.to_string().contains("use a new, empty database"));
    }
}

/// Five instances of a new release start at once on an empty database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_concurrent_starts_migrate_once() {
    let server = PostgresServer::start().unwrap();
    let url = server.create_database().await.unwrap();
    let starts = (0..5).map(|_| {
        let url = url.clone();
        tokio::spawn(async move {
            let store = Store::open(&url, Arc::new(WallClock)).await.unwrap();
            store.migrate().await.unwrap();
            store
        })
    });
    for start in starts.collect::<Vec<_>>() {
        let store = start.await.unwrap();
        assert_eq!(store.newer_migration().await.unwrap(), None);
        store.close().await;
    }
}
