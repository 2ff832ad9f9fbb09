use std::time::Duration;

use super::stores_under_test::{Subject, at};

every_sql_store!(rate_limit_hits_are_counted_once);

const MINUTE: Duration = Duration::from_secs(60);

async fn rate_limit_hits_are_counted_once(s: Subject) {
    let now = at();
    let hits = (0..50).map(|_| {
        let store = s.store().clone();
        tokio::spawn(async move {
            store
                .count_rate_limit_hit("sign-in:203.0.113.7", MINUTE, now)
                .await
                .unwrap()
        })
    });
    let mut counts = Vec::new();
    for hit in hits.collect::<Vec<_>>() {
        counts.push(hit.await.unwrap());
    }
    counts.sort_unstable();
    assert_eq!(counts, (1..=50).collect::<Vec<_>>());
    assert_eq!(
        s.store()
            .count_rate_limit_hit("sign-in:198.51.100.1", MINUTE, now)
            .await
            .unwrap(),
        1
    );
    assert_eq!(
        s.store()
            .count_rate_limit_hit("sign-in:203.0.113.7", MINUTE, now + Duration::from_secs(59))
            .await
            .unwrap(),
        51
    );
    assert_eq!(
        s.store()
            .count_rate_limit_hit("sign-in:203.0.113.7", MINUTE, now + MINUTE)
            .await
            .unwrap(),
        1
    );
}
