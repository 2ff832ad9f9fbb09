use dewy_test_kit::testing::seed_executions;

use super::prelude::*;

every_sql_store!(bulk_executions_verify);

/// Bulk executions are as valid as real ones: their journals verify, and lists find them.
async fn bulk_executions_verify(s: Subject) {
    let store = s.store();
    seed_executions(&s.url, 2_100, at()).await.unwrap();
    let report = store.verify_all().await.unwrap();
    assert_eq!((report.executions, report.faults), (2_100, Vec::new()));
    let counts = s.journal.counts().await.unwrap();
    assert_eq!(counts.iter().map(|(_, n)| n).sum::<u64>(), 2_100);
    assert_eq!(
        s.journal.open_counts().await.unwrap(),
        [(State::NeedsAttention, 2)]
    );
    let filter = ExecutionFilter {
        states: vec![State::Compensated],
        limit: 50,
        ..ExecutionFilter::default()
    };
    let undone = s.journal.list(&filter).await.unwrap();
    assert_eq!(undone.len(), 42);
    assert_eq!(
        s.journal
            .projections("compensation", None, 99)
            .await
            .unwrap()
            .len(),
        42
    );
    assert!(
        s.journal
            .take("w1", &DueFilter::any(9), Duration::from_secs(9), at())
            .await
            .unwrap()
            .is_empty(),
        "all rest"
    );
}
