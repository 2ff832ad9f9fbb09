//! `dewy check`.

use std::sync::Arc;

use anyhow::bail;
use dewy_domain::ports::{Clock, Crm, Entropy, Payments, StayQuery};

use crate::{
    config::Config,
    server::open_store,
    systems::Systems,
    world::{OsEntropy, RealClock},
};

/// Nobody has this address; the reserved name says so.
const NOBODY: &str = "dewy-check@example.invalid";

/// Tries the store and every system that can be reached without starting one; fails when any does.
pub async fn run(config: &Config) -> anyhow::Result<()> {
    let mut failed = 0;
    let mut tell = |what: &str, result: Result<String, String>| match result {
        Ok(words) => println!("ok      {what}: {words}"),
        Err(words) => {
            failed += 1;
            println!("FAILED  {what}: {words}");
        }
    };
    let clock: Arc<dyn Clock> = Arc::new(RealClock);
    let entropy: Arc<dyn Entropy> = Arc::new(OsEntropy);
    tell(
        "store",
        match open_store(config, Arc::clone(&clock)).await {
            Ok(store) => {
                store.close().await;
                Ok("reachable and up to date".to_owned())
            }
            Err(error) => Err(format!("{error:#}")),
        },
    );
    let sandbox = config.sandbox.url.as_ref().map(|url| url.as_str().trim_end_matches('/'));
    let systems = Systems::connect(config, sandbox.unwrap_or_default(), &clock, &entropy);
    let starts = || Ok("not configured: `dewy serve` starts a sandbox".to_owned());
    if config.salesforce.is_none() && sandbox.is_none() {
        tell("Salesforce", starts());
    } else {
        // This one query names every field a check-out reads, so an org that lacks one says so here.
        let query = StayQuery { guest_email: NOBODY.to_owned(), ..StayQuery::default() };
        let read = systems.crm.stays(&query).await.answered();
        let quota = || {
            systems
                .crm
                .usage()
                .map_or_else(String::new, |(used, limit)| format!("; {used} of {limit} calls used today"))
        };
        tell(
            "Salesforce",
            match read {
                Ok(_) => Ok(format!("signed in, and the org has every field a folio needs{}", quota())),
                Err(trouble) => Err(trouble.to_string()),
            },
        );
    }
    if config.stripe.is_none() && sandbox.is_none() {
        tell("Stripe", starts());
    } else {
        let read = systems.payments.customer(NOBODY).await.answered();
        tell("Stripe", read.map(|_| "signed in".to_owned()).map_err(|trouble| trouble.to_string()));
    }
    if failed > 0 {
        bail!("{failed} of 3 checks failed");
    }
    Ok(())
}
