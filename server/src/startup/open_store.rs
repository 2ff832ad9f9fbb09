//! Opens the store: checks who may read and who may write, and prepares it for the mode of the
//! hotel.
//!
//! ```text
//! read-only command ─► to_read      must exist and be migrated; nothing is written
//! writing command   ─► to_write     … and not used in a higher mode
//! migrate           ─► to_migrate   … created when missing
//! serve             ─► to_serve ─► enter: migrate (demo, `--migrate`) or check the schema, lock, raise the mode,
//!                                         create or disable demo accounts
//! ```

use std::sync::Arc;

use anyhow::{Context, bail};
use dewy_connectors::RealClock;
use dewy_domain::{deployment_mode::DeploymentMode, ports::Clock};
use dewy_saga::Journal;
use dewy_store::Store;

use crate::{
    auth::{DemoAccounts, create_demo_accounts, demo_accounts, disable_demo_accounts},
    config::Config,
};

const NOT_OPENED: &str = "the store can't be opened (DATABASE_URL)";

/// Opens the store as it is, in any mode, for commands that only read.
///
/// # Errors
/// When there is no store, or it lacks migrations.
pub async fn to_read(config: &Config) -> anyhow::Result<Store> {
    let store = Store::open_existing(&config.database_url, Arc::new(RealClock))
        .await
        .context(NOT_OPENED)?;
    or_close(store, |store| async move {
        store
            .newer_migration()
            .await
            .map(drop)
            .context("the store does not match this release")
    })
    .await
}

/// Opens the store for commands that write. They run no migrations and raise no mode.
///
/// # Errors
/// Like [`to_read`], and when the store is used in a higher mode than this process.
pub async fn to_write(config: &Config) -> anyhow::Result<Store> {
    let (store, mode) = (to_read(config).await?, config.mode);
    or_close(store, |store| async move {
        reject_lower_mode(&store, mode).await
    })
    .await
}

/// Opens the store, creating it if missing, without running migrations.
///
/// # Errors
/// When it can't be opened, or is used in a higher mode than this process.
pub async fn to_migrate(config: &Config, clock: Arc<dyn Clock>) -> anyhow::Result<Store> {
    let (store, mode) = (
        Store::open(&config.database_url, clock)
            .await
            .context(NOT_OPENED)?,
        config.mode,
    );
    or_close(store, |store| async move {
        reject_lower_mode(&store, mode).await
    })
    .await
}

/// Opens the store for `serve`: creates it if missing and this process migrates; otherwise it must
/// exist.
///
/// # Errors
/// When it can't be opened, doesn't exist, or is used in a higher mode than this process.
pub async fn to_serve(config: &Config, clock: Arc<dyn Clock>) -> anyhow::Result<Store> {
    if config.migrate {
        return to_migrate(config, clock).await;
    }
    let opened = Store::open_existing(&config.database_url, clock).await;
    let store = opened
        .context(NOT_OPENED)
        .context("run `dewy migrate` first, or start with `dewy serve --migrate`")?;
    let mode = config.mode;
    or_close(store, |store| async move {
        reject_lower_mode(&store, mode).await
    })
    .await
}

/// Prepares the store for this mode and records the mode. Raising the mode revokes all sessions,
/// tokens and demo accounts, because credentials of the lower mode were easier to obtain. The
/// payments of the lower mode are on another Stripe account.
///
/// # Errors
/// When it can't be migrated, doesn't fit this release, is served by another process, is used in a
/// higher mode, or has unfinished work of a lower mode.
pub async fn prepare_to_serve(
    store: &Store,
    mode: DeploymentMode,
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
        .newer_migration()
        .await
        .context("the store does not match this release")?
    {
        tracing::warn!(
            step,
            "the store is one step newer than this release; both can use it"
        );
    }
    reject_lower_mode(store, mode).await?;
    store
        .lock_for_serving()
        .await
        .context("only one `dewy serve` may use a SQLite file at a time")?;
    let before = match (store.highest_mode().await?, demo_accounts(store).await?) {
        (Some((before, _)), _) => Some(before),
        // Written by a release that did not record the mode
        (None, Some(DemoAccounts::Made)) => Some(DeploymentMode::Demo),
        (None, Some(DemoAccounts::Withdrawn)) if mode == DeploymentMode::Demo => {
            bail!(
                "this store has been used with real accounts, and DEWY_MODE is demo. Set DEWY_MODE=trial or DEWY_MODE=live"
            )
        }
        (None, _) => None,
    };
    let rises = before.is_some_and(|before| before < mode);
    if rises {
        finished(store, mode).await?;
        // Revoked before, so that a crash in between leaves no access, and again after, for
        // sign-ins at another instance in the meantime
        end_demo_access(store, clock).await?;
        store.delete_stripe_account().await?;
    }
    store.raise_mode(mode).await?;
    if rises {
        end_demo_access(store, clock).await?;
        store.delete_stripe_account().await?;
        tracing::warn!(%mode, "the store's mode was raised: everybody is signed out, and all tokens are revoked");
    }
    if mode == DeploymentMode::Demo {
        create_demo_accounts(store).await?;
    } else {
        disable_demo_accounts(store).await?;
    }
    // Another instance may have raised it in the meantime
    let admitted = reject_lower_mode(store, mode).await;
    if admitted.is_err() {
        disable_demo_accounts(store).await?;
    }
    admitted
}

/// Rejects a lower mode than the store has been used in.
///
/// # Errors
/// When the mode is lower; the message says how to fix it.
pub async fn reject_lower_mode(store: &Store, mode: DeploymentMode) -> anyhow::Result<()> {
    match store.highest_mode().await? {
        Some((kept, since)) if kept > mode => bail!(
            "this store has been used in mode {kept} since {}, and DEWY_MODE is {mode}{}: a store never returns to a lower mode. Set DEWY_MODE={kept}, or point DATABASE_URL to another store",
            since.strftime("%Y-%m-%d %H:%M UTC"),
            if mode == DeploymentMode::Demo {
                " (the default)"
            } else {
                ""
            },
        ),
        _ => Ok(()),
    }
}

/// Revokes all sessions and tokens, and expires all proposals of the concierge.
async fn end_demo_access(store: &Store, clock: &dyn Clock) -> anyhow::Result<()> {
    store.revoke_all_access(clock.now()).await?;
    store.supersede_all_proposals().await?;
    Ok(())
}

/// Checks that nothing is unfinished: work on one set of accounts must not be completed on another.
async fn finished(store: &Store, mode: DeploymentMode) -> anyhow::Result<()> {
    let counts = store.open_counts().await?;
    let open: u64 = counts
        .into_iter()
        .filter(|(state, _)| !state.has_ended())
        .map(|(_, n)| n)
        .sum();
    let mut owed = false;
    for kind in dewy_orchestrators::OUTBOX_KINDS {
        owed |= !store.projections(kind, None, 1).await?.is_empty();
    }
    if open > 0 || owed {
        let owed = if owed { ", and messages to send" } else { "" };
        bail!(
            "DEWY_MODE is {mode}, and this store has work in progress from a lower mode, which must not continue with other accounts (unfinished executions: {open}{owed}). Serve it in its own mode until nothing is in progress, or point DATABASE_URL to a new store"
        );
    }
    Ok(())
}

/// Returns the store on success; otherwise closes it so that it leaves no file behind.
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
