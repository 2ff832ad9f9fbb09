//! `cargo xtask conformance`: runs the public MCP conformance suite, the MCP Inspector, and clients
//! that people use against a dedicated hotel.
//!
//! ```text
//! fixture persona ─► suite, 2026-07-28 and 2025-11-25 ─► nothing may fail
//! guest, staff    ─► suite, 2026-07-28               ─► only the failures in end2end/mcp/expected.yml
//!                 ─► Inspector, tools/list --strict  ─► no error in any schema, in both protocol generations
//! guest           ─► seven clients (end2end/mcp/clients.mjs) ─► read, write once, refusal; ajv, strict
//! ```
//! Requires npm; a recent enough Node is installed with the suite. `cargo xtask test` runs it with the
//! server that the browser tests use.

mod suite;

use anyhow::bail;

use crate::{
    node, progress_output,
    run_program::{cargo, run_or_fail},
    test_server::TestServer,
    workspace_paths::WorkspacePaths,
};
use suite::Suite;

/// Names the hotel's files.
const HOTEL: &str = "mcp";

/// Protocol revisions that are tested on the fixtures.
const REVISIONS: [&str; 2] = ["2026-07-28", "2025-11-25"];

/// Installs what is missing and runs all checks; with an argument only that persona's.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let folders = WorkspacePaths::find();
    progress_output::step("The server with the fixtures", || {
        let build = ["build", "--package", "dewy", "--features", "conformance"];
        run_or_fail(cargo().current_dir(&folders.root).args(build))
    })?;
    check(&folders, "dev", arguments)
}

/// Runs the checks against a server that was built with its fixtures.
pub fn check(folders: &WorkspacePaths, profile: &str, arguments: &[String]) -> anyhow::Result<()> {
    node::ensure()?;
    let suite = Suite::install(folders)?;
    let server = TestServer::new(folders, profile, "conformance")?;
    let sandbox = server.sandbox(HOTEL)?;
    let hotel = server.hotel(HOTEL, &sandbox)?;
    let wanted = |persona: &str| {
        arguments.is_empty() || arguments.iter().any(|argument| argument == persona)
    };
    let mut failed = Vec::new();
    for persona in ["conformance", "guest", "staff"]
        .into_iter()
        .filter(|persona| wanted(persona))
    {
        let fixtures = persona == "conformance";
        let (kind, account) = match persona {
            "guest" => ("--guest", "beth.gibbs@email.com"),
            _ => ("--staff", "manager@dewy.example"),
        };
        let token = server.run_dewy(HOTEL, &sandbox, &["token", "create", kind, account])?;
        let url = format!("{}/mcp/{persona}", hotel.url);
        for revision in REVISIONS
            .iter()
            .filter(|revision| fixtures || **revision == REVISIONS[0])
        {
            let expected = (!fixtures).then(|| folders.end2end.join("mcp/expected.yml"));
            let what = format!("The suite, {revision}, on /mcp/{persona}");
            if let Err(why) = progress_output::step(&what, || {
                suite.run_revision(&url, &token, revision, expected.as_deref(), persona)
            }) {
                failed.push(format!("{what}: {why:#}"));
            }
        }
        if !fixtures {
            let what = format!("The Inspector on /mcp/{persona}");
            if let Err(why) = progress_output::step(&what, || suite.inspect(&url, &token)) {
                failed.push(format!("{what}: {why:#}"));
            }
        }
    }
    if wanted("clients") {
        let order = ["token", "create", "--guest", "beth.gibbs@email.com"];
        let token = server.run_dewy(HOTEL, &sandbox, &order)?;
        let url = format!("{}/mcp/guest", hotel.url);
        if let Err(why) =
            progress_output::step("Clients of MCP", || suite.run_clients(&url, &token))
        {
            failed.push(format!("clients: {why:#}"));
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        bail!("{}", failed.join("\n"))
    }
}
