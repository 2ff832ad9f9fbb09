//! `dewy guest erase`.

use anyhow::ensure;
use dewy_connectors::OsEntropy;

use super::email;
use crate::{audit::People, cli::EraseArgs, config::Config, open_store};

/// Forgets a guest who asks for it; may run while `dewy serve` does. Doing it again does no harm.
///
/// What executions were asked to do, and did with their money, stays, as bookkeeping has to keep
/// it; the hotel's CRM and Stripe have their own ways. A call that is being recorded at this very
/// moment may name them once more: then it is done again.
pub async fn erase(config: &Config, args: &EraseArgs) -> anyhow::Result<()> {
    let email = email(&args.email)?;
    let owner = format!("guest:{email}");
    let store = open_store::to_write(config).await?;
    let person = People::of(&store, &OsEntropy).await?.id(&email);
    let under_way = store
        .cards_under_way()
        .await?
        .into_iter()
        .any(|card| card.owner == owner);
    ensure!(
        !under_way,
        "a proposal that {email} approved is in progress; try again in a minute"
    );
    // The doors first, so that nothing new is said meanwhile
    let sessions = store.revoke_sessions(&owner).await?;
    let tokens = store.forget_tokens_of("guest", &email).await?;
    let conversations = store.forget_conversations_of(&owner).await?;
    let mut notes = 0;
    for booking in &args.bookings {
        notes += store.erase_stay_notes(&booking.to_uppercase()).await?;
    }
    let known = store.erase_person(&person).await?;
    store.close().await;
    println!("{email}: deleted {conversations} conversations and {notes} notes about stays.");
    println!("Deleted {sessions} sessions and {tokens} tokens.");
    if known {
        println!("The audit log now names them only as {person}.");
    }
    Ok(())
}
