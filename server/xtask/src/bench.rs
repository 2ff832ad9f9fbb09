//! `cargo xtask bench NAME`: a benchmark prints its own table.

use anyhow::bail;

use crate::{places::Places, postgres, process};

/// What there is.
const BENCHES: [&str; 5] = ["upstream", "engine", "mcp", "pages", "talk"];

/// Builds the hotel and the benchmarks for release, which lie beside each other, and runs one; further arguments go to it.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    if !arguments.first().is_some_and(|name| BENCHES.contains(&name.as_str())) {
        bail!("which one? There are: {}", BENCHES.join(", "));
    }
    let places = Places::find();
    let mut bench = process::driver(&places, "release", "bench")?;
    if let Some(path) = postgres::ensure(&places)? {
        bench.env("PATH", path);
    }
    process::must(bench.args(arguments))
}
