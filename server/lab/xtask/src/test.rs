//! `cargo xtask test`: runs all checks of CI.
//!
//! ```text
//! lints: fmt, clippy, doc, deny, shear, typos, with the bundle beside them ─► Rust tests ─► vendors' declarations ─► MCP ─► browser tests ─► a table of durations
//! ```
//! Everything is built with the profile `sim`, so that every crate is built once. A failure doesn't
//! stop the remaining checks.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};

use crate::{
    bundle, chromium, e2e, install_postgres, mcp_conformance, node, npm_packages, progress_output,
    run_program, static_checks, vendors, wasm_toolchain, workspace_paths::WorkspacePaths,
};

/// Installs what is missing and runs everything. `--deep` runs every pair of faults, and 20,000
/// seeds.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let deep = match arguments {
        [] => false,
        [only] if only == "--deep" => true,
        _ => bail!(
            "cargo xtask test accepts only --deep; to run one suite, see .github/CONTRIBUTING.md"
        ),
    };
    let folders = WorkspacePaths::find();
    node::ensure()?;
    npm_packages::ensure(&folders)?;
    chromium::ensure(&folders)?;
    let path = install_postgres::ensure(&folders)?;
    let mut results = CheckResults::default();
    // Whatever rustup or apt has to install, one at a time
    drop(wasm_toolchain::compiler());
    thread::scope(|scope| {
        // Its last half is one thread, as are clippy's crates that need each other: beside each other they use all cores
        let bundle = scope.spawn(|| bundle::build(&folders));
        for (name, check) in static_checks::all(&folders) {
            results.step(name, check);
        }
        results.step("Bundle, begun with the lints", || match bundle.join() {
            Ok(built) => built.map(|_| ()),
            Err(_) => bail!("it panicked"),
        });
    });
    let mut suites = Vec::new();
    results.step("Rust tests", || {
        let mut cargo = run_program::cargo();
        if let Some(path) = path {
            cargo.env("PATH", path);
        }
        if deep {
            cargo.env("DEWY_ALL", "1").env("DEWY_SEEDS", "20000");
        }
        // Half of the time a test waits for a process, a socket, or a disk
        let cores = thread::available_parallelism().map_or(2, usize::from);
        cargo.env("RUST_TEST_THREADS", (2 * cores).to_string());
        // As clippy checks it, and with the fixtures of MCP's conformance suite
        let test = "test --profile sim --workspace --features dewy/conformance --no-fail-fast";
        cargo.current_dir(&folders.root).args(test.split(' '));
        watched(&mut cargo, &mut suites)
    });
    results.rows.extend(suites);
    results.step("Vendors' declarations", || vendors::check(&folders));
    results.step("MCP's own checks, and its clients", || {
        mcp_conformance::check(&folders, "sim", &[])
    });
    results.step("Browser tests", || {
        e2e::run_built(&folders, "sim", deep, &[])
    });
    results.end()
}

pub fn lint() -> anyhow::Result<()> {
    let mut results = CheckResults::default();
    for (name, check) in static_checks::all(&WorkspacePaths::find()) {
        results.step(name, check);
    }
    results.end()
}

#[derive(Debug, Default)]
struct CheckResults {
    rows: Vec<(String, Duration)>,
    failed: Vec<String>,
}

impl CheckResults {
    fn step(&mut self, name: &str, work: impl FnOnce() -> anyhow::Result<()>) {
        let started = Instant::now();
        if let Err(why) = progress_output::step(name, work) {
            self.failed.push(format!("{name}: {why:#}"));
        }
        self.rows.push((name.to_owned(), started.elapsed()));
    }

    fn end(self) -> anyhow::Result<()> {
        for (name, took) in &self.rows {
            progress_output::line(&format!("{:>8.1} s  {name}", took.as_secs_f32()));
        }
        if self.failed.is_empty() {
            Ok(())
        } else {
            bail!("\n  {}", self.failed.join("\n  "))
        }
    }
}

/// Runs `cargo test` and forwards its output; records the duration of each suite.
fn watched(cargo: &mut Command, suites: &mut Vec<(String, Duration)>) -> anyhow::Result<()> {
    let (reader, writer) = std::io::pipe()?;
    cargo.env("CARGO_TERM_COLOR", "never");
    let mut child = cargo
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .stdin(Stdio::null())
        .spawn()?;
    // Open handles here would keep the pipe open
    cargo.stdout(Stdio::null()).stderr(Stdio::null());
    let mut begun = Instant::now();
    for line in BufReader::new(reader).lines() {
        let line = line.context("cargo's output is not text")?;
        println!("{line}");
        if line.trim_start().starts_with("Running ") && line.contains("/deps/") {
            begun = Instant::now();
            suites.push((format!("  {}", suite(&line)), Duration::ZERO));
        } else if line.starts_with("test result:")
            && let Some((_, took)) = suites.last_mut()
        {
            *took = begun.elapsed();
        }
    }
    let status = child.wait()?;
    suites.retain(|(_, took)| took.as_secs() > 0);
    if status.success() {
        Ok(())
    } else {
        bail!("cargo test: {status}")
    }
}

/// Test file and crate, from `Running tests/it/main.rs (target/sim/deps/it-0123456789abcdef)`.
fn suite(line: &str) -> String {
    let (source, program) = line
        .trim()
        .trim_start_matches("Running ")
        .split_once(" (")
        .unwrap_or((line, ""));
    let name = program.rsplit('/').next().unwrap_or(program);
    format!(
        "{} ({source})",
        name.rsplit_once('-').map_or(name, |(name, _)| name)
    )
}
