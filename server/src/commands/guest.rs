//! `dewy guest erase`.

use std::sync::Arc;

use dewy_domain::ports::Clock;

use super::email;
use crate::{
    audit::People,
    cli::EraseArgs,
    config::Config,
    server::open_store,
    world::{OsEntropy, RealClock},
};

/// Forgets a guest who asks for it; may run while `dewy serve` does. Doing it again does no harm.
///
/// What an execution did with their money stays, as bookkeeping has to keep it; the hotel's CRM and Stripe have their own ways.
pub async fn erase(config: &Config, args: &EraseArgs) -> anyhow::Result<()> {
    let email = email(&args.email)?;
    let owner = format!("guest:{email}");
    let store = open_store(config, Arc::new(RealClock)).await?;
    let person = People::of(&store, &OsEntropy).await?.id(&email);
    // The doors first, so that nothing new is said meanwhile
    let sessions = store.revoke_sessions(&owner).await?;
    let mut tokens = 0;
    for token in store.tokens().await?.into_iter().filter(|token| token.subject_is("guest", &email)) {
        tokens += u64::from(store.revoke_token(&token.token.hash, RealClock.now()).await?);
    }
    let conversations = store.forget_conversations_of(&owner).await?;
    let mut notes = 0;
    for booking in &args.bookings {
        notes += store.erase_stay_notes(&booking.to_uppercase()).await?;
    }
    let known = store.erase_person(&person).await?;
    store.close().await;
    println!("{email}: {conversations} conversations and {notes} notes about stays are gone,");
    println!("{sessions} sessions and {tokens} tokens are worth nothing any more.");
    if known {
        println!("The record of calls knows them only as {person} from now on.");
    }
    Ok(())
}
