//! Access of API keys: account, validity, and permitted operations.

use dewy_domain::ports::HttpRequest;
use serde_json::{Value, json};

use super::Stripe;
use super::error_body::Refusal;
use super::object_tables::ObjectTables;

/// Settings of single keys; stored with the seeded account.
const KEYS: &str = "_keys";
pub const ACCOUNT: &str = "acct_1DewySandbox";

/// Settings of one key; without them, every key with the format of a secret key opens the seeded
/// account.
#[derive(Clone, Debug, Default)]
pub struct KeySettings {
    /// Account that it opens; any other than the seeded one starts empty.
    pub account: Option<String>,
    /// Whether it was rolled or deleted in the dashboard.
    pub revoked: bool,
    /// Operations (named as in faults) for which it lacks permission.
    pub lacks: Vec<String>,
}

impl Stripe {
    /// Sets the access of a key.
    pub fn set_key(&mut self, key: &str, settings: &KeySettings) {
        let KeySettings {
            account,
            revoked,
            lacks,
        } = settings;
        let row = json!({ "id": key, "account": account, "revoked": revoked, "lacks": lacks });
        self.ledger.put(KEYS, row);
    }

    /// Account opened by a request's key, or the reason why it opens none.
    pub(super) fn account_of_key(&self, request: &HttpRequest) -> Result<String, Refusal> {
        let key = super::key_of(request)?;
        let settings = self.ledger.get(KEYS, &key).unwrap_or(&Value::Null);
        if settings["revoked"] == true {
            return Err(Refusal::expired_key(&key));
        }
        let account = settings["account"].as_str().unwrap_or(ACCOUNT).to_owned();
        let operation = super::operation(request);
        if settings["lacks"]
            .as_array()
            .is_some_and(|lacks| lacks.iter().any(|lacked| lacked == operation))
        {
            return Err(Refusal::lacks_permission(&key, operation, &account));
        }
        Ok(account)
    }

    /// Runs an action on the objects of one account.
    pub(super) fn within<T>(&mut self, account: &str, act: impl FnOnce(&mut Self) -> T) -> T {
        if account == ACCOUNT {
            return act(self);
        }
        let seed = account.bytes().fold(1_u64, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(u64::from(byte))
        });
        let other = self
            .others
            .remove(account)
            .unwrap_or_else(|| ObjectTables::new(seed));
        let seeded = std::mem::replace(&mut self.ledger, other);
        let name = std::mem::replace(&mut self.account, account.to_owned());
        let result = act(self);
        self.account = name;
        let other = std::mem::replace(&mut self.ledger, seeded);
        self.others.insert(account.to_owned(), other);
        result
    }
}
