//! The binary `dewy`.

use std::process::ExitCode;

use clap::Parser;
use dewy_server::{cli::Cli, commands};
use mimalloc::MiMalloc;

/// A page is thousands of small allocations.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    match commands::run(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dewy: {error:#}");
            ExitCode::FAILURE
        }
    }
}
