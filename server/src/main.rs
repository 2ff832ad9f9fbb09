//! The binary `dewy`.

use std::process::ExitCode;

use clap::Parser;
use dewy_server::{cli::Cli, commands};

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
