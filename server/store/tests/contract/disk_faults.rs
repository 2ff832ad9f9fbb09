//! W11: a full disk, and a read-only one.

use std::{path::Path, process::Command};

use dewy_store::{CallBatch, CallWriter, OpenError};
use tower_sessions::SessionStore;

use super::{prelude::*, serving_lock::serve};

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
