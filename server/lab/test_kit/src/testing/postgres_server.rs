//! A private Postgres server on a free port that stops when the process that started it ends.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::sync::Mutex;

const TLS_AUTHORITY: &str = include_str!("tls/ca.pem");
const TLS_CERTIFICATE: &str = include_str!("tls/server.pem");
const TLS_KEY: &str = include_str!("tls/server.key");

const SCRIPT: &str = include_str!("server.sh");

/// Empties every table.
const EMPTY: &str = "do $$ declare name text; begin
        for name in select tablename from pg_tables where schemaname = 'public' and tablename not in ('_sqlx_migrations', 'counter') loop
            execute format('delete from %I', name);
        end loop;
    end $$";

/// Why no server is available, and what to do about it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TestingError {
    /// Postgres is not installed.
    #[error(
        "Postgres is not installed: initdb and pg_ctl are neither on PATH nor in /usr/lib/postgresql/*/bin. \
         Debian and Ubuntu: apt install postgresql; macOS: brew install postgresql"
    )]
    Missing,
    /// It did not start, or a command failed.
    #[error("the test's Postgres: {0}")]
    Failed(String),
}

pub(super) fn failed(error: impl std::fmt::Display) -> TestingError {
    TestingError::Failed(error.to_string())
}

/// A running server. Dropping it (or the end of the process, however it ends) stops it and deletes
/// its files: a shell watches a pipe only this process holds.
#[derive(Debug)]
pub struct PostgresServer {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    databases: AtomicUsize,
    creating: Mutex<()>,
    watchdog: Child,
}

impl PostgresServer {
    /// Starts a server; takes a second or two.
    ///
    /// # Errors
    /// When Postgres is not installed or does not start.
    pub fn start() -> Result<Self, TestingError> {
        Self::start_with("")
    }

    /// Starts a server without fsync: much faster, and safe as long as the machine keeps running.
    ///
    /// # Errors
    /// When Postgres is not installed or does not start.
    pub fn start_unsynced() -> Result<Self, TestingError> {
        Self::start_with("-c fsync=off -c full_page_writes=off")
    }

    fn start_with(options: &str) -> Result<Self, TestingError> {
        let programs = programs().ok_or(TestingError::Missing)?;
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|l| l.local_addr())
            .map_err(failed)?
            .port();
        let folder =
            std::env::temp_dir().join(format!("dewy-postgres-{}-{port}", std::process::id()));
        let mut watchdog = Command::new("sh")
            .args(["-c", SCRIPT, "sh"])
            .args([&programs, &folder])
            .arg(port.to_string())
            .arg(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A ^C is meant for this process; the watchdog notices its end and cleans up.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let mut line = String::new();
        let stdout = watchdog.stdout.take().ok_or_else(|| failed("no pipe"))?;
        BufReader::new(stdout)
            .read_line(&mut line)
            .map_err(failed)?;
        if line.trim() != "ready" {
            let mut why = String::new();
            if let Some(mut stderr) = watchdog.stderr.take() {
                stderr.read_to_string(&mut why).map_err(failed)?;
            }
            return Err(failed(why));
        }
        Ok(Self {
            programs,
            folder,
            port,
            databases: AtomicUsize::new(0),
            creating: Mutex::new(()),
            watchdog,
        })
    }

