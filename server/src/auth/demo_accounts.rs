//! Demo accounts. Only `dewy serve` in `demo` mode creates them.

use dewy_domain::caller::Role;
use dewy_saga::StoreError;
use dewy_store::{StaffAccount, Store};

/// Password of every demo account; shown on the sign-in page.
pub const DEMO_PASSWORD: &str = "dewy-demo";
/// Its hash, precomputed because the password is public anyway.
pub(super) const DEMO_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$ZGV3eSByZXNvcnQgMQ$jRswSsu/uuYOY07Zxy7Z3xUTQ4vx9OPLMcPLEIBGmhc";
/// Staff accounts of each role, as the sandbox seeds them.
pub const DEMO_STAFF: [(&str, Role); 4] = [
    ("manager@dewy.example", Role::Manager),
    ("frontdesk@dewy.example", Role::FrontDesk),
    ("housekeeping@dewy.example", Role::Housekeeping),
    ("maintenance@dewy.example", Role::Maintenance),
];
/// Example guests: one stay, two stays, an apostrophe in the name.
pub const DEMO_GUESTS: [&str; 3] = [
    "beth.gibbs@email.com",
    "wei.chen@example.com",
    "nora.o'brien@example.com",
];

/// Setting that records whether the accounts were created or disabled.
const SETTING: &str = "demo_accounts";

/// State of a store's demo accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DemoAccounts {
    /// Created.
    Made,
    /// Created, and disabled since.
    Withdrawn,
}

/// State of this store's demo accounts; `None` if it never had any.
pub async fn demo_accounts(store: &Store) -> Result<Option<DemoAccounts>, StoreError> {
    Ok(store
        .get_setting(SETTING)
        .await?
        .map(|text| match text.as_str() {
            "made" => DemoAccounts::Made,
            _ => DemoAccounts::Withdrawn,
        }))
}

/// Creates the demo accounts once: an account disabled since then stays disabled.
pub async fn create_demo_accounts(store: &Store) -> Result<(), StoreError> {
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

/// Disables the demo accounts, because their password is public. An account whose password was
/// changed stays enabled.
pub async fn disable_demo_accounts(store: &Store) -> Result<(), StoreError> {
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

/// Whether the account still has the public password; `None` if there is no such account.
async fn unchanged(store: &Store, email: &str) -> Result<Option<bool>, StoreError> {
    Ok(store
        .staff_by_email(&email.into())
        .await?
        .map(|account| account.password_hash == DEMO_HASH))
}

fn account(email: &str, role: Role, disabled: bool) -> StaffAccount {
    StaffAccount {
        email: email.into(),
        role: role.name().to_owned(),
        password_hash: DEMO_HASH.to_owned(),
        disabled,
    }
}

/// Emails of the demo accounts, each with its password; guests have none.
pub fn accounts() -> Vec<(String, String)> {
    let staff = DEMO_STAFF
        .iter()
        .map(|(email, _)| ((*email).to_owned(), DEMO_PASSWORD.to_owned()));
    let guests = DEMO_GUESTS
        .iter()
        .map(|email| ((*email).to_owned(), String::new()));
    staff.chain(guests).collect()
}
