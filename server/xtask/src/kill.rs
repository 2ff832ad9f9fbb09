//! `cargo xtask kill`: the hotel under load, killed at random moments, judged by the sandbox's ledger.

use crate::{places::Places, postgres, process};

/// Builds the hotel and the run for release, which lie beside each other, and runs it; further arguments go to it.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let places = Places::find();
    let mut torture = process::beside_release(&places, "torture")?;
    if let Some(path) = postgres::ensure(&places)? {
        torture.env("PATH", path);
    }
    process::must(torture.args(arguments))
}
