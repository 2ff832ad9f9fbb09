//! `cargo xtask run`: the hotel, with nothing else to install.

use anyhow::Context;

use crate::{bundle, places::Places, process, say};

/// Builds the bundle and becomes the server, so that signals reach it directly. Arguments go to `dewy`; none means `serve`.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let places = Places::find();
    bundle::build(&places)?;
    say::step("The server", || {
        process::must(process::cargo().current_dir(&places.root).args(["build", "--package", "dewy", "--bin", "dewy"]))
    })?;
    let mut server = process::cargo();
    server
        .current_dir(&places.root)
        .args(["run", "--quiet", "--package", "dewy", "--bin", "dewy", "--"])
        .env("DEWY_SITE_ROOT", &places.site);
    let own: Vec<&String> = arguments.iter().filter(|argument| *argument != "--").collect();
    if own.is_empty() {
        server.arg("serve");
    }
    become_it(server.args(own)).context("could not start the server")
}

#[cfg(unix)]
fn become_it(command: &mut std::process::Command) -> anyhow::Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec().into())
}

#[cfg(not(unix))]
fn become_it(command: &mut std::process::Command) -> anyhow::Result<()> {
    process::must(command)
}
