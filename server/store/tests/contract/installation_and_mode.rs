use dewy_domain::deployment_mode::DeploymentMode;

use super::stores_under_test::{Constant, Subject};

every_sql_store!(
    the_mode_only_rises,
    concurrent_creators_get_one_installation
);

async fn the_mode_only_rises(s: Subject) {
    let store = s.store();
    assert_eq!(store.highest_mode().await.unwrap(), None);
    for (asked, highest) in [
        (DeploymentMode::Demo, DeploymentMode::Demo),
        (DeploymentMode::Trial, DeploymentMode::Trial),
        (DeploymentMode::Demo, DeploymentMode::Trial),
        (DeploymentMode::Live, DeploymentMode::Live),
        (DeploymentMode::Trial, DeploymentMode::Live),
    ] {
        assert_eq!(store.raise_mode(asked).await.unwrap(), highest, "{asked}");
    }
    let (_, since) = store.highest_mode().await.unwrap().unwrap();
    store.raise_mode(DeploymentMode::Live).await.unwrap();
    assert_eq!(
        store.highest_mode().await.unwrap(),
        Some((DeploymentMode::Live, since)),
        "since it was first used so"
    );
    store
        .put_setting("mode", "of a later release")
        .await
        .unwrap();
    assert!(store.highest_mode().await.is_err());
    assert!(
        store.raise_mode(DeploymentMode::Live).await.is_err(),
        "and it is left alone"
    );
    assert_eq!(
        store.get_setting("mode").await.unwrap().as_deref(),
        Some("of a later release")
    );
}

async fn concurrent_creators_get_one_installation(s: Subject) {
    let store = s.store();
    assert_eq!(store.known_installation().await.unwrap(), None);
    let sources: Vec<Constant> = (1..=20).map(Constant).collect();
    let made =
        futures::future::join_all(sources.iter().map(|source| store.installation(source))).await;
    let first = *made[0].as_ref().unwrap();
    assert!(made.iter().all(|id| id.as_ref() == Ok(&first)), "{made:?}");
    assert_eq!(store.known_installation().await.unwrap(), Some(first));
    assert_eq!(store.installation(&Constant(99)).await.unwrap(), first);
    store.put_setting("installation", "no id").await.unwrap();
    assert!(store.installation(&Constant(99)).await.is_err());
}
