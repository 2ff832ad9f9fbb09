//! `cargo xtask conformance`: runs the public MCP conformance suite and the MCP Inspector against a
//! dedicated hotel.
//!
//! ```text
//! fixture persona ─► suite, 2026-07-28 and 2025-11-25 ─► nothing may fail
//! guest, staff    ─► suite, 2026-07-28               ─► only the failures in end2end/mcp/expected.yml
//!                 ─► Inspector, tools/list --strict  ─► no error in any schema, in both protocol generations
//! ```
//! Requires npm; a recent enough Node is downloaded with the suite. Not part of `cargo xtask test`.

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
    node::ensure()?;
    let suite = Suite::install(&folders)?;
    progress_output::step("The server with the fixtures", || {
        let build = ["build", "--package", "dewy", "--features", "conformance"];
        run_or_fail(cargo().current_dir(&folders.root).args(build))
    })?;
    let server = TestServer::new(&folders, "conformance")?;
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
    if failed.is_empty() {
        Ok(())
    } else {
        bail!("{}", failed.join("\n"))
    }
}
