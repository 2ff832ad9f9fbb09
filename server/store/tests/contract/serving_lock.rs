//! One process serves a file, whatever the file is called.

use std::{path::Path, sync::Arc};

use dewy_store::{OpenError, Store};

use super::stores_under_test::{Constant, WallClock};

pub async fn try_open(path: &Path) -> Result<Store, OpenError> {
    let store = Store::open(&format!("sqlite://{}", path.display()), Arc::new(WallClock)).await?;
    store.migrate().await?;
    Ok(store)
}

pub async fn serve(path: &Path) -> Result<Store, OpenError> {
    let store = try_open(path).await?;
    store.lock_for_serving().await?;
    store.installation(&Constant(7)).await.unwrap();
    Ok(store)
}

/// Several processes find an empty file at the same moment: one makes the tables, all can go on.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn several_migrate_an_empty_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dewy.db");
    let starts = (0..8).map(|_| {
        let path = path.clone();
        tokio::spawn(async move { try_open(&path).await })
    });
    for start in starts.collect::<Vec<_>>() {
        let store = start.await.unwrap().unwrap();
        assert!(store.migrated().await);
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_file_is_served_once_whatever_its_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hotel.db");
    let serving = serve(&path).await.unwrap();
    let symbolic = folder.path().join("link.db");
    std::os::unix::fs::symlink(&path, &symbolic).unwrap();
    let error = serve(&symbolic).await.unwrap_err();
    assert!(matches!(error, OpenError::Served(_)), "{error:?}");
    let hard = folder.path().join("hard.db");
    std::fs::hard_link(&path, &hard).unwrap();
    let error = serve(&hard).await.unwrap_err();
    assert!(matches!(error, OpenError::Linked(_, 2)), "{error:?}");
    serving.close().await;
    drop(serving);
    let error = serve(&path).await.unwrap_err();
    assert!(
        matches!(error, OpenError::Linked(_, 2)),
        "by either name: {error:?}"
    );
    std::fs::remove_file(&hard).unwrap();
    serve(&path).await.unwrap();
}

/// A process keeps writing to the file it opened, even after a rename.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moved_file_never_has_two_writers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hotel.db");
    let serving = serve(&path).await.unwrap();
    let moved = folder.path().join("moved.db");
    std::fs::rename(&path, &moved).unwrap();
    for error in [
        try_open(&moved).await.unwrap_err(),
        serve(&moved).await.unwrap_err(),
    ] {
        assert!(matches!(error, OpenError::Served(_)), "{error:?}");
    }
    std::fs::rename(&moved, &path).unwrap();
    try_open(&path).await.unwrap().close().await;
    std::fs::remove_file(folder.path().join("hotel.db.lock")).unwrap();
    let error = serve(&path).await.unwrap_err();
    assert!(matches!(error, OpenError::Served(_)), "{error:?}");
    serving.close().await;
    drop(serving);
    serve(&path).await.unwrap();
}

/// A folder has a second name as well.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_file_is_served_once_whatever_its_folder_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let (own, linked) = (folder.path().join("own"), folder.path().join("linked"));
    std::fs::create_dir(&own).unwrap();
    std::os::unix::fs::symlink(&own, &linked).unwrap();
    let serving = serve(&own.join("hotel.db")).await.unwrap();
    for path in [linked.join("hotel.db"), own.join("../linked/./hotel.db")] {
        try_open(&path).await.unwrap().close().await;
        let error = serve(&path).await.unwrap_err();
        assert!(matches!(error, OpenError::Served(_)), "{error:?}");
    }
    serving.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_is_not_served_with_its_original() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (
        folder.path().join("hotel.db"),
        folder.path().join("copy.db"),
    );
    let store = serve(&path).await.unwrap();
    store.close().await;
    drop(store);
    // Once more, so that the file stores where it was served with its installation.
    let store = serve(&path).await.unwrap();
    store.close().await;
    drop(store);
    std::fs::copy(&path, &copy).unwrap();
    let error = serve(&copy).await.unwrap_err();
    assert!(matches!(error, OpenError::Copied { .. }), "{error:?}");
    assert!(
        error.to_string().contains("hotel.db, which is still there"),
        "{error}"
    );
    // Moved, not copied.
    std::fs::rename(&path, folder.path().join("old.db")).unwrap();
    serve(&copy).await.unwrap();
}

/// Releases before this one left their files readable for everybody.
#[tokio::test]
async fn a_served_store_is_readable_by_its_owner_alone() {
    use std::{fs, os::unix::fs::PermissionsExt};
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let store = try_open(&data.join("dewy.db")).await.unwrap();
    assert_eq!(mode(&data), 0o700);
    let names = ["dewy.db", "dewy.db-wal", "dewy.db-shm"];
    for name in names {
        assert_eq!(mode(&data.join(name)), 0o600, "{name}");
        fs::set_permissions(data.join(name), fs::Permissions::from_mode(0o644)).unwrap();
    }
    store.lock_for_serving().await.unwrap();
    for name in names.into_iter().chain(["dewy.db.lock"]) {
        assert_eq!(mode(&data.join(name)), 0o600, "{name}");
    }
    store.close().await;
}
