//! What an API key opens: which account, whether at all, and which operations.

use dewy_domain::ports::HttpRequest;
use serde_json::{Value, json};

use super::Stripe;
use super::ledger::Ledger;
use super::refusal::Refusal;

/// Settings of single keys; kept with the account that was seeded.
const KEYS: &str = "_keys";
/// The account that was seeded.
pub const ACCOUNT: &str = "acct_1DewySandbox";

/// What one key is allowed; without one every key that looks like a secret key opens the seeded
/// account.
#[derive(Clone, Debug, Default)]
pub struct KeySettings {
    /// The account it opens; another one than the seeded account begins empty.
    pub account: Option<String>,
    /// Rolled or deleted in the dashboard.
    pub revoked: bool,
    /// Operations (as faults name them) for which it has no permission.
    pub lacks: Vec<String>,
}

impl Stripe {
    /// Sets what a key is allowed from now on.
    pub fn set_key(&mut self, key: &str, settings: &KeySettings) {
        let KeySettings {
            account,
            revoked,
            lacks,
        } = settings;
        let row = json!({ "id": key, "account": account, "revoked": revoked, "lacks": lacks });
        self.ledger.put(KEYS, row);
    }

    /// The account that a request's key opens, or why it opens none.
    pub(super) fn opened(&self, request: &HttpRequest) -> Result<String, Refusal> {
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

    /// Acts on the objects of one account.
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
            .unwrap_or_else(|| Ledger::new(seed));
        let seeded = std::mem::replace(&mut self.ledger, other);
        let name = std::mem::replace(&mut self.account, account.to_owned());
        let result = act(self);
        self.account = name;
        let other = std::mem::replace(&mut self.ledger, seeded);
        self.others.insert(account.to_owned(), other);
        result
    }

    /// `GET /v1/account`.
    pub(super) fn retrieve_account(&self) -> Value {
        json!({
            "id": self.account, "object": "account", "business_type": "company", "charges_enabled": true, "country": "US",
            "default_currency": "usd", "details_submitted": true, "email": null, "payouts_enabled": true,
            "settings": {"dashboard": {"display_name": "Dewy Resort", "timezone": "Etc/UTC"}}, "type": "standard",
        })
    }
}
