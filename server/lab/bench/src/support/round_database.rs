//! Environment of a round: an empty database on the real disk, and the processor time of its
//! server.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::Context;
use clap::ValueEnum;
use dewy_test_kit::testing::PostgresServer;

use super::process_stat::ProcessStat;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// SQLite file.
    Sqlite,
    /// Dedicated Postgres server.
    Postgres,
}

impl Kind {
    /// Name in the output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }

    /// Durability of a commit.
    pub const fn durability(self) -> &'static str {
        match self {
            Self::Sqlite => "synchronous=FULL",
            Self::Postgres => "synchronous_commit=on",
        }
    }
}

/// Location of a store; deleted when dropped.
#[derive(Debug)]
pub struct Fixture {
    /// Store.
    pub kind: Kind,
    /// Folder on the program's disk; a temporary folder may be in memory.
    pub folder: PathBuf,
    server: Option<PostgresServer>,
    databases: usize,
}

impl Fixture {
    pub fn of(kind: Kind) -> anyhow::Result<Self> {
        let program = std::env::current_exe()?;
        let beside = program.parent().context("the program lies in no folder")?;
        let folder = beside.join(format!("bench-{}-{}", kind.name(), std::process::id()));
        fs::create_dir_all(&folder)?;
        let server = (kind == Kind::Postgres)
            .then(PostgresServer::start)
            .transpose()?;
        Ok(Self {
            kind,
            folder,
            server,
            databases: 0,
        })
    }

    /// URL of a new, empty database.
    pub async fn database(&mut self) -> anyhow::Result<String> {
        self.databases += 1;
        Ok(match &self.server {
            Some(server) => server.create_database().await?,
            None => format!(
                "sqlite://{}",
                self.folder.join(format!("{}.db", self.databases)).display()
            ),
        })
    }

    /// Processor time of the store's own processes so far; zero for an embedded store.
    pub fn server_cpu(&self) -> Duration {
        if self.server.is_none() {
            return Duration::ZERO;
        }
        // Its files are in a folder that contains this process id, and its first process names
        // them.
        let ours = format!("dewy-postgres-{}-", std::process::id());
        let all = ProcessStat::all();
        let ours_first =
            |p: &&ProcessStat| p.command.contains(&ours) && p.command.contains("postgres\0-D");
        let Some(first) = all.iter().find(ours_first) else {
            return Duration::ZERO;
        };
        let children = all.iter().filter(|p| p.parent == first.id);
        first.used + first.ended + children.map(|p| p.used).sum::<Duration>()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        // Only files of this benchmark; a failure to delete them is harmless.
        drop(fs::remove_dir_all(&self.folder));
    }
}
