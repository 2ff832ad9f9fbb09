//! Commands of the binary. Each has a file, except `migrate`, which is here.

mod adopt;
mod audit;
mod check;
pub mod cli;
mod guest;
mod replay;
mod sandbox;
mod serve;
mod staff;
mod sweep;
mod token;

use dewy_connectors::RealClock;
use dewy_domain::email_address::EmailAddress;
use std::sync::Arc;

use anyhow::{Context, anyhow};

use crate::{
    commands::cli::{AuditCommand, Cli, Command, GuestCommand, StaffCommand, TokenCommand},
    config::Config,
    startup::open_store,
};

/// Runs a command.
///
/// # Errors
/// Why it failed, for the person at the terminal.
pub async fn run(cli: Cli) -> anyhow::Result<()> {
    let command = cli.command.unwrap_or(Command::Serve { migrate: false });
    let mut config = match command {
        Command::Serve { .. } | Command::Sweep | Command::Check => Config::from_env()?,
        // These use no outside system, so they need none of its keys.
        _ => Config::of_store_from_env()?,
    };
    match command {
        Command::Serve { migrate } => {
            config.migrate |= migrate;
            serve::run(&config).await
        }
        Command::Sweep => sweep::run(&config).await,
        Command::Adopt { id } => adopt::run(&config, id.trim()).await,
        Command::Check => check::run(&config).await,
        Command::Sandbox(args) => sandbox::run(&config, &args).await,
        Command::Migrate => migrate(&config).await,
        Command::Token(TokenCommand::Create(args)) => token::create(&config, &args).await,
        Command::Token(TokenCommand::List) => token::list(&config).await,
        Command::Token(TokenCommand::Revoke { id }) => token::revoke(&config, &id).await,
        Command::Audit(AuditCommand::Verify) => audit::verify(&config).await,
        Command::Replay { file } => replay::run(&config, &file).await,
        Command::Guest(GuestCommand::Erase(args)) => guest::erase(&config, &args).await,
        Command::Staff(StaffCommand::Add(args)) => staff::add(&config, &args).await,
        Command::Staff(StaffCommand::Disable { email }) => staff::disable(&config, &email).await,
    }
}

async fn migrate(config: &Config) -> anyhow::Result<()> {
    let store = open_store::to_migrate(config, Arc::new(RealClock)).await?;
    store
        .migrate()
        .await
        .context("the store can't be migrated")?;
    match store.newer_migration().await? {
        None => println!("The store is up to date."),
        Some(step) => {
            println!("The store is up to date, and one step newer than this release: {step}.")
        }
    }
    store.close().await;
    Ok(())
}

fn email(text: &str) -> anyhow::Result<EmailAddress> {
    text.parse()
        .map_err(|_| anyhow!("{text:?} is not an email address"))
}
