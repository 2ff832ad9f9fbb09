//! Accounts to try the hotel with. They exist only while no outside system is live.

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
pub const DEMO_GUESTS: [&str; 3] = ["beth.gibbs@email.com", "wei.chen@example.com", "nora.o'brien@example.com"];

/// Remembers whether the accounts were made or taken away.
const SETTING: &str = "demo_accounts";

/// Makes the demo accounts in a demo, and disables them as soon as a system is live: their password is public. An account that
/// was given another password since is somebody's own and stays.
///
/// # Errors
/// When the store failed.
pub async fn settle_demo_accounts(store: &Store, demo: bool) -> Result<(), StoreError> {
    let before = store.get_setting(SETTING).await?;
    let wanted = if demo { "made" } else { "withdrawn" };
    if before.as_deref() == Some(wanted) || (before.is_none() && !demo) {
        return Ok(());
    }
    for (email, role) in DEMO_STAFF {
        let account = store.staff_by_email(email).await?;
        if account.as_ref().is_none_or(|a| a.password_hash == DEMO_HASH) && (demo || account.is_some()) {
            let account = StaffAccount {
                email: email.to_owned(),
                role: role.name().to_owned(),
                password_hash: DEMO_HASH.to_owned(),
                disabled: !demo,
            };
            store.upsert_staff(&account).await?;
            if !demo {
                store.revoke_sessions(&format!("staff:{email}")).await?;
            }
        }
    }
    store.put_setting(SETTING, wanted).await
}
