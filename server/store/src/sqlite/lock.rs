//! One serving process for each database file.

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use crate::error::OpenError;

/// `<database>.lock`, locked by the operating system, which also unlocks it when the process dies.
#[derive(Debug)]
pub(crate) struct ServingLock {
    path: Option<PathBuf>,
    held: Mutex<Option<File>>,
}

impl ServingLock {
    /// Not taken yet. A database in memory has nothing to lock.
    pub(crate) fn beside(database: &Path, in_memory: bool) -> Self {
        let mut name = database.as_os_str().to_owned();
        name.push(".lock");
        Self { path: (!in_memory).then(|| PathBuf::from(name)), held: Mutex::new(None) }
    }

    /// True when it was taken now, false when this store already has it.
    pub(crate) fn take(&self) -> Result<bool, OpenError> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.is_some() {
            return Ok(false);
        }
        let Some(path) = &self.path else {
            return Ok(true);
        };
        let failed = |source| OpenError::File { path: path.display().to_string(), source };
        let file = File::options().create(true).truncate(false).write(true).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {
                *held = Some(file);
                Ok(true)
            }
            Err(TryLockError::WouldBlock) => Err(OpenError::Served(path.with_extension("").display().to_string())),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}
