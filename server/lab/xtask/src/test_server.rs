//! Sandboxes and hotels that run in a temporary folder for a test.

use std::{
    env, fs,
    fs::File,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};

use crate::{run_program::server_path, workspace_paths::WorkspacePaths};

/// Startup timeout; longer than a start takes even on a busy machine.
const START: Duration = Duration::from_secs(60);

/// Folder, and the program that runs in it.
#[derive(Debug)]
pub struct TestServer {
    program: PathBuf,
    site: PathBuf,
    folder: PathBuf,
}

/// Listening process; stopped on drop.
#[derive(Debug)]
pub struct Running {
    pub url: String,
    child: Child,
}

impl TestServer {
    /// Empty folder beside the programs.
    pub fn new(folders: &WorkspacePaths, profile: &str, name: &str) -> anyhow::Result<Self> {
        let program = server_path(folders, profile);
        let folder = folders
            .target
            .join(name)
            .join(format!("run-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self {
            program,
            site: folders.site.clone(),
            folder,
        })
    }

    /// Starts a seeded sandbox on a free port; `name` names its files.
    pub fn sandbox(&self, name: &str) -> anyhow::Result<Running> {
        let data = format!("{name}.sandbox.db");
        self.start(
            &format!("{name}.sandbox"),
            &["sandbox", "--addr", "127.0.0.1:0", "--data", &data],
            &[],
        )
    }

    /// Starts a hotel on a free port, with an empty database, over that sandbox.
    pub fn hotel(&self, name: &str, sandbox: &Running) -> anyhow::Result<Running> {
        self.start(
            &format!("{name}.hotel"),
            &["serve"],
            &self.environment(name, sandbox),
        )
    }

    /// Output of a command of that hotel: `dewy token create …`.
    pub fn run_dewy(
        &self,
        name: &str,
        sandbox: &Running,
        arguments: &[&str],
    ) -> anyhow::Result<String> {
        let output = self
            .command(arguments, &self.environment(name, sandbox))
            .output()?;
        if !output.status.success() {
            bail!(
                "dewy {}: {}",
                arguments.join(" "),
                String::from_utf8_lossy(&output.stderr).trim()
            );
        }
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    fn environment(&self, name: &str, sandbox: &Running) -> [(&'static str, String); 8] {
        [
            ("SANDBOX_URL", sandbox.url.clone()),
            (
                "DATABASE_URL",
                format!(
                    "sqlite://{}",
                    self.folder.join(format!("{name}.hotel.db")).display()
                ),
            ),
            ("LEPTOS_SITE_ADDR", "127.0.0.1:0".to_owned()),
            // The tests count days in UTC
            ("HOTEL_TIME_ZONE", "UTC".to_owned()),
            ("HOTEL_DAY_CHANGES_AT", "00:00".to_owned()),
            ("DEWY_SITE_ROOT", self.site.display().to_string()),
            // A suite calls faster than any person; the limits have their own tests.
            ("CALLS_PER_MINUTE", "1000000".to_owned()),
            ("SALESFORCE_CALLS_PER_GUEST", "1000000".to_owned()),
        ]
    }

    /// Without the developer's own environment: a test must never reach a live system.
    fn command(&self, arguments: &[&str], environment: &[(&'static str, String)]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .env_clear()
            .current_dir(&self.folder)
            .stdin(Stdio::null());
        for name in ["PATH", "HOME", "SYSTEMROOT"] {
            if let Some(value) = env::var_os(name) {
                command.env(name, value);
            }
        }
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        command
    }

    fn start(
        &self,
        name: &str,
        arguments: &[&str],
        environment: &[(&'static str, String)],
    ) -> anyhow::Result<Running> {
        let log = self.folder.join(format!("{name}.log"));
        let (out, errors) = (
            File::create(&log)?,
            File::create(log.with_extension("errors.log"))?,
        );
        let child = self
            .command(arguments, environment)
            .stdout(out)
            .stderr(errors)
            .spawn();
        let child =
            child.with_context(|| format!("{} could not be started", self.program.display()))?;
        let mut running = Running {
            url: String::new(),
            child,
        };
        let started = Instant::now();
        loop {
            // It prints its address as soon as it listens.
            if let Some(url) = address(&log) {
                running.url = url;
                return Ok(running);
            }
            if running.child.try_wait()?.is_some() || started.elapsed() > START {
                bail!(
                    "{name} did not start:\n{}",
                    fs::read_to_string(log.with_extension("errors.log"))?
                );
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Parses `Sandbox (…) at http://127.0.0.1:4010`, once the line is complete.
fn address(log: &Path) -> Option<String> {
    let text = fs::read_to_string(log).ok()?;
    let (first, _) = text.split_once('\n')?;
    first
        .rsplit_once(" at ")
        .map(|(_, url)| url.trim().to_owned())
}

impl Drop for TestServer {
    fn drop(&mut self) {
        // A leftover folder is harmless.
        drop(fs::remove_dir_all(&self.folder));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Its data is deleted with the folder, so it doesn't need a graceful shutdown.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
