//! Process under test: started, killed, stopped and continued.

use std::{
    ffi::OsStr,
    fs::OpenOptions,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use tokio::process::{Child, Command};

use crate::wire::Wire;

/// Longer than a start takes even on a busy machine.
pub const START: Duration = Duration::from_secs(60);

/// Start settings, and the running process if there is one.
#[derive(Debug)]
pub struct Instance {
    /// Its URL.
    pub url: String,
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    folder: PathBuf,
    log: PathBuf,
    alive_at: &'static str,
    child: Option<Child>,
}

/// Command of the hotel's program, with nothing of this environment but PATH.
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
        .current_dir(folder)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    command
}

impl Instance {
    /// Not started yet.
    pub fn new(
        program: &Path,
        folder: &Path,
        name: &str,
        url: String,
        alive_at: &'static str,
        arguments: Vec<String>,
        environment: Vec<(String, String)>,
    ) -> Self {
        let log = folder.join(format!("{name}.log"));
        Self {
            url,
            program: program.to_owned(),
            arguments,
            environment,
            folder: folder.to_owned(),
            log,
            alive_at,
            child: None,
        }
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
    pub async fn ready(&mut self, wire: &Wire, within: Duration) -> anyhow::Result<()> {
        let (url, begun) = (format!("{}{}", self.url, self.alive_at), Instant::now());
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
            if ended.is_some() || begun.elapsed() > within {
                bail!(
                    "{} does not answer ({ended:?}); its log says:\n{}",
                    self.url,
                    self.last_words()
                );
            }
            tokio::time::sleep(Duration::from_millis(15)).await;
        }
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
        if let Some(id) = self.child.as_ref().and_then(Child::id) {
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

    /// Number of occurrences of a text in its log.
    pub fn said(&self, words: &str) -> usize {
        std::fs::read_to_string(&self.log)
            .unwrap_or_default()
            .matches(words)
            .count()
    }

    /// Last lines of its log.
    pub fn last_words(&self) -> String {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(12)..].join("\n")
    }
}
