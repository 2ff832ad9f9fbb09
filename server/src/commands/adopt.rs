//! `dewy adopt`.

use anyhow::{Context, bail};
use dewy_connectors::RealClock;
use dewy_domain::{installation::InstallationId, ports::Clock};
use dewy_orchestrators::{Adoption, adopt};

use crate::{config::Config, notes::Notes, open_store};

/// Takes over the payments of an installation whose store is lost; may run while `dewy serve` does. Doing it again does no harm.
pub async fn run(config: &Config, installation: &str) -> anyhow::Result<()> {
    let other: InstallationId = installation.trim().parse().with_context(|| {
        format!("INSTALLATION_ID: {installation:?} is none; `dewy sweep` lists those on the account")
    })?;
    let store = open_store::to_write(config).await?;
    let own =
        store.known_installation().await?.context("this store has no installation id yet; `dewy serve` makes it")?;
    let adoption = adopt(&Notes(store.clone()), own, other, RealClock.now()).await;
    store.close().await;
    match adoption? {
        Adoption::Adopted => println!(
            "{other} is adopted. The next sweep looks at its payments of the last 30 days: those of completed check-outs stay, \
             the others are refunded, or left to a manager where they are over the limit."
        ),
        Adoption::Already => println!("{other} was adopted before; the next sweep looks at its payments once more."),
        Adoption::Own => {
            bail!("INSTALLATION_ID: {other} is this installation itself; its payments are its own already")
        }
    }
    Ok(())
}
