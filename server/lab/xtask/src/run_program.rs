//! Runs other programs.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};

use crate::workspace_paths::WorkspacePaths;

pub fn find(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let names = if cfg!(windows) {
        vec![format!("{name}.exe"), format!("{name}.cmd")]
    } else {
        vec![name.to_owned()]
    };
    env::split_paths(&path)
        .flat_map(|dir| {
            names
                .iter()
                .map(move |name| dir.join(name))
                .collect::<Vec<_>>()
        })
        .find(|file| file.is_file())
}

/// The cargo that runs this program.
pub fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Variables that cargo set for this program must not reach the packages it builds
    for (name, _) in env::vars_os().filter(|(name, _)| {
        name.to_string_lossy().starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR"
    }) {
        cargo.env_remove(name);
    }
    // A build in CI is used only once and needs no incremental data
    if env::var_os("CI").is_some() {
        cargo.env("CARGO_INCREMENTAL", "0");
    }
    cargo
}

/// Path of the hotel's program in a build with this profile.
pub fn server_path(folders: &WorkspacePaths, profile: &str) -> PathBuf {
    let folder = if profile == "dev" { "debug" } else { profile };
    folders
        .target
        .join(folder)
        .join(format!("dewy{}", env::consts::EXE_SUFFIX))
}

/// Builds the hotel's program with the bundle.
pub fn server_build(folders: &WorkspacePaths, profile: &str) -> Command {
    let mut server = Command::new(server_path(folders, profile));
    server.env("DEWY_SITE_ROOT", &folders.site);
    server
}

/// Builds a program that drives the hotel's, both with this profile. All of them at once: another
/// selection of packages would enable other features of the dependencies, and build them again.
/// `further` names further targets to build.
pub fn driver(
    folders: &WorkspacePaths,
    profile: &str,
    program: &str,
    further: &[&str],
) -> anyhow::Result<Command> {
    let build = [
        "build",
        "--profile",
        profile,
        "--bins",
        "-p",
        "dewy",
        "-p",
        "dewy-bench",
        "-p",
        "dewy-torture",
        "-p",
        "dewy-dialogues",
    ];
    run_or_fail(cargo().current_dir(&folders.root).args(build).args(further))?;
    let program = format!("{program}{}", env::consts::EXE_SUFFIX);
    Ok(Command::new(
        server_path(folders, profile).with_file_name(program),
    ))
}

pub fn node_program(name: &str) -> Command {
    Command::new(if cfg!(windows) {
        format!("{name}.cmd")
    } else {
        name.to_owned()
    })
}

/// Runs a command; a failure is an error that names it.
pub fn run_or_fail(command: &mut Command) -> anyhow::Result<()> {
    let name = command_line(command);
    let status = command
        .status()
        .with_context(|| format!("could not start {name}"))?;
    if !status.success() {
        bail!("{name}: {status}");
    }
    Ok(())
}

/// Output of a command, if it succeeds.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a command with a timeout: some networks drop connections silently.
pub fn within(limit: Duration, command: &mut Command) -> anyhow::Result<()> {
    let name = command_line(command);
    let mut child = command
        .spawn()
        .with_context(|| format!("could not start {name}"))?;
    let started = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => bail!("{name}: {status}"),
            None if started.elapsed() > limit => {
                child.kill()?;
                child.wait()?;
                bail!("{name}: still running after {} s", limit.as_secs());
            }
            None => thread::sleep(Duration::from_millis(100)),
        }
    }
}

pub fn path_with(folder: &Path) -> anyhow::Result<std::ffi::OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    Ok(env::join_paths(
        std::iter::once(folder.to_path_buf()).chain(env::split_paths(&path)),
    )?)
}

fn command_line(command: &Command) -> String {
    let words: Vec<_> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect();
    words.join(" ")
}
