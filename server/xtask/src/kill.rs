//! `cargo xtask kill`: the hotel under load, killed at random moments, judged by the sandbox's ledger.

use crate::{places::Places, postgres, process};

/// Builds the hotel and the run for release, and runs it; further arguments go to it.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let places = Places::find();
    let path = postgres::ensure(&places)?;
    // Both programs: the run starts the hotel that lies beside it.
    let mut build = process::cargo();
    process::must(build.current_dir(&places.root).args([
        "build",
        "--release",
        "--package",
        "dewy",
        // As the benchmarks are built, so that neither has to be built twice.
        "--features",
        "bench",
        "--bin",
        "dewy",
        "--bin",
        "kill_run",
    ]))?;
    let mut run = process::cargo();
    if let Some(path) = path {
        run.env("PATH", path);
    }
    run.current_dir(&places.root)
        .args(["run", "--release", "--package", "dewy", "--features", "bench", "--bin", "kill_run", "--"])
        .args(arguments);
    process::must(&mut run)
}
