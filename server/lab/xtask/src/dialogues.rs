//! `cargo xtask dialogues`: plays whole conversations with the concierge, and prints the scores.

use crate::{run_program, workspace_paths::WorkspacePaths};

/// Builds the hotel and the runner, and runs it; further arguments are passed to it.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut dialogues = run_program::driver(&WorkspacePaths::find(), "sim", "dialogues", &[])?;
    run_program::run_or_fail(dialogues.args(arguments))
}
