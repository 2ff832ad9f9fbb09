//! Staff accounts.

use dewy_domain::email_address::EmailAddress;
use dewy_saga::StoreError;

use crate::columns::columns;
use crate::{fetch::fetch, row_conversion::micros, small_writes::write_rows, store::Store};

#[derive(Clone, PartialEq, Eq)]
pub struct StaffAccount {
    pub email: EmailAddress,
    /// Role: `front_desk`, `housekeeping`, `maintenance`, `manager`.
    pub role: String,
    /// Password hash in PHC format (argon2id).
    pub password_hash: String,
    /// True if they may not sign in.
    pub disabled: bool,
}

impl std::fmt::Debug for StaffAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The hash is a secret too.
        let Self {
            email,
            role,
            disabled,
            password_hash: _,
        } = self;
        f.debug_struct("StaffAccount")
            .field("email", email)
            .field("role", role)
            .field("disabled", disabled)
            .finish_non_exhaustive()
    }
}

columns! {
    struct Columns {
        email: String,
        role: String,
        password_hash: String,
        disabled: i64,
    }
}

impl Store {
    /// The account with that address.
    pub async fn staff_by_email(
        &self,
        email: &EmailAddress,
    ) -> Result<Option<StaffAccount>, StoreError> {
        let sql = "select email, role, password_hash, disabled from staff where email = $1";
        let found = fetch!(self, Columns, sql, email.to_string())?.pop();
        Ok(found.map(|c| StaffAccount {
            email: c.email.into(),
            role: c.role,
            password_hash: c.password_hash,
            disabled: c.disabled != 0,
        }))
    }

    /// Emails of the accounts that can sign in, in order.
    pub async fn staff_emails(&self) -> Result<Vec<String>, StoreError> {
        let sql = "select email from staff where disabled = 0 order by email limit 500";
        let rows = fetch!(self, (String,), sql)?;
        Ok(rows.into_iter().map(|(email,)| email).collect())
    }

    /// Creates an account, or replaces the one with that address.
    pub async fn upsert_staff(&self, account: &StaffAccount) -> Result<(), StoreError> {
        let sql = "insert into staff (email, role, password_hash, disabled, updated_at) values ($1, $2, $3, $4, $5)
                   on conflict (email) do update set role = excluded.role, password_hash = excluded.password_hash,
                       disabled = excluded.disabled, updated_at = excluded.updated_at";
        let (email, now) = (account.email.to_string(), micros(self.clock.now()));
        write_rows!(
            self,
            sql,
            &email,
            &account.role,
            &account.password_hash,
            i64::from(account.disabled),
            now
        )
        .map(drop)
    }
}
