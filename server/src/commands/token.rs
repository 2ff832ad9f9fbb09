//! `dewy token create`.

use std::{sync::Arc, time::Duration};

use anyhow::bail;
use dewy_domain::caller::Persona;

use super::email;
use crate::{
    auth::{create_token, staff_role},
    cli::TokenArgs,
    config::Config,
    server::open_store,
    world::{OsEntropy, RealClock},
};

/// Prints the token and nothing else, so that `TOKEN=$(dewy token create …)` works; also while `dewy serve` runs.
pub async fn create(config: &Config, args: &TokenArgs) -> anyhow::Result<()> {
    let (persona, text) = match (&args.whom.guest, &args.whom.staff) {
        (Some(guest), _) => (Persona::Guest, guest),
        (None, Some(staff)) => (Persona::Staff, staff),
        (None, None) => bail!("say whom it stands for: --guest EMAIL or --staff EMAIL"),
    };
    let email = email(text)?;
    let store = open_store(config, Arc::new(RealClock)).await?;
    if persona == Persona::Staff && staff_role(&store, &email).await?.is_none() {
        bail!("{email} is no staff account that may act. Make one: dewy staff add {email} --role front_desk");
    }
    let good_for = Duration::from_secs(args.days * 86_400);
    let token = create_token(&store, &RealClock, &OsEntropy, persona, &email, good_for).await?;
    store.close().await;
    println!("{token}");
    Ok(())
}
