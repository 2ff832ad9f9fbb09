//! Our REST interface under a fuzzer that knows only our OpenAPI document.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::bail;

use super::house::{House, Running};
use crate::say;

/// Who calls: the tools of a persona, with a token of somebody who may call them all.
const CALLERS: [(&str, [&str; 4]); 2] = [
    ("staff", ["token", "create", "--staff", "manager@dewy.example"]),
    ("guest", ["token", "create", "--guest", "beth.gibbs@email.com"]),
];

/// No 5xx; nothing that the document does not say: status, headers, type and shape of the answer, methods; and what the
/// document forbids is refused. That every allowed input is *accepted* is not asked: a booking that does not exist is a 404.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,\
                      response_schema_conformance,negative_data_rejection,missing_required_header,unsupported_method,\
                      allow_header_conformance,ignored_auth";

/// Below the 600 calls a minute that one caller may make: beyond, every answer would be the same 429.
const PACE: &str = "9/s";
/// Inputs made up for each tool, beside those at the edges of its schema. The seed makes a failure come again.
const MADE_UP: &str = "40";
const SEED: &str = "4";

/// Fuzzes both personas' tools.
pub fn run(house: &House, schemathesis: &Path, folder: &Path) -> anyhow::Result<()> {
    let sandbox = house.sandbox("rest")?;
    let hotel = house.hotel("rest", &sandbox)?;
    let mut failed = Vec::new();
    for (persona, order) in CALLERS {
        let token = house.ask("rest", &sandbox, &order)?;
        say::line(&format!("schemathesis, {persona}"));
        if let Err(why) = fuzz(schemathesis, folder, &hotel, persona, &token) {
            failed.push(format!("{persona}: {why:#}"));
        }
    }
    if failed.is_empty() { Ok(()) } else { bail!("{}", failed.join("; ")) }
}

fn fuzz(schemathesis: &Path, folder: &Path, hotel: &Running, persona: &str, token: &str) -> anyhow::Result<()> {
    let mut command = Command::new(schemathesis);
    command.current_dir(folder).arg("run").arg(format!("{}/api/openapi.json", hotel.url));
    command.args(["--include-path-regex", &format!("^/api/{persona}/"), "--header"]);
    command.arg(format!("Authorization: Bearer {token}"));
    command.args(["--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", MADE_UP]);
    command.args(["--rate-limit", PACE, "--seed", SEED, "--generation-database", "none", "--no-color"]);
    command.args(["--continue-on-failure", "--suppress-health-check", "all", "--warnings", "off"]);
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    let told = String::from_utf8_lossy(&output.stdout);
    let report = folder.join(format!("schemathesis-{persona}.txt"));
    fs::write(&report, told.as_bytes())?;
    if output.status.success() {
        let summary = told.find("= SUMMARY =").map_or(&*told, |at| &told[at..]);
        for line in summary.lines().skip(1).filter(|line| !line.trim().is_empty() && !line.starts_with('=')) {
            say::line(&format!("  {}", line.trim_end()));
        }
        return Ok(());
    }
    say::line(&told);
    bail!("see {}", report.display())
}
