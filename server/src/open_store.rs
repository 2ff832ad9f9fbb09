//! Opening the store: who may read it, who may write, and what becomes of it when a hotel is served
//! in a mode.
//!
//! ```text
//! read-only command ─► to_read      there, and migrated; nothing is written
//! writing command   ─► to_write     … and not used in a higher mode than ours
//! migrate           ─► to_migrate   … made when it is missing
//! serve             ─► to_serve ─► enter: migrate (demo, `--migrate`) or check the schema, lock, raise the mode,
//!                                         make or withdraw demo accounts
//! ```

use std::sync::Arc;

use anyhow::{Context, bail};
use dewy_connectors::RealClock;
use dewy_domain::{mode::Mode, ports::Clock};
use dewy_saga::Journal;
use dewy_store::Store;

use crate::{
    auth::{DemoAccounts, demo_accounts, make_demo_accounts, withdraw_demo_accounts},
    config::Config,
};

const NOT_OPENED: &str = "the store cannot be opened (DATABASE_URL)";

/// The store as it is, for commands that write nothing, whatever mode it is used in.
///
/// # Errors
/// When there is none, or it lacks migrations.
pub async fn to_read(config: &Config) -> anyhow::Result<Store> {
    let store = Store::open_existing(&config.database_url, Arc::new(RealClock))
        .await
        .context(NOT_OPENED)?;
    or_close(store, |store| async move {
        store
            .newer_step()
            .await
            .map(drop)
            .context("the store does not match this release")
    })
    .await
}

/// The store, for commands that write to it. They migrate nothing and raise no mode.
///
/// # Errors
/// As [`to_read`], and when the store is used in a higher mode than ours.
pub async fn to_write(config: &Config) -> anyhow::Result<Store> {
    let (store, mode) = (to_read(config).await?, config.mode);
    or_close(store, |store| async move { admit(&store, mode).await }).await
}

/// The store, made when it is missing, not yet migrated.
///
/// # Errors
/// When it cannot be opened, or is used in a higher mode than ours.
pub async fn to_migrate(config: &Config, clock: Arc<dyn Clock>) -> anyhow::Result<Store> {
    let (store, mode) = (
        Store::open(&config.database_url, clock)
            .await
            .context(NOT_OPENED)?,
        config.mode,
    );
    or_close(store, |store| async move { admit(&store, mode).await }).await
}

/// The store for `serve`: made when it is missing and this process migrates, else one that is
/// there.
///
/// # Errors
/// When it cannot be opened, is not there, or is used in a higher mode than ours.
pub async fn to_serve(config: &Config, clock: Arc<dyn Clock>) -> anyhow::Result<Store> {
    if config.migrate {
        return to_migrate(config, clock).await;
    }
    let opened = Store::open_existing(&config.database_url, clock).await;
    let store = opened
        .context(NOT_OPENED)
        .context("run `dewy migrate` first, or start with `dewy serve --migrate`")?;
    let mode = config.mode;
    or_close(store, |store| async move { admit(&store, mode).await }).await
}

/// Prepares the store to be served in this mode, and remembers the mode. A higher mode than before
/// begins with nobody signed in, no token good and no demo account: what let people in before was
/// easier to get. Its payments are on another Stripe account.
///
/// # Errors When it cannot be migrated, does not fit this release, another process serves it, it is
/// used in a higher mode, or work of a lesser mode is unfinished.
pub async fn enter(
    store: &Store,
    mode: Mode,
    migrate: bool,
    clock: &dyn Clock,
) -> anyhow::Result<()> {
    if migrate {
        store
            .migrate()
            .await
            .context("the store can't be migrated")?;
    }
    if let Some(step) = store
        .newer_step()
        .await
        .context("the store does not match this release")?
    {
        tracing::warn!(
            step,
            "the store is one step newer than this release; both can use it"
        );
    }
    admit(store, mode).await?;
    store
        .lock_for_serving()
        .await
        .context("only one `dewy serve` may use a SQLite file at a time")?;
    let before = match (store.mode().await?, demo_accounts(store).await?) {
        (Some((before, _)), _) => Some(before),
        // Of a release that did not keep the mode
        (None, Some(DemoAccounts::Made)) => Some(Mode::Demo),
        (None, Some(DemoAccounts::Withdrawn)) if mode == Mode::Demo => {
            bail!(
                "this store has been used with real accounts, and DEWY_MODE is demo. Set DEWY_MODE=trial or DEWY_MODE=live"
            )
        }
        (None, _) => None,
    };
    let rises = before.is_some_and(|before| before < mode);
    if rises {
        finished(store, mode).await?;
        // Before, so that a crash in between lets nobody in; and after, for who came in meanwhile
        // at another instance
        shut_out(store, clock).await?;
        store.forget_stripe_account().await?;
    }
    store.raise_mode(mode).await?;
    if rises {
        shut_out(store, clock).await?;
        store.forget_stripe_account().await?;
        tracing::warn!(%mode, "the store's mode was raised: everybody is signed out, and all tokens are revoked");
    }
    if mode == Mode::Demo {
        make_demo_accounts(store).await?;
    } else {
        withdraw_demo_accounts(store).await?;
    }
    // Another instance may have raised it meanwhile
    let admitted = admit(store, mode).await;
    if admitted.is_err() {
        withdraw_demo_accounts(store).await?;
    }
    admitted
}

/// Refuses a lesser mode than the store has been used in.
///
/// # Errors
/// When it is lesser, with the way out.
pub async fn admit(store: &Store, mode: Mode) -> anyhow::Result<()> {
    match store.mode().await? {
        Some((kept, since)) if kept > mode => bail!(
            "this store has been used in mode {kept} since {}, and DEWY_MODE is {mode}{}: a store never returns to a lower mode. Set DEWY_MODE={kept}, or point DATABASE_URL to another store",
            since.strftime("%Y-%m-%d %H:%M UTC"),
            if mode == Mode::Demo {
                " (the default)"
            } else {
                ""
            },
        ),
        _ => Ok(()),
    }
}

/// Nobody is signed in, no token is good, and no proposal of the concierge can be accepted.
async fn shut_out(store: &Store, clock: &dyn Clock) -> anyhow::Result<()> {
    store.revoke_all_access(clock.now()).await?;
    store.supersede_all_cards().await?;
    Ok(())
}

/// What was begun against other accounts must not be finished against these.
async fn finished(store: &Store, mode: Mode) -> anyhow::Result<()> {
    let counts = store.open_counts().await?;
    let open: u64 = counts
        .into_iter()
        .filter(|(state, _)| !state.at_rest())
        .map(|(_, n)| n)
        .sum();
    let texts = !store.projections("text", None, 1).await?.is_empty();
    if open > 0 || texts {
        let texts = if texts { ", and texts to send" } else { "" };
        bail!(
            "DEWY_MODE is {mode}, and this store has work in progress from a lower mode, which must not continue with other accounts (unfinished executions: {open}{texts}). Serve it in its own mode until nothing is in progress, or point DATABASE_URL to a new store"
        );
    }
    Ok(())
}

/// The store if it passes; else it is closed, and leaves no file of its own behind.
async fn or_close<F: Future<Output = anyhow::Result<()>>>(
    store: Store,
    passes: impl FnOnce(Store) -> F,
) -> anyhow::Result<Store> {
    match passes(store.clone()).await {
        Ok(()) => Ok(store),
        Err(error) => {
            store.close().await;
            Err(error)
        }
    }
}
