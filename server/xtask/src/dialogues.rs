//! `cargo xtask dialogues`: plays whole conversations with the concierge, and prints the scores.

use crate::{run_program, workspace_paths::Folders};

/// Builds the hotel and the runner, and runs it; further arguments are passed to it.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut dialogues = run_program::driver(&Folders::find(), "sim", "dialogues", &[])?;
    run_program::must(dialogues.args(arguments))
}
