//! `cargo xtask interop`: tests the sandbox with the vendors' own clients, and the REST interface
//! with a fuzzer.
//!
//! ```text
//! end2end/interop ──copied──► target/interop ◄── npm ci, pip install (pinned)
//!                               │
//!   stripe, jsforce, twilio ────┤ node     ──► dewy sandbox
//!   stripe, simple-salesforce ──┤ python
//!   schemathesis ───────────────┘          ──► dewy serve /api ──► another dewy sandbox
//! ```
//! Building and running the hotel needs none of this, so it is not part of `cargo xtask test`.

mod clients;
mod fuzz;
mod python_setup;

use std::{fs, path::Path};

use anyhow::bail;

use crate::{
    node, npm_packages, progress_output, run_program, test_server::TestServer,
    workspace_paths::WorkspacePaths,
};

/// All peers by name, in the order they run.
const PEERS: [(&str, Kind); 6] = [
    ("stripe-node", Kind::Node("stripe.mjs")),
    ("stripe-python", Kind::Python("stripe_client.py")),
    ("jsforce", Kind::Node("jsforce.mjs")),
    ("simple-salesforce", Kind::Python("salesforce_client.py")),
    ("twilio", Kind::Node("twilio.mjs")),
    ("rest", Kind::Fuzzer),
];

/// Minimum version of Node for `stripe` and `twilio`.
const MIN_NODE_VERSION: u32 = 20;

/// Kind of peer, with its script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Node(&'static str),
    Python(&'static str),
    Fuzzer,
}

/// Runs the named peers, or all; fails when one of them finds a difference.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let wanted = chosen(arguments)?;
    let is_node = |(_, kind): &(&str, Kind)| matches!(kind, Kind::Node(_));
    let needs_node = wanted.iter().any(is_node);
    if needs_node {
        node::at_least(MIN_NODE_VERSION, "the vendors' clients")?;
    }
    let python = if wanted.iter().all(is_node) {
        None
    } else {
        Some(python_setup::find()?)
    };
    let folders = WorkspacePaths::find();
    let folder = folders.target.join("interop");
    copy(&folders.end2end.join("interop"), &folder)?;
    if needs_node {
        npm_packages::ensure_in(&folder)?;
    }
    let python = python
        .map(|python| python_setup::install(&python, &folder))
        .transpose()?;
    progress_output::step("The server", || {
        run_program::run_or_fail(
            run_program::cargo()
                .current_dir(&folders.root)
                .args("build --package dewy --bin dewy".split(' ')),
        )
    })?;
    let server = TestServer::new(&folders, "dev", "interop")?;
    let mut failed = Vec::new();
    for (name, kind) in wanted {
        let done = match (kind, &python) {
            (Kind::Fuzzer, Some(python)) => fuzz::run(&server, python, &folder),
            (Kind::Python(script), Some(python)) => clients::run(&server, python, &folder, script),
            (Kind::Node(script), _) => clients::run(&server, Path::new("node"), &folder, script),
            (_, None) => continue,
        };
        if let Err(why) = done {
            progress_output::line(&format!("✗ {name}: {why:#}"));
            failed.push(name);
        }
    }
    if failed.is_empty() {
        progress_output::line("✓ All interop checks passed");
        Ok(())
    } else {
        bail!("failed: {}", failed.join(", "))
    }
}

fn chosen(arguments: &[String]) -> anyhow::Result<Vec<(&'static str, Kind)>> {
    if arguments.is_empty() {
        return Ok(PEERS.to_vec());
    }
    let named = |name: &String| PEERS.into_iter().find(|peer| peer.0 == name);
    match arguments.iter().find(|name| named(name).is_none()) {
        Some(name) => {
            let names = PEERS.map(|peer| peer.0).join(", ");
            bail!("there is no {name}; choose from {names}")
        }
        None => Ok(arguments.iter().filter_map(named).collect()),
    }
}

/// Packages are installed beside the copied scripts, so that the source tree stays unchanged.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
