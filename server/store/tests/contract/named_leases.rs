use super::prelude::*;

every_sql_store!(one_worker_holds_a_named_lease);

const MINUTE: Duration = Duration::from_secs(60);

async fn one_worker_holds_a_named_lease(s: Subject) {
    let store = s.store();
    let hold = async |name: &str, worker: &str, lasts| {
        store
            .acquire_named_lease(name, worker, lasts, at())
            .await
            .unwrap()
    };
    assert!(hold("sweep", "a", MINUTE).await);
    assert!(!hold("sweep", "b", MINUTE).await);
    assert!(
        hold("other", "b", MINUTE).await,
        "another name is another lease"
    );
    assert!(hold("sweep", "a", SHORT).await, "its holder may renew it");
    assert!(!hold("sweep", "b", MINUTE).await);
    tokio::time::sleep(SHORT * 2).await;
    assert!(hold("sweep", "b", MINUTE).await, "it lapsed");
    assert!(!hold("sweep", "a", MINUTE).await);
    store.release_named_lease("sweep", "a").await.unwrap();
    assert!(
        !hold("sweep", "a", MINUTE).await,
        "only its holder can give it back"
    );
    store.release_named_lease("sweep", "b").await.unwrap();
    // However many are concurrent, over connections of two instances.
    let second = dewy_store::Store::open(
        &s.url,
        std::sync::Arc::new(super::stores_under_test::WallClock),
    )
    .await
    .unwrap();
    let asks = (0..20).map(|n| {
        let store = if n % 2 == 0 {
            store.clone()
        } else {
            second.clone()
        };
        tokio::spawn(async move {
            store
                .acquire_named_lease("sweep", &format!("w{n}"), MINUTE, at())
                .await
                .unwrap()
        })
    });
    let mut taken = 0;
    for ask in asks.collect::<Vec<_>>() {
        taken += u32::from(ask.await.unwrap());
    }
    assert_eq!(taken, 1);
}
