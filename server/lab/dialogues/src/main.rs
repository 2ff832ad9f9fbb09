//! Plays the dialogues and prints the scores: `cargo xtask dialogues`.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use dewy_dialogues::{Options, Player};

/// Command line.
#[derive(Debug, Parser)]
struct Arguments {
    /// Who plays the model: gold, nothing, reckless, offline, or model (a server named by OPENAI_BASE_URL).
    /// By default gold, nothing and offline.
    #[arg(long)]
    player: Vec<Player>,
    /// Plays only dialogues whose name contains this; may be repeated.
    #[arg(long)]
    only: Vec<String>,
    /// Number of dialogues played at the same time.
    #[arg(long, default_value_t = 4)]
    jobs: usize,
    /// Prints every conversation.
    #[arg(long)]
    verbose: bool,
    /// Program of the hotel; by default the one beside this program.
    #[arg(long)]
    program: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(code) => code,
        Err(why) => {
            eprintln!("dialogues: {why:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> anyhow::Result<ExitCode> {
    let Arguments {
        player,
        only,
        jobs,
        verbose,
        program,
    } = Arguments::parse();
    let players = if player.is_empty() {
        vec![Player::Gold, Player::Nothing, Player::Offline]
    } else {
        player
    };
    let program = match program {
        Some(program) => program,
        None => {
            std::env::current_exe()?.with_file_name(format!("dewy{}", std::env::consts::EXE_SUFFIX))
        }
    };
    let options = Options {
        players,
        only,
        jobs,
    };
    let reports = dewy_dialogues::run(&options, &program).await?;
    dewy_dialogues::print(&reports, verbose);
    let wrong: Vec<String> = reports.iter().flat_map(|report| report.broken()).collect();
    for line in &wrong {
        println!("{line}");
    }
    Ok(if wrong.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
