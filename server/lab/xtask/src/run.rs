//! `cargo xtask run`: runs the hotel, and installs what it needs.

use anyhow::Context;

use crate::{bundle, progress_output, run_program, workspace_paths::WorkspacePaths};

/// Builds the bundle and the server and replaces itself with the server, so that signals reach it
/// directly. Arguments are passed to `dewy`; none means `serve`.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let folders = WorkspacePaths::find();
    build(&folders, "dev")?;
    let own: Vec<&String> = arguments
        .iter()
        .filter(|argument| *argument != "--")
        .collect();
    let mut server = run_program::server_build(&folders, "dev");
    server
        .current_dir(&folders.root)
        .args(if own.is_empty() {
            vec!["serve"]
        } else {
            Vec::new()
        })
        .args(own);
    replace_process(&mut server).context("could not start the server")
}

/// Builds bundle and server in parallel: each has long single-core phases.
pub fn build(folders: &WorkspacePaths, profile: &str) -> anyhow::Result<()> {
    let bundle = {
        let folders = folders.clone();
        std::thread::spawn(move || bundle::build(&folders))
    };
    let server = progress_output::step("The server", || {
        let build = [
            "build",
            "--profile",
            profile,
            "--package",
            "dewy",
            "--bin",
            "dewy",
        ];
        run_program::run_or_fail(run_program::cargo().current_dir(&folders.root).args(build))
    });
    let bundle = bundle
        .join()
        .map_err(|_| anyhow::anyhow!("the bundle build panicked"))?;
    server.and(bundle.map(|_| ()))
}

#[cfg(unix)]
fn replace_process(command: &mut std::process::Command) -> anyhow::Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec().into())
}

#[cfg(not(unix))]
fn replace_process(command: &mut std::process::Command) -> anyhow::Result<()> {
    run_program::run_or_fail(command)
}
