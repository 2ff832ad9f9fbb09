//! Accounts to try the hotel with. Only `dewy serve` in mode `demo` makes them.

use dewy_domain::caller::Role;
use dewy_saga::StoreError;
use dewy_store::{StaffAccount, Store};

/// The password of every demo account; shown on the sign-in page.
pub const DEMO_PASSWORD: &str = "dewy-demo";
/// Its hash, made once: it guards nothing.
pub(super) const DEMO_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$ZGV3eSByZXNvcnQgMQ$jRswSsu/uuYOY07Zxy7Z3xUTQ4vx9OPLMcPLEIBGmhc";
/// Staff of each role, as the sandbox seeds them.
pub const DEMO_STAFF: [(&str, Role); 4] = [
    ("manager@dewy.example", Role::Manager),
    ("frontdesk@dewy.example", Role::FrontDesk),
    ("housekeeping@dewy.example", Role::Housekeeping),
    ("maintenance@dewy.example", Role::Maintenance),
];
/// Guests worth trying: one stay, two stays, an apostrophe.
pub const DEMO_GUESTS: [&str; 3] = [
    "beth.gibbs@email.com",
    "wei.chen@example.com",
    "nora.o'brien@example.com",
];

/// Remembers whether the accounts were made or taken away.
const SETTING: &str = "demo_accounts";

/// What became of the demo accounts of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DemoAccounts {
    /// They were made.
    Made,
    /// They were made, and disabled since.
    Withdrawn,
}

/// What became of this store's; nothing if there never were any.
///
/// # Errors
/// When the store failed.
pub async fn demo_accounts(store: &Store) -> Result<Option<DemoAccounts>, StoreError> {
    Ok(store
        .get_setting(SETTING)
        .await?
        .map(|text| match text.as_str() {
            "made" => DemoAccounts::Made,
            _ => DemoAccounts::Withdrawn,
        }))
}

/// Makes the demo accounts, once: one that was disabled since stays so.
///
/// # Errors
/// When the store failed.
pub async fn make_demo_accounts(store: &Store) -> Result<(), StoreError> {
    if demo_accounts(store).await? == Some(DemoAccounts::Made) {
        return Ok(());
    }
    for (email, role) in DEMO_STAFF {
        if unchanged(store, email)
            .await?
            .is_none_or(|unchanged| unchanged)
        {
            store.upsert_staff(&account(email, role, false)).await?;
        }
    }
    store.put_setting(SETTING, "made").await
}

/// Disables the demo accounts, because their password is public. One that was given another
/// password since is somebody's own and stays.
///
/// # Errors
/// When the store failed.
pub async fn withdraw_demo_accounts(store: &Store) -> Result<(), StoreError> {
    if demo_accounts(store).await? != Some(DemoAccounts::Made) {
        return Ok(());
    }
    for (email, role) in DEMO_STAFF {
        if unchanged(store, email).await? == Some(true) {
            store.upsert_staff(&account(email, role, true)).await?;
            store.revoke_sessions(&format!("staff:{email}")).await?;
        }
    }
    store.put_setting(SETTING, "withdrawn").await
}

/// Whether the account still has the public password; nothing if there is no such account.
async fn unchanged(store: &Store, email: &str) -> Result<Option<bool>, StoreError> {
    Ok(store
        .staff_by_email(email)
        .await?
        .map(|account| account.password_hash == DEMO_HASH))
}

fn account(email: &str, role: Role, disabled: bool) -> StaffAccount {
    StaffAccount {
        email: email.to_owned(),
        role: role.name().to_owned(),
        password_hash: DEMO_HASH.to_owned(),
        disabled,
    }
}
