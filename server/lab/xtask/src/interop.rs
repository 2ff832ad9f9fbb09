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
mod node_setup;
mod python_setup;

use std::{fs, path::Path};

use anyhow::bail;

use crate::{
    progress_output, run_program, test_server::TestServer, workspace_paths::WorkspacePaths,
};

/// All peers, in the order they run.
const PEERS: [InteropPeer; 6] = [
    InteropPeer::node("stripe-node", "stripe.mjs"),
    InteropPeer::python("stripe-python", "stripe_client.py"),
    InteropPeer::node("jsforce", "jsforce.mjs"),
    InteropPeer::python("simple-salesforce", "salesforce_client.py"),
    InteropPeer::node("twilio", "twilio.mjs"),
    InteropPeer {
        name: "rest",
        kind: Kind::Fuzzer,
    },
];

/// Interoperability peer.
#[derive(Clone, Copy, Debug)]
struct InteropPeer {
    /// Name on the command line.
    name: &'static str,
    kind: Kind,
}

/// Kind of peer, with its script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Node(&'static str),
    Python(&'static str),
    Fuzzer,
}

impl InteropPeer {
    const fn node(name: &'static str, script: &'static str) -> Self {
        Self {
            name,
            kind: Kind::Node(script),
        }
    }

    const fn python(name: &'static str, script: &'static str) -> Self {
        Self {
            name,
            kind: Kind::Python(script),
        }
    }
}

/// Runs the named peers, or all; fails when one of them finds a difference.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let wanted = chosen(arguments)?;
    let needs_node = wanted.iter().any(|peer| matches!(peer.kind, Kind::Node(_)));
    let needs_python = wanted
        .iter()
        .any(|peer| !matches!(peer.kind, Kind::Node(_)));
    if needs_node {
        node_setup::find()?;
    }
    let python = if needs_python {
        Some(python_setup::find()?)
    } else {
        None
    };
    let folders = WorkspacePaths::find();
    let folder = folders.target.join("interop");
    copy(&folders.end2end.join("interop"), &folder)?;
    if needs_node {
        node_setup::install(&folder)?;
    }
    let python = python
        .map(|python| python_setup::install(&python, &folder))
        .transpose()?;
    progress_output::step("The server", || {
        run_program::run_or_fail(run_program::cargo().current_dir(&folders.root).args([
            "build",
            "--package",
            "dewy",
            "--bin",
            "dewy",
        ]))
    })?;
    let server = TestServer::new(&folders, "dev", "interop")?;
    let mut failed = Vec::new();
    for peer in wanted {
        let done = match (peer.kind, &python) {
            (Kind::Fuzzer, Some(python)) => fuzz::run(&server, python, &folder),
            (Kind::Python(script), Some(python)) => clients::run(&server, python, &folder, script),
            (Kind::Node(script), _) => clients::run(&server, Path::new("node"), &folder, script),
            (_, None) => continue,
        };
        if let Err(why) = done {
            progress_output::line(&format!("✗ {}: {why:#}", peer.name));
            failed.push(peer.name);
        }
    }
    if failed.is_empty() {
        progress_output::line("✓ All interop checks passed");
        Ok(())
    } else {
        bail!("failed: {}", failed.join(", "))
    }
}

fn chosen(arguments: &[String]) -> anyhow::Result<Vec<InteropPeer>> {
    if arguments.is_empty() {
        return Ok(PEERS.to_vec());
    }
    let named = |name: &String| PEERS.into_iter().find(|peer| peer.name == name);
    match arguments.iter().find(|name| named(name).is_none()) {
        Some(name) => bail!(
            "there is no {name}; choose from {}",
            PEERS.map(|peer| peer.name).join(", ")
        ),
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
