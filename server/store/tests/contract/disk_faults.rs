//! W11: a full disk, and files that are read-only, linked or copied.

use std::{path::Path, process::Command, sync::Arc};

use dewy_saga::{Journal, StoreError, journal::BeginResult};
use dewy_store::{CallBatch, CallWriter, OpenError, Store};
use tower_sessions::SessionStore;

use super::stores_under_test::{Constant, WallClock, at, id, new, open};

/// A small private disk, removed on drop; none if this process may not mount.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn of(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o"])
            .arg(format!("size={size}"))
            .arg("tmpfs")
            .arg(folder.path());
        let mounted = mount.output().is_ok_and(|done| done.status.success());
        if !mounted {
            println!("skipped: this process may not mount a file system");
        }
        mounted.then_some(Self(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn read_only(&self) -> bool {
        Command::new("mount")
            .args(["-o", "remount,ro"])
            .arg(self.path())
            .status()
            .is_ok_and(|s| s.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(self.path()).status());
    }
}

async fn try_open(path: &Path) -> Result<Store, OpenError> {
    let store = Store::open(&format!("sqlite://{}", path.display()), Arc::new(WallClock)).await?;
    store.migrate().await?;
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

async fn serve(path: &Path) -> Result<Store, OpenError> {
    let store = try_open(path).await?;
    store.lock_for_serving().await?;
    store.installation(&Constant(7)).await.unwrap();
    Ok(store)
}

/// Fills the remaining space of a disk.
fn fill(folder: &Path) {
    let mut filling = std::fs::File::create(folder.join("filling")).unwrap();
    let mut piece = 64 * 1024;
    while piece > 0 {
        if std::io::Write::write_all(&mut filling, &vec![1; piece]).is_err() {
            piece /= 2;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_stops_writing_until_there_is_room() {
    let Some(disk) = SmallDisk::of("4m") else {
        return;
    };
    let store = open(&format!(
        "sqlite://{}",
        disk.path().join("full.db").display()
    ))
    .await;
    let begin = async |n: u64| store.begin(new(id(n), "w1")).await;
    assert!(matches!(begin(1).await, Ok(BeginResult::New { .. })));
    for round in 0..3 {
        fill(disk.path());
        let mut n = 10 + 1000 * round;
        let error = loop {
            n += 1;
            match begin(n).await {
                Ok(_) => assert!(n % 1000 < 900, "the disk is not full"),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, StoreError::Full(_)), "{error:?}");
        let full = async |what: Result<(), StoreError>| {
            assert!(matches!(what, Err(StoreError::Full(_))), "{what:?}")
        };
        full(store.put_setting("a", &"x".repeat(9000)).await).await;
        let mut calls = CallWriter::new(store.clone(), format!("w_{round}"));
        let many = (0..50).map(|n| super::audit_calls::call(at(), n)).collect();
        calls.push(
            at(),
            CallBatch {
                calls: many,
                people: vec![],
            },
        );
        full(calls.write().await).await;
        let session = super::sessions::holding(7 + i128::from(round), &"x".repeat(9000));
        assert!(
            store
                .create(&mut session.clone())
                .await
                .is_err_and(|e| e.to_string().contains("full"))
        );
        // Stored data can be read.
        assert!(Journal::load(&store, id(1)).await.unwrap().is_some());
        std::fs::remove_file(disk.path().join("filling")).unwrap();
        assert!(
            matches!(begin(n).await, Ok(BeginResult::New { .. })),
            "it goes on by itself"
        );
        store.put_setting("a", "b").await.unwrap();
        calls.write().await.unwrap();
        store.create(&mut session.clone()).await.unwrap();
    }
    assert_eq!(store.verify_all().await.unwrap().faults, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_only_disk_is_reported_in_one_line() {
    let Some(disk) = SmallDisk::of("4m") else {
        return;
    };
    let path = disk.path().join("hotel.db");
    serve(&path).await.unwrap().close().await;
    assert!(disk.read_only());
    let error = serve(&path).await.unwrap_err();
    assert!(matches!(error, OpenError::ReadOnly(_)), "{error:?}");
    assert!(error.to_string().contains("cannot be written"), "{error}");
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
