//! `cargo xtask bench NAME`: a benchmark prints its own table.

use crate::{places::Places, postgres, process};

/// Builds the hotel and the benchmarks for release, which lie beside each other, and runs one; further arguments go to it.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let places = Places::find();
    let mut bench = process::beside_release(&places, "bench")?;
    if let Some(path) = postgres::ensure(&places)? {
        bench.env("PATH", path);
    }
    process::must(bench.args(arguments))
}
