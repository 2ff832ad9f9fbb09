//! Node, for the browser tests and the vendors' clients. It is not installed automatically, because
//! users have their own preferred ways; a message says that it is missing.

use std::process::Command;

use anyhow::{Context, bail};

use crate::run_program::{find, output};

/// Minimum version for Playwright.
const MIN_VERSION: u32 = 18;

/// Checks that Node and npm are installed and recent enough for the browser tests.
pub fn ensure() -> anyhow::Result<()> {
    at_least(MIN_VERSION, "the browser tests")
}

/// Checks that Node and npm are installed and recent enough for `who`.
pub fn at_least(oldest: u32, who: &str) -> anyhow::Result<()> {
    let version = output(Command::new("node").arg("--version")).with_context(|| {
        format!(
            "{who} need Node {oldest} or newer (https://nodejs.org, or: apt-get install nodejs npm)"
        )
    })?;
    let major: u32 = version
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    if major < oldest {
        bail!("Node {version} is too old for {who}; they need {oldest} or newer");
    }
    if find("npm").is_none() {
        bail!("Node is installed but npm is not (apt-get install npm)");
    }
    Ok(())
}
