//! Environment of a round: an empty database on the real disk, and the processor time of its
//! server.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::Context;
use clap::ValueEnum;
use dewy_test_kit::testing::PostgresServer;

/// Store.
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
    /// Creates a fixture.
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
        let all: Vec<Process> = processes();
        let Some(first) = all
            .iter()
            .find(|p| p.command.contains(&ours) && p.command.contains("postgres\0-D"))
        else {
            return Duration::ZERO;
        };
        let children: u64 = all
            .iter()
            .filter(|p| p.parent == first.id)
            .map(|p| p.ticks)
            .sum();
        ticks(first.ticks + first.ended + children)
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        // Only files of this benchmark; a failure to delete them is harmless.
        drop(fs::remove_dir_all(&self.folder));
    }
}

/// Processor time of this process so far, all threads.
pub fn own_cpu() -> Duration {
    stat("self").map_or(Duration::ZERO, |p| ticks(p.ticks))
}

struct Process {
    id: u32,
    parent: u32,
    ticks: u64,
    /// Time of children that have ended.
    ended: u64,
    command: String,
}

fn processes() -> Vec<Process> {
    let names = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned());
    names
        .filter(|n| n.bytes().all(|b| b.is_ascii_digit()))
        .filter_map(|n| stat(&n))
        .collect()
}

fn stat(name: &str) -> Option<Process> {
    let text = fs::read_to_string(format!("/proc/{name}/stat")).ok()?;
    // The second field is the program's name in parentheses, whatever it contains.
    let (before, after) = text.rsplit_once(')')?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    let number = |n: usize| fields.get(n).and_then(|f| f.parse::<u64>().ok());
    Some(Process {
        id: before.split_whitespace().next()?.parse().ok()?,
        parent: u32::try_from(number(1)?).ok()?,
        ticks: number(11)? + number(12)?,
        ended: number(13)? + number(14)?,
        command: fs::read_to_string(format!("/proc/{name}/cmdline")).unwrap_or_default(),
    })
}

/// Linux reports hundredths of a second, whatever its own clock rate is.
const fn ticks(n: u64) -> Duration {
    Duration::from_millis(n * 10)
}
