//! `dewy token create|list|revoke`.

use std::sync::Arc;

use anyhow::{anyhow, bail};
use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::{
    caller::{Persona, Role},
    ports::{Clock, TokenError, TokenOrder, TokenView},
};
use jiff::Timestamp;

use super::email;
use crate::{
    auth::{TokenIssuer, staff_role, token_view},
    commands::cli::TokenArgs,
    config::Config,
    startup::open_store,
};

/// Creator shown in lists.
const BY: &str = "cli";

/// Prints the token and nothing else, so that `TOKEN=$(dewy token create …)` works. May run
/// alongside `dewy serve`.
pub async fn create(config: &Config, args: &TokenArgs) -> anyhow::Result<()> {
    let (persona, text) = match (&args.whom.guest, &args.whom.staff) {
        (Some(guest), _) => (Persona::Guest, guest),
        (None, Some(staff)) => (Persona::Staff, staff),
        (None, None) => bail!("specify an owner: --guest EMAIL or --staff EMAIL"),
    };
    let email = email(text)?;
    let role = args.role.as_deref().map(role).transpose()?;
    let store = open_store::to_write(config).await?;
    if persona == Persona::Staff && staff_role(&store, &email).await?.is_none() {
        bail!(
            "{email} is not an active staff account. To create one: dewy staff add {email} --role front_desk"
        );
    }
    let maker = TokenIssuer {
        store: store.clone(),
        clock: Arc::new(RealClock),
        entropy: Arc::new(OsEntropy),
        guests: None,
    };
    let order = TokenOrder {
        persona,
        email,
        name: args.name.clone(),
        role,
        read_only: args.read_only,
        days: args.expires,
    };
    let made = maker.make(&order, BY).await;
    store.close().await;
    println!("{}", made.map_err(readable_error)?);
    Ok(())
}

/// Prints a table, one token per line.
pub async fn list(config: &Config) -> anyhow::Result<()> {
    let store = open_store::to_read(config).await?;
    let tokens = store.tokens().await;
    store.close().await;
    let now = RealClock.now();
    println!(
        "{:<20}  {:<28}  {:<24}  {:<10}  {:<16}  name",
        "id", "owner", "may", "state", "last used"
    );
    for token in tokens?.into_iter().filter_map(token_view) {
        println!("{}", line(&token, now));
    }
    Ok(())
}

pub async fn revoke(config: &Config, id: &str) -> anyhow::Result<()> {
    let store = open_store::to_write(config).await?;
    let found = store.find_token_by_id(id).await?;
    let gone = match &found {
        Some(token) => {
            store
                .revoke_token(&token.token.hash, RealClock.now())
                .await?
        }
        None => false,
    };
    store.close().await;
    match (found, gone) {
        (None, _) => bail!("there is no token {id}; `dewy token list` lists them"),
        (Some(_), false) => bail!("{id} was already revoked"),
        (Some(_), true) => println!("{id} is revoked."),
    }
    Ok(())
}

fn role(name: &str) -> anyhow::Result<Role> {
    Role::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
        anyhow!("{name:?} is not a role; choose one of {}", names.join(", "))
    })
}

fn readable_error(error: TokenError) -> anyhow::Error {
    match error {
        TokenError::Problems(problems) => {
            let words: Vec<String> = problems
                .into_iter()
                .map(|problem| problem.message)
                .collect();
            anyhow!(words.join(" "))
        }
        other => other.into(),
    }
}

fn line(token: &TokenView, now: Timestamp) -> String {
    let may = [
        token.role.map_or("all rights", Role::name),
        if token.read_only { "read only" } else { "" },
    ];
    let may = may
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(", ");
    let state = if token.revoked_at.is_some() {
        "revoked"
    } else if token.expires_at.is_some_and(|at| at <= now) {
        "expired"
    } else {
        "good"
    };
    let used = token.last_used_at.map_or_else(
        || "never".to_owned(),
        |at| at.strftime("%Y-%m-%d %H:%M").to_string(),
    );
    let whom = format!("{}:{}", token.persona.name(), token.email);
    format!(
        "{:<20}  {whom:<28}  {may:<24}  {state:<10}  {used:<16}  {}",
        token.id, token.name
    )
}
