//! `dewy adopt`.

use anyhow::{Context, bail, ensure};
use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::{installation_id::InstallationId, ports::Clock};
use dewy_orchestrators::{Adoption, adopt};
use dewy_saga::Journal;
use dewy_store::Store;

use crate::{
    config::{Config, installation_key::InstallationKey},
    ports::key_value_store::StoredValues,
    startup::open_store,
};

/// Adopts an installation, a Stripe account, or a key file. Idempotent; may run alongside `dewy serve`.
pub async fn run(config: &Config, id: &str) -> anyhow::Result<()> {
    if id == "key" {
        key(config).await
    } else if id.starts_with("acct_") {
        account(config, id).await
    } else {
        installation(config, id).await
    }
}

/// Accepts a key file in place of a lost one.
async fn key(config: &Config) -> anyhow::Result<()> {
    let store = open_store::to_write(config).await?;
    let adopted = InstallationKey::adopt(config, &store, &OsEntropy).await;
    store.close().await;
    println!(
        "This store now uses the key in {}. Restart every process that serves it. Sign-in codes on their way are void, and the \
         audit log names people by new person IDs from now on.",
        adopted?.display()
    );
    Ok(())
}

/// Takes over the payments of an installation whose store is lost.
async fn installation(config: &Config, id: &str) -> anyhow::Result<()> {
    let other: InstallationId = id.parse().with_context(|| {
        format!(
            "ID: {id:?} is neither an installation (ins_…; `dewy sweep` lists those on the account) nor a Stripe account (acct_…) nor the word key"
        )
    })?;
    let store = open_store::to_write(config).await?;
    let own = store
        .known_installation()
        .await?
        .context("this store has no installation ID yet; `dewy serve` creates it")?;
    let adoption = adopt(&StoredValues(store.clone()), own, other, RealClock.now()).await;
    store.close().await;
    match adoption? {
        Adoption::Adopted => println!(
            "{other} is adopted. The next sweep checks its payments of the last 30 days: it keeps those of completed check-outs \
             and refunds the others, or leaves them to a manager if they are above the limit."
        ),
        Adoption::Already => {
            println!("{other} was already adopted; the next sweep checks its payments again.")
        }
        Adoption::Own => {
            bail!("ID: {other} is this installation itself; it already owns its payments")
        }
    }
    Ok(())
}

/// Switches to another Stripe account. Payments of the old account can be found and refunded only
/// there, so nothing may be unfinished.
async fn account(config: &Config, account: &str) -> anyhow::Result<()> {
    ensure!(
        account.len() > "acct_".len()
            && account["acct_".len()..]
                .chars()
                .all(|c| c.is_ascii_alphanumeric()),
        "ID: {account:?} is not a Stripe account; `dewy check` names the account of STRIPE_SECRET_KEY"
    );
    let store = open_store::to_write(config).await?;
    let moved = move_to(&store, account).await;
    store.close().await;
    println!("{}", moved?);
    Ok(())
}

async fn move_to(store: &Store, account: &str) -> anyhow::Result<String> {
    let known = store.known_stripe_account().await?;
    if known.as_deref() == Some(account) {
        return Ok(format!("This store already uses {account}."));
    }
    let open: Vec<String> = store
        .open_counts()
        .await?
        .into_iter()
        .filter(|(_, n)| *n > 0)
        .map(|(state, n)| format!("{n} {state}"))
        .collect();
    if let Some(before) = &known
        && !open.is_empty()
    {
        bail!(
            "this store has unfinished work with payments on {before}, and only a key for {before} can find and refund them (executions: {}). Finish it with that key, or have staff mark it as solved on Needs attention; then adopt {account}",
            open.join(", ")
        );
    }
    store.set_stripe_account(account).await?;
    let before = known.map_or(String::new(), |before| {
        format!(" Refunds and disputes of payments on {before} are no longer tracked.")
    });
    Ok(format!(
        "This store now uses {account}; running processes switch within ten seconds.{before}"
    ))
}
