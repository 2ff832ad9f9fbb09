//! `cargo xtask bench NAME`: a benchmark prints its own table.

use anyhow::bail;

use crate::{folders::Folders, postgres, process};

/// What there is.
const BENCHES: [&str; 5] = ["upstream", "engine", "mcp", "pages", "talk"];

/// Builds the hotel and the benchmarks for release, which lie beside each other, and runs one;
/// further arguments go to it.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    if !arguments
        .first()
        .is_some_and(|name| BENCHES.contains(&name.as_str()))
    {
        bail!("specify a benchmark: {}", BENCHES.join(", "));
    }
    let folders = Folders::find();
    let mut bench = process::driver(&folders, "release", "bench")?;
    if let Some(path) = postgres::ensure(&folders)? {
        bench.env("PATH", path);
    }
    process::must(bench.args(arguments))
}
