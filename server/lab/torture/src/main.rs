//! `cargo xtask kill`: runs the torture test against the `dewy` binary beside this program. Exits
//! with 1 when an invariant is violated.

use std::process::ExitCode;

use clap::Parser;
use dewy_torture::{Options, print, print_scenarios, run, scenes};

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let ended = tokio::select! {
        ended = all(&options) => ended,
        // The processes end with the handles that are dropped here.
        _ = tokio::signal::ctrl_c() => Err(anyhow::anyhow!("interrupted")),
    };
    match ended {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("kill run: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Number of violations.
async fn all(options: &Options) -> anyhow::Result<usize> {
    let program =
        std::env::current_exe()?.with_file_name(format!("dewy{}", std::env::consts::EXE_SUFFIX));
    if options.scenes {
        let reports = scenes(options.store, &program).await?;
        print_scenarios(&reports);
        return Ok(reports.iter().map(|report| report.violations.len()).sum());
    }
    let reports = run(options, &program).await?;
    print(&reports);
    Ok(reports.iter().map(|report| report.violations.len()).sum())
}
