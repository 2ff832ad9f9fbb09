//! `cargo xtask bench NAME`: a benchmark is a program that prints its own table.

use anyhow::bail;

use crate::{places::Places, postgres, process};

/// Runs `server/src/bin/bench_NAME`, built for release; further arguments go to it.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let places = Places::find();
    let benches = names(&places);
    let Some((name, rest)) = arguments.split_first().filter(|(name, _)| benches.contains(name)) else {
        bail!("which one? There are: {}", benches.join(", "));
    };
    // A bench that measures the program itself starts it: it lies beside.
    let build = ["build", "--release", "--package", "dewy", "--features", "bench", "--bin", "dewy", "--bin"];
    process::must(process::cargo().current_dir(&places.root).args(build).arg(format!("bench_{name}")))?;
    let mut bench = process::cargo();
    if let Some(path) = postgres::ensure(&places)? {
        bench.env("PATH", path);
    }
    bench
        .current_dir(&places.root)
        .args(["run", "--release", "--package", "dewy", "--features", "bench", "--bin"])
        .arg(format!("bench_{name}"))
        .arg("--")
        .args(rest);
    process::must(&mut bench)
}

fn names(places: &Places) -> Vec<String> {
    let files = std::fs::read_dir(places.root.join("server/src/bin"));
    let names =
        files.into_iter().flatten().filter_map(Result::ok).map(|file| file.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names
        .filter_map(|name| name.strip_prefix("bench_").map(|name| name.trim_end_matches(".rs").to_owned()))
        .collect();
    names.sort();
    names
}
