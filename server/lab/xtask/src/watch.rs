//! `cargo xtask watch`: rebuilds when a source file is saved, restarts the hotel, and makes open
//! pages reload.
//!
//! ```text
//! saved ─► bundle and server built ─┬─ ok ─────► the old server stops, the new one starts ─► pages notice the restart: reload
//!     ▲                             └─ failed ─► the compiler prints the error; the old server continues
//!     └──────────────────── polled four times a second ────────────────────────┘
//! ```

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::{Duration, SystemTime},
};

use crate::{progress_output, run, run_program, workspace_paths::WorkspacePaths};

/// Polling interval for files.
const PAUSE: Duration = Duration::from_millis(250);
/// Sources of a build, below the workspace.
const SOURCES: [&str; 7] = [
    "Cargo.toml",
    "Cargo.lock",
    "app",
    "server",
    "style",
    "public",
    "migrations",
];
/// Extensions of files that are part of the hotel.
const ENDINGS: [&str; 9] = ["rs", "toml", "lock", "css", "js", "svg", "sql", "md", "txt"];
/// WorkspacePaths that are not part of it.
const EXCLUDED_FOLDERS: [&str; 3] = ["tests", "adr", "lab"];
/// Time for the old server to shut down.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// Runs until it is interrupted. Arguments are passed to `dewy serve`.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let folders = WorkspacePaths::find();
    let arguments: Vec<&String> = arguments
        .iter()
        .filter(|argument| *argument != "--")
        .collect();
    let mut server: Option<Child> = None;
    loop {
        let seen = newest(&folders.root);
        match run::build(&folders, "dev") {
            Ok(()) => {
                if let Some(old) = server.take() {
                    end(old)?;
                }
                let mut serve = run_program::server_build(&folders, "dev");
                server = Some(
                    serve
                        .current_dir(&folders.root)
                        .arg("serve")
                        .args(&arguments)
                        .env("DEWY_RELOAD", "1")
                        .spawn()?,
                );
            }
            Err(why) => progress_output::line(&format!("  {why:#}")),
        }
        while newest(&folders.root) == seen {
            thread::sleep(PAUSE);
            if let Some(status) = server.as_mut().map(Child::try_wait).transpose()?.flatten() {
                progress_output::line(&format!(
                    "  the hotel exited: {status}; it restarts on the next save"
                ));
                server = None;
            }
        }
        progress_output::line("● A file was saved");
    }
}

/// Shuts down the server gracefully; kills it after the timeout.
fn end(mut server: Child) -> anyhow::Result<()> {
    let _ = Command::new("kill").arg(server.id().to_string()).status();
    let mut waited = Duration::ZERO;
    while server.try_wait()?.is_none() {
        if waited > SHUTDOWN_TIMEOUT {
            server.kill()?;
        }
        thread::sleep(PAUSE / 5);
        waited += PAUSE / 5;
    }
    Ok(())
}

/// Modification time of the newest source, and the number of sources, so that a deletion counts
/// too.
fn newest(root: &Path) -> (SystemTime, usize) {
    let mut found = (SystemTime::UNIX_EPOCH, 0);
    let mut open: Vec<PathBuf> = SOURCES.iter().map(|name| root.join(name)).collect();
    while let Some(path) = open.pop() {
        let Ok(about) = fs::metadata(&path) else {
            continue;
        };
        let named = |names: &[&str], part: Option<&std::ffi::OsStr>| {
            part.and_then(|part| part.to_str())
                .is_some_and(|part| names.contains(&part))
        };
        if about.is_dir() {
            if named(&EXCLUDED_FOLDERS, path.file_name()) {
                continue;
            }
            open.extend(
                fs::read_dir(path)
                    .into_iter()
                    .flatten()
                    .filter_map(Result::ok)
                    .map(|entry| entry.path()),
            );
        } else if named(&ENDINGS, path.extension()) {
            found = (
                found
                    .0
                    .max(about.modified().unwrap_or(SystemTime::UNIX_EPOCH)),
                found.1 + 1,
            );
        }
    }
    found
}
