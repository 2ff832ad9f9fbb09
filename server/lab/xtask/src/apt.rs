//! Debian's package manager.

use std::process::{Command, Stdio};

use anyhow::bail;

use crate::run_program::{find, output, run_or_fail};

/// Installs Debian packages, where permitted.
pub fn install(packages: &[&str]) -> anyhow::Result<()> {
    let install: Vec<&str> = ["install", "-y", "--no-install-recommends"]
        .iter()
        .chain(packages)
        .copied()
        .collect();
    apt_get(&install).or_else(|_| update().and_then(|()| apt_get(&install)))
}

/// Updates Debian's package lists.
pub fn update() -> anyhow::Result<()> {
    apt_get(&["update"])
}

fn apt_get(arguments: &[&str]) -> anyhow::Result<()> {
    if find("apt-get").is_none() {
        bail!("apt-get is not available");
    }
    let root = output(Command::new("id").arg("-u")).as_deref() == Some("0");
    let sudo = !root
        && find("sudo").is_some()
        && output(Command::new("sudo").args(["-n", "true"])).is_some();
    if !root && !sudo {
        bail!("apt-get needs root, and sudo asks for a password");
    }
    let mut command = if root {
        Command::new("apt-get")
    } else {
        Command::new("sudo")
    };
    if !root {
        command.args(["-n", "apt-get"]);
    }
    run_or_fail(
        command
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null()),
    )
}
