//! Fuzz test of the REST interface, based only on its OpenAPI document.

use std::{path::Path, process::Command};

use anyhow::bail;

use crate::run_program::run_or_fail;
use crate::test_server::TestServer;

/// Guest whose stay is fuzzed; staff act for everybody.
const GUEST: &str = "beth.gibbs@email.com";

/// Callers: the tools of a persona, with a token that may call all of them.
const CALLERS: [(&str, [&str; 4]); 2] = [
    ("guest", ["token", "create", "--guest", GUEST]),
    (
        "staff",
        ["token", "create", "--staff", "manager@dewy.example"],
    ),
];

/// Fuzzes the tools of both personas, each in its own hotel.
pub fn run(server: &TestServer, python: &Path, folder: &Path) -> anyhow::Result<()> {
    let mut failed = Vec::new();
    for (persona, order) in CALLERS {
        let sandbox = server.sandbox(persona)?;
        let hotel = server.hotel(persona, &sandbox)?;
        let token = server.run_dewy(persona, &sandbox, &order)?;
        let mut fuzzer = Command::new(python);
        fuzzer
            .current_dir(folder)
            .args(["fuzz.py", persona])
            .env("PYTHONDONTWRITEBYTECODE", "1");
        fuzzer
            .env("HOTEL_URL", &hotel.url)
            .env("SANDBOX_URL", &sandbox.url)
            .env("TOKEN", token)
            .env("GUEST", GUEST);
        if run_or_fail(&mut fuzzer).is_err() {
            failed.push(persona);
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        bail!("as {}", failed.join(" and as "))
    }
}
