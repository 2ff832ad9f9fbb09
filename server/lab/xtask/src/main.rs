//! `cargo xtask …`: installs missing tools, builds, and runs. `cargo run` and `cargo test` also
//! work without it.

mod apt;
mod bench;
mod bundle;
mod chromium;
mod dialogues;
mod e2e;
mod install_postgres;
mod interop;
mod kill;
mod lines;
mod lint_tools;
mod mcp_conformance;
mod nginx;
mod node;
mod npm_packages;
mod progress_output;
mod run;
mod run_program;
mod static_checks;
mod test;
mod test_server;
mod vendors;
mod wasm_toolchain;
mod watch;
mod workspace_paths;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask run [-- ARGS]         build everything and serve the hotel at http://127.0.0.1:3000
cargo xtask watch [ARGS]          the same, with rebuild and reload when a file is saved
cargo xtask test [--deep]         everything CI checks: lints, Rust tests, a real browser; --deep adds every pair of faults and 20,000 seeds
cargo xtask lint                  only the lints
cargo xtask lines                 lines of Rust by crate: of the product, of the lab and tests
cargo xtask vendors               only requests and answers against the declarations of the vendors' own packages
cargo xtask e2e [ARGS]            only the browser tests; ARGS go to Playwright
cargo xtask gallery [ARGS]        screenshots of every page, in target/gallery
cargo xtask bundle                only the browser bundle, in target/site
cargo xtask bench NAME [ARGS]     a benchmark, in release mode: engine, mcp, messages, pages, talk
cargo xtask conformance [NAMES]   the MCP conformance suite and Inspector as conformance (the fixtures), guest, staff; clients
cargo xtask dialogues [ARGS]      100 conversations with the concierge, judged by the ledgers; --player gold|nothing|reckless|offline|model --only NAME --verbose
cargo xtask kill [ARGS]           kill -9 at 200 random moments under load; --rounds N --store sqlite|postgres|both --seed S; --scenes for faults of the store
cargo xtask interop [NAMES]       the vendors' own clients against the sandbox, and a fuzzer against the REST API (Node, Python)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = arguments
        .split_first()
        .map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    let done = match command {
        "run" => run::run(rest),
        "watch" => watch::run(rest),
        "test" => test::run(rest),
        "lint" => test::lint(),
        "lines" => lines::check(&workspace_paths::WorkspacePaths::find().root),
        "vendors" => vendors::run(),
        "e2e" => e2e::run(rest),
        "gallery" => e2e::gallery(rest),
        "bundle" => bundle::build(&workspace_paths::WorkspacePaths::find()).map(|_| ()),
        "bench" => bench::run(rest),
        "dialogues" => dialogues::run(rest),
        "kill" => kill::run(rest),
        "interop" => interop::run(rest),
        "conformance" => mcp_conformance::run(rest),
        _ => {
            progress_output::line(USAGE);
            return if command.is_empty() || command == "help" || command == "--help" {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(2)
            };
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            progress_output::line(&format!("xtask: {why:#}"));
            ExitCode::FAILURE
        }
    }
}
