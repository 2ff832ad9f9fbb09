//! `dewy guest erase`.

use anyhow::ensure;
use dewy_connectors::OsEntropy;
use dewy_domain::guest_identity::GuestIdentity;
use dewy_orchestrators::guest_language_key;

use super::email;
use crate::{
    commands::cli::EraseArgs,
    config::{Config, installation_key::InstallationKey},
    ports::{audit::Pseudonyms, key_value_store::StoredValues},
    startup::open_store,
};

/// Erases a guest on request. Idempotent; may run alongside `dewy serve`.
///
/// The inputs of executions and their payment records stay, as accounting requires. The hotel's CRM
/// and Stripe have their own procedures. A call recorded at the same moment may name the guest once
/// more: run the command again in that case.
pub async fn erase(config: &Config, args: &EraseArgs) -> anyhow::Result<()> {
    let email = email(&args.email)?;
    let owner = format!("guest:{email}");
    let store = open_store::to_write(config).await?;
    let key = InstallationKey::load(config, &store, &OsEntropy).await?;
    let person = Pseudonyms::new(key).id(email.as_str());
    let under_way = store
        .running_proposals()
        .await?
        .into_iter()
        .filter_map(|card| Some(GuestIdentity::from(card.owner.strip_prefix("guest:")?)))
        .any(|guest| *guest.email() == email);
    ensure!(
        !under_way,
        "a proposal that {email} approved is in progress; try again in a minute"
    );
    // Sessions and tokens first, so that nothing new arrives meanwhile
    let sessions = store.revoke_sessions(&owner).await?;
    let tokens = store.delete_tokens_of("guest", &email).await?;
    let conversations = store.forget_conversations_of(&owner).await?;
    let mut notes = 0;
    for booking in &args.bookings {
        notes += store.erase_stay_notes(&booking.to_uppercase()).await?;
    }
    let values = StoredValues(store.clone());
    values.remove(&guest_language_key(email.as_str())).await?;
    let known = store.erase_person(&person).await?;
    store.close().await;
    println!("{email}: deleted {conversations} conversations and {notes} notes about stays.");
    println!("Deleted {sessions} sessions and {tokens} tokens.");
    if known {
        println!("The audit log now names them only as {person}.");
    }
    Ok(())
}
