use super::prelude::*;

every_sql_store!(rate_limit_hits_are_counted_once);

const MINUTE: Duration = Duration::from_secs(60);

async fn rate_limit_hits_are_counted_once(s: Subject) {
    let now = Timestamp::from_microsecond(at().as_microsecond()).unwrap();
    let hits = (0..50).map(|_| {
        let store = s.store().clone();
        tokio::spawn(async move {
            store
                .count_rate_limit_hit("sign-in:203.0.113.7", MINUTE, now)
                .await
                .unwrap()
                .hits
        })
    });
    let mut counts = Vec::new();
    for hit in hits.collect::<Vec<_>>() {
        counts.push(hit.await.unwrap());
    }
    counts.sort_unstable();
    assert_eq!(counts, (1..=50).collect::<Vec<_>>());
    let count = async |bucket: &'static str, after: u64| {
        let at = now + Duration::from_secs(after);
        let counted = s.store().count_rate_limit_hit(bucket, MINUTE, at).await;
        counted.unwrap()
    };
    assert_eq!(count("sign-in:198.51.100.1", 0).await.hits, 1);
    let last = count("sign-in:203.0.113.7", 59).await;
    assert_eq!((last.hits, last.until), (51, now + MINUTE));
    s.store()
        .take_back_rate_limit_hit("sign-in:203.0.113.7")
        .await
        .unwrap();
    assert_eq!(count("sign-in:203.0.113.7", 59).await.hits, 51);
    let next = count("sign-in:203.0.113.7", 60).await;
    assert_eq!((next.hits, next.until), (1, now + MINUTE * 2));
    let nobody = s.store().take_back_rate_limit_hit("nobody").await;
    assert_eq!(nobody, Ok(()));
}
