//! One serving process for each database file.

use std::{
    fs::{File, TryLockError},
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use crate::error::OpenError;

/// `<database>.lock` beside the real file, locked by the operating system, which also unlocks it
/// when the process dies.
#[derive(Debug)]
pub(crate) struct ServingLock {
    file: Option<PathBuf>,
    held: Mutex<Option<File>>,
}

impl ServingLock {
    /// Not taken yet. An in-memory database has no file to lock.
    pub(crate) fn projections(file: Option<PathBuf>) -> Self {
        Self {
            file,
            held: Mutex::new(None),
        }
    }

    /// Database file of the lock.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// True when it was taken now, false when this store already holds it.
    pub(crate) fn take(&self) -> Result<bool, OpenError> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.is_some() {
            return Ok(false);
        }
        let Some(database) = &self.file else {
            return Ok(true);
        };
        let mut path = database.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        let failed = |source: std::io::Error| match source.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                OpenError::ReadOnly(database.display().to_string())
            }
            _ => OpenError::File {
                path: path.display().to_string(),
                source,
            },
        };
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {
                *held = Some(file);
                Ok(true)
            }
            Err(TryLockError::WouldBlock) => Err(OpenError::Served(database.display().to_string())),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}
