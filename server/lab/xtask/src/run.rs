//! `cargo xtask run`: runs the hotel, and installs what it needs.

use std::process::Command;

use anyhow::Context;

use crate::{bundle, progress_output, run_program, workspace_paths::WorkspacePaths};

/// Builds the bundle and the server and replaces itself with the server, so that signals reach it
/// directly. Where no bundle was ever built, the server doesn't wait for it: pages work without, and
/// load it as soon as it is there. Arguments are passed to `dewy`; none means `serve`.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let folders = WorkspacePaths::find();
    if bundle::exists(&folders) {
        build(&folders, "dev")?;
    } else {
        progress_output::line("  pages will update live when the browser's bundle is built, too");
        bundle_build_behind()?.spawn()?;
        build_server(&folders, "dev")?;
    }
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
    let server = build_server(folders, profile);
    let bundle = bundle
        .join()
        .map_err(|_| anyhow::anyhow!("the bundle build panicked"))?;
    server.and(bundle.map(|_| ()))
}

fn build_server(folders: &WorkspacePaths, profile: &str) -> anyhow::Result<()> {
    progress_output::step("The server", || {
        let build = "--package dewy --bin dewy --profile";
        let mut cargo = run_program::cargo();
        cargo.current_dir(&folders.root).arg("build");
        run_program::run_or_fail(cargo.args(build.split(' ')).arg(profile))
    })
}

/// Command for a process that builds the bundle with the processor time that the server's build leaves.
fn bundle_build_behind() -> anyhow::Result<Command> {
    let xtask = std::env::current_exe()?;
    let mut build = match run_program::find("nice") {
        Some(nice) => {
            let mut build = Command::new(nice);
            build.args(["-n", "19"]).arg(xtask);
            build
        }
        None => Command::new(xtask),
    };
    build.arg("bundle");
    Ok(build)
}

#[cfg(unix)]
fn replace_process(command: &mut Command) -> anyhow::Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec().into())
}

#[cfg(not(unix))]
fn replace_process(command: &mut Command) -> anyhow::Result<()> {
    run_program::run_or_fail(command)
}
