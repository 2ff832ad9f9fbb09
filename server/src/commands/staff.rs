//! `dewy staff add|disable`.

use anyhow::{Context, anyhow, ensure};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use dewy_connectors::OsEntropy;
use dewy_domain::{caller::Role, ports::Entropy};
use dewy_store::StaffAccount;

use super::email;
use crate::{auth::Passwords, commands::cli::StaffAddArgs, config::Config, startup::open_store};

/// Minimum length: shorter passwords can be guessed.
const MIN_PASSWORD_LENGTH: usize = 12;

/// Creates an account, or sets a new role and password.
pub async fn add(config: &Config, args: &StaffAddArgs) -> anyhow::Result<()> {
    let email = email(&args.email)?;
    let role = Role::from_name(&args.role).ok_or_else(|| {
        let names: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
        anyhow!(
            "{:?} is not a role; choose one of {}",
            args.role,
            names.join(", ")
        )
    })?;
    let password = if args.password_stdin {
        given()?
    } else {
        made()
    };
    let password_hash = Passwords::hash(&password, &OsEntropy)
        .map_err(|e| anyhow!("the password could not be hashed: {e}"))?;
    let store = open_store::to_write(config).await?;
    store
        .upsert_staff(&StaffAccount {
            email: email.clone(),
            role: role.name().to_owned(),
            password_hash,
            disabled: false,
        })
        .await?;
    // Sessions from the old password end; the user signs in again.
    store.revoke_sessions(&format!("staff:{email}")).await?;
    store.close().await;
    println!("{email} is {}.", role.name());
    if !args.password_stdin {
        println!("Password (shown this once): {password}");
    }
    Ok(())
}

pub async fn disable(config: &Config, text: &str) -> anyhow::Result<()> {
    let email = email(text)?;
    let store = open_store::to_write(config).await?;
    let account = store
        .staff_by_email(&email)
        .await?
        .ok_or_else(|| anyhow!("{email} is not a staff account"))?;
    store
        .upsert_staff(&StaffAccount {
            disabled: true,
            ..account
        })
        .await?;
    store.revoke_sessions(&format!("staff:{email}")).await?;
    store.close().await;
    println!("{email} is disabled.");
    Ok(())
}

fn given() -> anyhow::Result<String> {
    let mut line = String::new();
    std::io::stdin()
        .read_line(&mut line)
        .context("the password could not be read")?;
    let password = line.trim_end_matches(['\r', '\n']).to_owned();
    ensure!(
        password.chars().count() >= MIN_PASSWORD_LENGTH,
        "a password needs at least {MIN_PASSWORD_LENGTH} characters"
    );
    Ok(password)
}

fn made() -> String {
    let mut random = [0; 15];
    OsEntropy.fill(&mut random);
    URL_SAFE_NO_PAD.encode(random)
}