    /// The server shared by all tests of this process.
    ///
    /// # Errors
    /// When Postgres is not installed or does not start.
    pub fn shared() -> Result<&'static Self, TestingError> {
        static SHARED: OnceLock<Result<PostgresServer, TestingError>> = OnceLock::new();
        SHARED
            .get_or_init(Self::start_unsynced)
            .as_ref()
            .map_err(Clone::clone)
    }

    /// Creates an empty database and returns its URL.
    ///
    /// # Errors
    /// When the server refuses.
    pub async fn create_database(&self) -> Result<String, TestingError> {
        let _one_at_a_time = self.creating.lock().await;
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        run(&self.url("postgres"), &[&format!("create database {name}")]).await?;
        Ok(self.url(&name))
    }

    /// Deletes every row written to a database, except the counters, which only increase.
    ///
    /// # Errors
    /// When the server refuses.
    pub async fn delete_all_rows(&self, url: &str) -> Result<(), TestingError> {
        run(url, &[EMPTY]).await
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.port))
    }

    /// Process id of the server.
    ///
    /// # Errors
    /// When it is not running.
    pub fn process(&self) -> Result<u32, TestingError> {
        let file =
            std::fs::read_to_string(self.folder.join("data/postmaster.pid")).map_err(failed)?;
        file.lines()
            .next()
            .and_then(|line| line.parse().ok())
            .ok_or_else(|| failed("no process id"))
    }

    /// Enables TLS with a certificate for `localhost`, and returns the file of the CA certificate.
    ///
    /// # Errors
    /// When the server refuses the configuration.
    pub async fn enable_tls(&self) -> Result<PathBuf, TestingError> {
        for (name, text) in [("server.crt", TLS_CERTIFICATE), ("server.key", TLS_KEY)] {
            let file = self.folder.join("data").join(name);
            let mut command = self.as_owner("sh");
            let mut writing = command
                .args(["-c", "umask 077; cat > \"$0\""])
                .arg(&file)
                .current_dir("/")
                .stdin(Stdio::piped())
                .spawn()
                .map_err(failed)?;
            if let Some(mut stdin) = writing.stdin.take() {
                stdin.write_all(text.as_bytes()).map_err(failed)?;
            }
            writing.wait().map_err(failed)?;
        }
        let enable = ["alter system set ssl = on", "select pg_reload_conf()"];
        run(&self.url("postgres"), &enable).await?;
        let authority = std::env::temp_dir().join(format!("dewy-postgres-ca-{}.pem", self.port));
        std::fs::write(&authority, TLS_AUTHORITY).map_err(failed)?;
        Ok(authority)
    }

    /// A command run as the owner of the server's files.
    fn as_owner(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let root = std::fs::metadata("/proc/self")
            .is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0);
        if !root {
            return Command::new(program);
        }
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Stops the server immediately, like a power failure, and restarts it: it recovers from its
    /// log.
    ///
    /// # Errors
    /// When it does not come back.
    pub fn crash_and_restart(&self) -> Result<(), TestingError> {
        self.pg_ctl(&["-m", "immediate", "-w", "stop"])?;
        let log = self.folder.join("data/server.log").display().to_string();
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200",
            self.port
        );
        self.pg_ctl(&["-w", "-t", "60", "-l", &log, "-o", &options, "start"])
    }

    fn pg_ctl(&self, arguments: &[&str]) -> Result<(), TestingError> {
        let status = self
            .as_owner(self.programs.join("pg_ctl"))
            .arg("-D")
            .arg(self.folder.join("data"))
            .args(arguments)
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map_err(failed)?;
        if status.success() {
            Ok(())
        } else {
            Err(failed(format!("pg_ctl {arguments:?} ended with {status}")))
        }
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        drop(self.watchdog.stdin.take());
        // The watchdog cleans up; a failure cannot be reported to anyone.
        drop(self.watchdog.wait());
    }
}

/// Runs statements one after the other.
async fn run(url: &str, statements: &[&str]) -> Result<(), TestingError> {
    let mut connection = PgConnection::connect(url).await.map_err(failed)?;
    for sql in statements {
        sqlx::raw_sql(AssertSqlSafe((*sql).to_owned()))
            .execute(&mut connection)
            .await
            .map_err(failed)?;
    }
    connection.close().await.map_err(failed)
}

/// Folder with `initdb` and `pg_ctl`: from PATH, or the newest where Debian installs them.
fn programs() -> Option<PathBuf> {
    let has_both =
        |folder: &Path| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file();
    let on_path = std::env::var_os("PATH")
        .and_then(|path| std::env::split_paths(&path).find(|f| has_both(f)));
    let version = |f: &PathBuf| {
        f.parent()
            .and_then(|p| p.file_name()?.to_str()?.parse::<u32>().ok())
    };
    on_path.or_else(|| {
        let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
        versions
            .flatten()
            .map(|v| v.path().join("bin"))
            .filter(|f| has_both(f))
            .max_by_key(version)
    })
}
