//! Node, and the clients from npm.

use std::path::Path;

use crate::{node, npm_packages};

/// Minimum version for `stripe` and `twilio`.
const MIN_NODE_VERSION: u32 = 20;

/// Checks that Node is installed and recent enough.
pub fn find() -> anyhow::Result<()> {
    node::at_least(MIN_NODE_VERSION, "the vendors' clients")
}

/// Installs the clients from the lock file.
pub fn install(folder: &Path) -> anyhow::Result<()> {
    npm_packages::ensure_in(folder)
}
