//! Static checks.

use std::{path::Path, process::Command, time::Duration};

use anyhow::bail;

use crate::{
    lines,
    lint_tools::{cargo_home, installed},
    progress_output,
    run_program::{self, cargo, find, run_or_fail},
    workspace_paths::WorkspacePaths,
};

/// The advisory database is some 20 MB; the download hangs where networks block it.
const FETCH_LIMIT: Duration = Duration::from_secs(120);

/// Named check.
type Check = (&'static str, Box<dyn FnOnce() -> anyhow::Result<()>>);

/// All checks. Each installs what it needs and doesn't find.
pub fn all(folders: &WorkspacePaths) -> Vec<Check> {
    let root = folders.root.clone();
    let of_cargo = |name, component: &'static str, arguments: &'static str| -> Check {
        let root = root.clone();
        let check = move || {
            ensure(component)?;
            run_or_fail(cargo().current_dir(root).args(arguments.split(' ')))
        };
        (name, Box::new(check))
    };
    let of_tool = |name, tool: &'static str, arguments: &'static str| -> Check {
        let root = root.clone();
        let check = move || {
            run_or_fail(
                installed(tool)?
                    .current_dir(root)
                    .args(arguments.split_whitespace()),
            )
        };
        (name, Box::new(check))
    };
    let (docs, own, sources) = (root.clone(), root.clone(), root.clone());
    vec![
        (
            "Lines of Rust: product, lab",
            Box::new(move || lines::check(&sources)),
        ),
        of_cargo("Format", "rustfmt", "fmt --all --check"),
        of_cargo(
            "Clippy",
            "clippy",
            "clippy --profile sim --workspace --all-targets --features dewy/conformance -- --deny warnings",
        ),
        ("Documentation", Box::new(move || documentation(&docs))),
        of_tool(
            "Bans, licenses, sources",
            "cargo-deny",
            "--locked check bans licenses sources",
        ),
        ("Advisories", Box::new(move || advisories(&own))),
        of_tool("Unused dependencies", "cargo-shear", "shear --locked"),
        of_tool("Spelling", "typos-cli", ""),
    ]
}

/// Builds the documentation from the crates as clippy checked them: cargo takes another compiler's
/// result for stale, and would check everything once more.
fn documentation(root: &Path) -> anyhow::Result<()> {
    let mut doc = cargo();
    if let Some(sysroot) = run_program::output(Command::new("rustc").args(["--print", "sysroot"])) {
        doc.env(
            "RUSTC_WORKSPACE_WRAPPER",
            Path::new(&sysroot).join("bin/clippy-driver"),
        );
        doc.env(
            "CLIPPY_ARGS",
            "--deny__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__",
        );
    }
    run_or_fail(
        doc.current_dir(root)
            .args(["doc", "--profile", "sim", "--workspace", "--no-deps"])
            .args(["--features", "dewy/conformance"])
            .env("RUSTDOCFLAGS", "--deny warnings"),
    )
}

/// Installs a component of the toolchain; rustup's proxies exist without it.
fn ensure(component: &str) -> anyhow::Result<()> {
    let command = if component == "rustfmt" {
        "fmt"
    } else {
        component
    };
    if run_program::output(cargo().args([command, "--version"])).is_some() {
        return Ok(());
    }
    if find("rustup").is_none() {
        bail!(
            "cargo {command} is missing, and rustup is not installed; install {component} for this compiler"
        );
    }
    run_or_fail(Command::new("rustup").args(["component", "add", component]))
}

/// Downloads the advisory database. If that fails, an older one is used; with none, the check is
/// skipped with a message, except on GitHub, where the download works.
fn advisories(root: &Path) -> anyhow::Result<()> {
    let deny = |arguments: &[&str]| -> anyhow::Result<Command> {
        let mut deny = installed("cargo-deny")?;
        deny.current_dir(root).args(arguments);
        Ok(deny)
    };
    match run_program::within(FETCH_LIMIT, &mut deny(&["fetch", "db"])?) {
        Ok(()) => run_or_fail(&mut deny(&[
            "--offline",
            "--locked",
            "check",
            "advisories",
        ])?),
        Err(why) if std::env::var_os("GITHUB_ACTIONS").is_some() => Err(why),
        Err(why) if fetched() => {
            progress_output::line(&format!(
                "  warning: {why:#}; continuing with the previously fetched list"
            ));
            run_or_fail(&mut deny(&[
                "--offline",
                "--locked",
                "check",
                "advisories",
            ])?)
        }
        Err(why) => {
            progress_output::line(&format!("  warning: {why:#}; continuing without it"));
            Ok(())
        }
    }
}

/// Whether a database was downloaded earlier.
fn fetched() -> bool {
    let lists = cargo_home().join("advisory-dbs").read_dir();
    lists.is_ok_and(|mut lists| {
        lists.any(|list| list.is_ok_and(|list| list.path().join("crates").is_dir()))
    })
}
