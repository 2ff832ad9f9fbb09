//! Node and the clients that come from npm.

use std::path::Path;

use crate::{node, packages};

/// What `stripe` and `twilio` ask for.
const OLDEST: u32 = 20;

/// Node is there and not too old.
pub fn find() -> anyhow::Result<()> {
    node::at_least(OLDEST, "the vendors' clients")
}

/// Installs the clients as locked.
pub fn install(folder: &Path) -> anyhow::Result<()> {
    packages::ensure_in(folder)
}
