//! `cargo xtask bench NAME`: runs a benchmark, which prints its own table.

use anyhow::bail;

use crate::{install_postgres, run_program, workspace_paths::WorkspacePaths};

/// Names of the benchmarks.
const BENCHES: [&str; 5] = ["engine", "mcp", "messages", "pages", "talk"];

/// Builds the hotel and the benchmarks in release mode, and runs one; further arguments are passed
/// to it.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    if !arguments
        .first()
        .is_some_and(|name| BENCHES.contains(&name.as_str()))
    {
        bail!("specify a benchmark: {}", BENCHES.join(", "));
    }
    let folders = WorkspacePaths::find();
    let mut bench = run_program::driver(&folders, "release", "bench", &[])?;
    if let Some(path) = install_postgres::ensure(&folders)? {
        bench.env("PATH", path);
    }
    run_program::run_or_fail(bench.args(arguments))
}
