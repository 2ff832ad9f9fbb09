//! A vendor's client, run by its script against a sandbox of its own.

use std::{path::Path, process::Command};

use super::test_server::TestServer;
use crate::process::must;

/// What would lead a client elsewhere: a developer's own settings.
const FOREIGN: [&str; 10] = [
    "TWILIO_EDGE",
    "TWILIO_REGION",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "PYTHONPATH",
    "NODE_OPTIONS",
];

/// Runs a script; it prints its own lines, and its exit code is the verdict.
pub fn run(house: &TestServer, program: &Path, folder: &Path, script: &str) -> anyhow::Result<()> {
    let sandbox = house.sandbox(script)?;
    let mut client = Command::new(program);
    client
        .current_dir(folder)
        .arg(script)
        .env("SANDBOX_URL", &sandbox.url);
    // Nothing of the developer's own configuration: a client must never reach a live system.
    for name in FOREIGN {
        client.env_remove(name);
    }
    must(
        client
            .env("NO_PROXY", "127.0.0.1")
            .env("PYTHONDONTWRITEBYTECODE", "1"),
    )
}
