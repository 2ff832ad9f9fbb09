//! Vendor client, run by its script against a dedicated sandbox.

use std::{path::Path, process::Command};

use crate::run_program::run_or_fail;
use crate::test_server::TestServer;

/// Environment variables that would direct a client elsewhere.
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

/// Runs a script; it prints its own output, and its exit code is the result.
pub fn run(server: &TestServer, program: &Path, folder: &Path, script: &str) -> anyhow::Result<()> {
    let sandbox = server.sandbox(script)?;
    let mut client = Command::new(program);
    client
        .current_dir(folder)
        .arg(script)
        .env("SANDBOX_URL", &sandbox.url);
    // Without the developer's own configuration: a client must never reach a live system.
    for name in FOREIGN {
        client.env_remove(name);
    }
    run_or_fail(
        client
            .env("NO_PROXY", "127.0.0.1")
            .env("PYTHONDONTWRITEBYTECODE", "1"),
    )
}
