//! The binary `dewy`.

use std::process::ExitCode;

use clap::Parser;
use dewy_server::commands::{self, cli::Cli};
use mimalloc::MiMalloc;

/// A page is thousands of small allocations.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Start of the panic message of `println!` when nobody reads the output any more.
const OUTPUT_CLOSED: &str = "failed printing to stdout";

/// Ends quietly when the reader of the output is gone, as in `dewy check | head`.
fn end_quietly_without_reader() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        if message.is_some_and(|message| message.starts_with(OUTPUT_CLOSED)) {
            std::process::exit(0);
        }
        default(panic);
    }));
}

#[tokio::main]
async fn main() -> ExitCode {
    end_quietly_without_reader();
    match commands::run(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dewy: {error:#}");
            ExitCode::FAILURE
        }
    }
}
