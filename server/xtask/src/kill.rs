//! `cargo xtask kill`: the hotel under load, killed at random moments, judged by the sandbox's
//! ledger.

use crate::{folders::Folders, postgres, process};

/// Builds the hotel and the run, which lie beside each other, and runs it; further arguments go to
/// it. Only a build with debug assertions lets a clock be set wrong.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let folders = Folders::find();
    let mut torture = process::driver(&folders, "sim", "torture")?;
    if let Some(path) = postgres::ensure(&folders)? {
        torture.env("PATH", path);
    }
    process::must(torture.args(arguments))
}
