//! What is checked without running anything.

use std::path::{Path, PathBuf};

use crate::{
    places::Places,
    process::{self, cargo, find, must},
    say,
};

/// Programs of cargo's that check dependencies and spelling; at these versions, so that a new one does not turn a tree red.
const TOOLS: [(&str, &str); 3] = [("cargo-deny", "0.20.2"), ("cargo-machete", "0.9.2"), ("typos-cli", "1.52.0")];

/// A check, by name.
type Check = (String, Box<dyn FnOnce() -> anyhow::Result<()>>);

/// All of them, after what they need was installed.
pub fn all(places: &Places) -> anyhow::Result<Vec<Check>> {
    for (component, program) in [("rustfmt", "cargo-fmt"), ("clippy", "cargo-clippy")] {
        if find(program).is_none() {
            must(std::process::Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    let tools = tools()?;
    let root = places.root.clone();
    let of_cargo = |name: &str, arguments: &[&str], variables: &[(&'static str, &'static str)]| -> Check {
        let (root, variables) = (root.clone(), variables.to_vec());
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        (name.to_owned(), Box::new(move || must(cargo().current_dir(root).args(arguments).envs(variables))))
    };
    let of_tool = |name: &str, tool: &str, arguments: &[&str]| -> Check {
        let (root, program) = (root.clone(), tools.join(format!("{tool}{}", std::env::consts::EXE_SUFFIX)));
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        (name.to_owned(), Box::new(move || must(std::process::Command::new(program).current_dir(root).args(arguments))))
    };
    let clippy = ["clippy", "--profile", "sim", "--workspace", "--all-targets", "--", "--deny", "warnings"];
    let doc = ["doc", "--profile", "sim", "--workspace", "--no-deps"];
    Ok(vec![
        of_cargo("Format", &["fmt", "--all", "--check"], &[]),
        of_cargo("Clippy", &clippy, &[]),
        of_cargo("Documentation", &doc, &[("RUSTDOCFLAGS", "--deny warnings")]),
        of_tool("Bans, licenses, sources", "cargo-deny", &["--locked", "check", "bans", "licenses", "sources"]),
        advisories(&root, &tools),
        of_tool("Unused dependencies", "cargo-machete", &[]),
        of_tool("Spelling", "typos", &[]),
    ])
}

/// The list of advisories is fetched; where that cannot be, it is said and nothing more, except on GitHub, where it can.
fn advisories(root: &Path, tools: &Path) -> Check {
    let (root, program) = (root.to_path_buf(), tools.join("cargo-deny"));
    let check = move || {
        let done =
            must(std::process::Command::new(program).current_dir(root).args(["--locked", "check", "advisories"]));
        match done {
            Err(why) if std::env::var_os("GITHUB_ACTIONS").is_none() && !fetched() => {
                say::line(&format!("  warning: {why:#}; going on, for the list could not be fetched"));
                Ok(())
            }
            done => done,
        }
    };
    ("Advisories".to_owned(), Box::new(check))
}

/// Whether the list of advisories is there, from now or from an earlier time.
fn fetched() -> bool {
    cargo_home()
        .join("advisory-dbs")
        .read_dir()
        .is_ok_and(|mut lists| lists.any(|list| list.is_ok_and(|list| list.path().join("crates").is_dir())))
}

fn cargo_home() -> PathBuf {
    let home = || std::env::home_dir().unwrap_or_default().join(".cargo");
    std::env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from)
}

/// The folder with the programs; what is missing is built, once for all checkouts.
fn tools() -> anyhow::Result<PathBuf> {
    let root = cargo_home();
    for (name, version) in TOOLS {
        let program = name.trim_end_matches("-cli");
        let installed = process::output(std::process::Command::new(root.join("bin").join(program)).arg("--version"));
        if installed.is_none_or(|printed| !printed.ends_with(version)) {
            say::step(&format!("{name} {version}"), || {
                let install = ["install", "--quiet", "--locked", "--version", version, name];
                must(cargo().args(install).current_dir(&root))
            })?;
        }
    }
    Ok(root.join("bin"))
}
