//! Node, which drives the browser and the vendors' clients. We do not install it, for how is a
//! matter of taste; we say so.

use std::process::Command;

use anyhow::{Context, bail};

use crate::process::{find, output};

/// Playwright's oldest.
const OLDEST: u32 = 18;

/// Node and npm are there and not too old for the browser tests.
pub fn ensure() -> anyhow::Result<()> {
    at_least(OLDEST, "the browser tests")
}

/// Node and npm are there and not too old for those who need them.
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
