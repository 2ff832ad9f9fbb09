use super::stores_under_test::Subject;

every_sql_store!(values_round_trip);

async fn values_round_trip(s: Subject) {
    let store = s.store();
    assert_eq!(store.get_setting("webhook").await.unwrap(), None);
    store.put_setting("webhook", "we_1").await.unwrap();
    store.put_setting("webhook", "we_2").await.unwrap();
    assert_eq!(
        store.get_setting("webhook").await.unwrap().as_deref(),
        Some("we_2")
    );
    assert_eq!(
        store
            .get_or_insert_setting("webhook", "we_3")
            .await
            .unwrap(),
        "we_2"
    );
    assert_eq!(
        store.get_or_insert_setting("key", "k1").await.unwrap(),
        "k1"
    );
    assert_eq!(
        store.get_or_insert_setting("key", "k2").await.unwrap(),
        "k1"
    );
    assert_eq!(store.get_json("sweep").await.unwrap(), None);
    for n in [1, 2] {
        let fact = serde_json::json!({ "found": n, "trouble": null });
        store.put_json("sweep", &fact).await.unwrap();
        assert_eq!(store.get_json("sweep").await.unwrap(), Some(fact.clone()));
        let names = ["sweep", "none"].map(str::to_owned);
        let facts = store.get_jsons(&names).await.unwrap();
        assert_eq!(facts, [("sweep".to_owned(), fact)].into());
    }
}
