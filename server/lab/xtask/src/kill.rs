//! `cargo xtask kill`: runs the torture test, which kills the hotel at random moments under load
//! and checks the sandbox's ledger.

use crate::{install_postgres, run_program, workspace_paths::WorkspacePaths};

/// Builds the hotel, its next release and the torture test, and runs it; further arguments are passed to it. Only a
/// build with debug assertions allows shifting a clock.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let folders = WorkspacePaths::find();
    let next = ["--example", "server_with_next_check_out"];
    let mut torture = run_program::driver(&folders, "sim", "torture", &next)?;
    if let Some(path) = install_postgres::ensure(&folders)? {
        torture.env("PATH", path);
    }
    run_program::run_or_fail(torture.args(arguments))
}
