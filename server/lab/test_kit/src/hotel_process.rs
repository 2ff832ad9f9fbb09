//! A `dewy` process, as a hotel or a sandbox, that a test can start, kill, pause and resume.

use std::{
    ffi::OsStr,
    fs::OpenOptions,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use tokio::process::{Child, Command};

use crate::json_client::JsonClient;

/// Longer than a start takes even on a busy machine.
const START: Duration = Duration::from_secs(60);

/// Start settings, and the running process if there is one.
#[derive(Debug)]
pub struct ServerProcess {
    pub address: String,
    pub url: String,
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    folder: PathBuf,
    log: PathBuf,
    alive_at: &'static str,
    child: Option<Child>,
}

/// Command of the hotel's program, with nothing of this environment but PATH. Its days are in UTC, as
/// tests count them.
pub fn command(
    program: &Path,
    folder: &Path,
    arguments: &[impl AsRef<OsStr>],
    environment: &[(String, String)],
) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .env("HOTEL_TIME_ZONE", "UTC")
        .env("HOTEL_DAY_CHANGES_AT", "00:00")
        .current_dir(folder)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    command
}

impl ServerProcess {
    /// Sandbox on a free port, with its data in this folder; not started yet.
    pub fn sandbox(program: &Path, folder: &Path, name: &str) -> anyhow::Result<Self> {
        let (address, data) = (free_address()?, format!("{name}.db"));
        let arguments = ["sandbox", "--addr", &address, "--data", &data];
        Self::new(
            program,
            folder,
            name,
            &address,
            "/admin/faults",
            &arguments,
            Vec::new(),
        )
    }

    /// Hotel on a free port, with these settings; not started yet.
    pub fn hotel(
        program: &Path,
        folder: &Path,
        name: &str,
        settings: &[(String, String)],
    ) -> anyhow::Result<Self> {
        let address = free_address()?;
        let mut environment = settings.to_vec();
        let own = [
            ("LEPTOS_SITE_ADDR", address.clone()),
            ("DEWY_CLOCK_OFFSET_FILE", format!("{name}.clock")),
        ];
        environment.extend(own.map(|(name, value)| (name.to_owned(), value)));
        Self::new(
            program,
            folder,
            name,
            &address,
            "/healthz",
            &["serve"],
            environment,
        )
    }

    fn new(
        program: &Path,
        folder: &Path,
        name: &str,
        address: &str,
        alive_at: &'static str,
        arguments: &[&str],
        environment: Vec<(String, String)>,
    ) -> anyhow::Result<Self> {
        ensure!(program.is_file(), "{} is not built", program.display());
        let log = folder.join(format!("{name}.log"));
        Ok(Self {
            address: address.to_owned(),
            url: format!("http://{address}"),
            program: program.to_owned(),
            arguments: arguments.iter().map(|one| (*one).to_owned()).collect(),
            environment,
            folder: folder.to_owned(),
            log,
            alive_at,
            child: None,
        })
    }

    /// The same with one more environment variable.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Starts the process and waits until it answers.
    pub async fn open(mut self, wire: &JsonClient) -> anyhow::Result<Self> {
        self.start()?;
        self.ready(wire).await?;
        Ok(self)
    }

    /// Starts the process; doesn't wait for it.
    pub fn start(&mut self) -> anyhow::Result<()> {
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.log)?;
        let mut command = command(
            &self.program,
            &self.folder,
            &self.arguments,
            &self.environment,
        );
        let child = command
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .context("dewy could not be started")?;
        self.child = Some(child);
        Ok(())
    }

    /// Waits until it answers.
    pub async fn ready(&mut self, wire: &JsonClient) -> anyhow::Result<()> {
        self.answers(wire, self.alive_at).await
    }

    /// Waits until this path answers.
    pub async fn answers(&mut self, wire: &JsonClient, path: &str) -> anyhow::Result<()> {
        let (url, begun) = (format!("{}{path}", self.url), Instant::now());
        loop {
            if let Ok((200, _)) = wire
                .send("GET", &url, "", None, Duration::from_secs(2))
                .await
            {
                return Ok(());
            }
            let ended = self
                .child
                .as_mut()
                .map(Child::try_wait)
                .transpose()?
                .flatten();
            if ended.is_some() || begun.elapsed() > START {
                bail!(
                    "{} does not answer ({ended:?}); its log says:\n{}",
                    self.url,
                    self.last_log_lines()
                );
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Id of the running process.
    pub fn id(&self) -> Option<u32> {
        self.child.as_ref().and_then(Child::id)
    }

    /// Whether the process has exited by itself.
    pub fn at_rest(&mut self) -> anyhow::Result<bool> {
        let status = self.child.as_mut().map(Child::try_wait).transpose()?;
        Ok(status.flatten().is_some())
    }

    /// Sends SIGKILL; returns when the process is gone.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        if let Some(mut child) = self.child.take() {
            child.kill().await?;
        }
        Ok(())
    }

    /// SIGSTOP (`-STOP`), SIGCONT (`-CONT`) or SIGTERM (`-TERM`).
    pub async fn signal(&self, signal: &str) -> anyhow::Result<()> {
        if let Some(id) = self.id() {
            Command::new("kill")
                .args([signal, &id.to_string()])
                .status()
                .await?;
        }
        Ok(())
    }

    /// Shuts it down gracefully; by force when that takes too long.
    pub async fn end(&mut self) -> anyhow::Result<()> {
        self.signal("-TERM").await?;
        if let Some(child) = &mut self.child
            && tokio::time::timeout(Duration::from_secs(40), child.wait())
                .await
                .is_err()
        {
            self.kill().await?;
        }
        self.child = None;
        Ok(())
    }

    pub fn log_occurrences(&self, words: &str) -> usize {
        std::fs::read_to_string(&self.log)
            .unwrap_or_default()
            .matches(words)
            .count()
    }

    pub fn last_log_lines(&self) -> String {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(12)..].join("\n")
    }
}

/// Shifts the clock of the hotel with this name by this many seconds, also after restarts.
pub fn set_clock(folder: &Path, name: &str, seconds: i64) -> anyhow::Result<()> {
    // Written atomically, because it is read at any moment.
    let draft = folder.join(format!("{name}.clock.new"));
    std::fs::write(&draft, seconds.to_string())?;
    Ok(std::fs::rename(
        draft,
        folder.join(format!("{name}.clock")),
    )?)
}

/// Unused address. It is released again for the process that will use it.
pub fn free_address() -> anyhow::Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}

/// Bearer token for an account, made by the program's own command: `--guest` or `--staff`, and the
/// email.
pub async fn token(
    program: &Path,
    folder: &Path,
    environment: &[(String, String)],
    (persona, email): (&str, &str),
) -> anyhow::Result<String> {
    let arguments = ["token", "create", persona, email];
    let output = command(program, folder, &arguments, environment)
        .output()
        .await?;
    ensure!(
        output.status.success(),
        "no token for {email}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
