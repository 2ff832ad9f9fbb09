//! `cargo xtask vendors`: what we send, and what the sandbox answers, judged by the declarations of
//! the vendors' own packages.
//!
//! ```text
//! connectors' requests, sandbox's answers ── Rust tests ─► target/tmp/vendors/*.ts ─┐
//! public/pay.js, the sandbox's table of parameters ────────────────────────────────┼─► TypeScript, strict
//! openai, stripe, @stripe/stripe-js, twilio ── npm ci (pinned) ─────────────────────┘
//! the sandbox's status callbacks ─► Twilio's own check of signatures; signatures of Twilio's client ─► ours
//! google-libphonenumber ─► example numbers, dialed in six countries ─► the connectors' tests
//! SOQL of all connector tests ─► soql.jsonl ─► two parsers, one of them Salesforce's
//! ```

use std::process::Command;

use crate::{
    node, npm_packages, progress_output,
    run_program::{cargo, run_or_fail},
    workspace_paths::WorkspacePaths,
};

/// Installs what is missing, writes requests and answers, and judges them.
pub fn run() -> anyhow::Result<()> {
    let folders = WorkspacePaths::find();
    node::ensure()?;
    npm_packages::ensure(&folders)?;
    progress_output::step("Requests and answers", || {
        let tests = [
            // All of them: each SOQL text that they send is judged
            ("dewy-connectors", "it", ""),
            ("dewy-sandbox", "sandbox", "_shapes::"),
        ];
        for (package, target, name) in tests {
            let test = [
                "test",
                "--profile",
                "sim",
                "--package",
                package,
                "--test",
                target,
                name,
            ];
            run_or_fail(cargo().current_dir(&folders.root).args(test))?;
        }
        Ok(())
    })?;
    check(&folders)
}

/// Judges what the Rust tests have written.
pub fn check(folders: &WorkspacePaths) -> anyhow::Result<()> {
    let written = folders.target.join("tmp/vendors");
    let script = |name: &str| {
        let mut node = Command::new("node");
        node.current_dir(&folders.end2end)
            .arg(format!("vendors/{name}"));
        node
    };
    run_or_fail(&mut script("stripe-params.mjs"))?;
    run_or_fail(&mut script("phones.mjs"))?;
    run_or_fail(&mut script("twilio-params.mjs"))?;
    run_or_fail(script("stripe.mjs").arg(&written))?;
    run_or_fail(script("openai.mjs").arg(&written))?;
    run_or_fail(script("twilio.mjs").arg(&written))?;
    run_or_fail(script("soql.mjs").arg(written))
}
