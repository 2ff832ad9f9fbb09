//! `dewy replay`.

use std::{path::Path, sync::Arc};

use anyhow::{Context, bail};
use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::{
    evidence::{Evidence, FORMAT},
    installation_id::InstallationId,
    ports::{Clock, Entropy},
};
use dewy_orchestrators::Hotel;
use dewy_store::Store;

use crate::{config::Config, startup::wiring::hotel_parts, systems::connect_systems::Systems};

/// Replays the evidence in a file. Nothing is called, and no store is opened: the answers are those
/// in the file.
pub async fn run(config: &Config, file: &Path) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("{} can't be read", file.display()))?;
    let evidence: Evidence = serde_json::from_str(&text).context(
        "this is no evidence as JSON; an execution's page has it, as “Evidence as JSON”",
    )?;
    if evidence.format != FORMAT {
        bail!(
            "the evidence is in the format {}; this release reads {FORMAT}",
            evidence.format
        );
    }
    if let Err(difference) = hotel(config).await?.replay(&evidence) {
        bail!("{}: {difference}", evidence.execution_id);
    }
    println!(
        "{}: the same end after {} events: {}.",
        evidence.execution_id,
        evidence.journal.len(),
        evidence.state
    );
    let withheld = evidence.journal.iter().filter(|row| row.withheld);
    for row in withheld {
        println!(
            "Event {}: a secret was taken out of it, so its digest was not checked.",
            row.seq
        );
    }
    Ok(())
}

/// A hotel that knows the workflows, with an empty store and nothing to call.
async fn hotel(config: &Config) -> anyhow::Result<Arc<Hotel>> {
    let clock: Arc<dyn Clock> = Arc::new(RealClock);
    let entropy: Arc<dyn Entropy> = Arc::new(OsEntropy);
    let store = Store::open("sqlite::memory:", Arc::clone(&clock)).await?;
    let systems = Systems::connect(config, "", None, None, &clock, &entropy);
    Ok(Hotel::new(hotel_parts(
        config,
        InstallationId::of_number(0),
        "",
        &store,
        &systems,
        &clock,
        &entropy,
    )))
}
