//! `cargo xtask dialogues`: plays whole conversations with the concierge, and prints the scores.

use crate::{folders::Folders, process};

/// Builds the hotel and the runner, and runs it; further arguments are passed to it.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut dialogues = process::driver(&Folders::find(), "sim", "dialogues", &[])?;
    process::must(dialogues.args(arguments))
}
