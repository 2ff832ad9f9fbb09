//! One serving process for each database file.

use std::{
    fs::{File, TryLockError},
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use crate::{
    error::OpenError,
    private_file::{make_private, private},
};

/// `<database>.lock` beside the real file, and the file itself, which may be moved while it is
/// served. The operating system unlocks both when the process dies.
#[derive(Debug)]
pub(crate) struct ServingLock {
    file: Option<PathBuf>,
    held: Mutex<Option<Locks>>,
}

/// How often a taken file is tried again, and the pause before it.
const RETRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(20);

/// Suffix of the lock file.
const LOCK: &str = ".lock";

/// Locked until they are closed.
type Locks = [Option<File>; 2];

impl ServingLock {
    /// Not taken yet. An in-memory database has no file to lock.
    pub(crate) const fn of(file: Option<PathBuf>) -> Self {
        Self {
            file,
            held: Mutex::new(None),
        }
    }

    /// Database file of the lock.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// True if it was taken now, false if this store already holds it. Opening the file also locks
    /// it briefly, to check whether it is served.
    pub(crate) async fn take(&self) -> Result<bool, OpenError> {
        for _ in 0..RETRIES {
            match self.take_now() {
                Err(OpenError::Served(_)) => tokio::time::sleep(PAUSE).await,
                taken => return taken,
            }
        }
        self.take_now()
    }

    fn take_now(&self) -> Result<bool, OpenError> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.is_some() {
            return Ok(false);
        }
        let Some(database) = &self.file else {
            return Ok(true);
        };
        let path = lock_path(database);
        let failed = |source: std::io::Error| match source.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                OpenError::ReadOnly(database.display().to_string())
            }
            _ => OpenError::File {
                path: path.display().to_string(),
                source,
            },
        };
        let mut options = File::options();
        options.create(true).truncate(false).write(true);
        private(&mut options);
        let file = options.open(&path).map_err(failed)?;
        let locked = |file: &File| match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => Err(OpenError::Served(database.display().to_string())),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        };
        locked(&file)?;
        let itself = itself(database).map_err(failed)?;
        itself.as_ref().map_or(Ok(()), locked)?;
        for suffix in ["", "-wal", "-shm", LOCK] {
            make_private(&beside(database, suffix));
        }
        *held = Some([Some(file), itself]);
        Ok(true)
    }
}

fn lock_path(database: &Path) -> PathBuf {
    beside(database, LOCK)
}

fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Opens the database to lock it as a whole. Elsewhere such a lock would keep SQLite itself out, and
/// a file in use can't be moved.
fn itself(database: &Path) -> std::io::Result<Option<File>> {
    cfg!(unix).then(|| File::open(database)).transpose()
}

/// Refuses a file that is served under another name: the two names would have a log each. Called
/// before SQLite opens it, because closing a file ends SQLite's own locks on it.
pub(super) fn refuse_if_served_elsewhere(database: &Path) -> Result<(), OpenError> {
    let taken = |file: Option<File>| {
        file.is_some_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    };
    // Under the served name, other processes may use it alongside the serving one.
    let same_name = || taken(File::open(lock_path(database)).ok());
    if taken(itself(database).ok().flatten()) && !same_name() {
        Err(OpenError::Served(database.display().to_string()))
    } else {
        Ok(())
    }
}
