//! Where the executions are: an empty database on the real disk.

use std::{fs, path::PathBuf};

use anyhow::Context;
use dewy_store::testing::PostgresServer;

/// Which store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    Sqlite,
    /// A server of our own.
    Postgres,
}

impl Kind {
    /// For what is printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// A store's place; gone when dropped.
#[derive(Debug)]
pub struct Place {
    /// Which store.
    pub kind: Kind,
    /// On the disk that the program itself is on; a temporary folder may be in memory.
    folder: PathBuf,
    server: Option<PostgresServer>,
}

impl Place {
    /// Makes one.
    pub fn of(kind: Kind) -> anyhow::Result<Self> {
        let program = std::env::current_exe()?;
        let beside = program.parent().context("the program lies in no folder")?;
        let folder = beside.join(format!("bench-pages-{}-{}", kind.name(), std::process::id()));
        fs::create_dir_all(&folder)?;
        let server = (kind == Kind::Postgres).then(PostgresServer::start).transpose()?;
        Ok(Self { kind, folder, server })
    }

    /// The address of a new, empty database.
    pub async fn database(&self) -> anyhow::Result<String> {
        Ok(match &self.server {
            Some(server) => server.database().await?,
            None => format!("sqlite://{}", self.folder.join("pages.db").display()),
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Nothing but our own measurement's files, and nobody to tell if they stay.
        drop(fs::remove_dir_all(&self.folder));
    }
}
