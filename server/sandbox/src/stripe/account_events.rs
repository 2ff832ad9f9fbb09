//! What happens to the account itself: failed payouts, restrictions, and warnings of card networks.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::intent_params::STATEMENT_PREFIX;
use super::{Call, Stripe};

/// Restrictions; stored with the account.
const TABLE: &str = "_account";

/// What Stripe allows an account, and what it lacks.
#[derive(Clone, Debug)]
pub struct AccountSettings {
    /// `charges_enabled`.
    pub takes_payments: bool,
    /// `payouts_enabled`.
    pub pays_out: bool,
    /// `requirements[past_due]`.
    pub past_due: Vec<String>,
}

impl Default for AccountSettings {
    fn default() -> Self {
        Self {
            takes_payments: true,
            pays_out: true,
            past_due: Vec::new(),
        }
    }
}

impl Stripe {
    /// Admin API: restricts the account, or lifts the restrictions, at `now`.
    pub fn restrict_at(&mut self, settings: &AccountSettings, now: Timestamp) {
        let AccountSettings {
            takes_payments,
            pays_out,
            past_due,
        } = settings;
        let restricted = !(*takes_payments && *pays_out);
        let reason = restricted.then_some("requirements.past_due");
        self.ledger.put(
            TABLE,
            json!({
                "id": "account", "charges_enabled": takes_payments, "payouts_enabled": pays_out,
                "past_due": past_due, "disabled_reason": reason,
            }),
        );
        let account = self.retrieve_account();
        self.emit("account.updated", &account, &Call::by_itself(now, ""));
    }

    /// `GET /v1/account`.
    pub(super) fn retrieve_account(&self) -> Value {
        let row = self.ledger.get(TABLE, "account");
        let of = |name: &str, usual: Value| row.map_or(usual, |row| row[name].clone());
        let past_due = of("past_due", json!([]));
        json!({
            "id": self.account, "object": "account", "business_type": "company",
            "charges_enabled": of("charges_enabled", json!(true)), "country": "US",
            "default_currency": "usd", "details_submitted": true, "email": null,
            "payouts_enabled": of("payouts_enabled", json!(true)),
            "requirements": {
                "alternatives": [], "current_deadline": null, "currently_due": past_due,
                "disabled_reason": of("disabled_reason", Value::Null), "errors": [],
                "eventually_due": past_due, "past_due": past_due, "pending_verification": [],
            },
            "settings": {
                "branding": {"icon": null, "logo": null, "primary_color": null, "secondary_color": null},
                "card_payments": {"statement_descriptor_prefix": STATEMENT_PREFIX,
                    "statement_descriptor_prefix_kana": null, "statement_descriptor_prefix_kanji": null},
                "dashboard": {"display_name": "Dewy Resort", "timezone": "Etc/UTC"},
                "payments": {"statement_descriptor": "DEWY RESORT", "statement_descriptor_kana": null,
                    "statement_descriptor_kanji": null, "statement_descriptor_prefix_kana": null,
                    "statement_descriptor_prefix_kanji": null},
            },
            "type": "standard",
        })
    }

    /// Admin API: a payout to the bank account fails at `now`; returns its id.
    pub fn fail_payout_at(&mut self, amount: i64, failure: &str, now: Timestamp) -> String {
        let id = self.ledger.id("po_1", 23);
        let bank = self.ledger.id("ba_1", 23);
        let balance = self.ledger.id("txn_1", 23);
        let sent = now
            .saturating_sub(SignedDuration::from_hours(48))
            .unwrap_or(now);
        let payout = json!({
            "id": id, "object": "payout", "amount": amount, "application_fee": null, "application_fee_amount": null,
            "arrival_date": now.as_second(), "automatic": true, "balance_transaction": balance,
            "created": sent.as_second(), "currency": "usd", "description": "STRIPE PAYOUT", "destination": bank,
            "failure_balance_transaction": null, "failure_code": failure,
            "failure_message": "The bank could not process this payout.", "livemode": false, "metadata": {},
            "method": "standard", "original_payout": null, "payout_method": null,
            "reconciliation_status": "completed", "reversed_by": null, "source_type": "card",
            "statement_descriptor": null, "status": "failed", "trace_id": null, "type": "bank_account",
        });
        self.emit("payout.failed", &payout, &Call::by_itself(now, ""));
        id
    }

    /// Admin API: a card network warns of a payment at `now`; returns the warning's id.
    ///
    /// # Errors
    /// A message.
    pub fn warn_of_fraud_at(&mut self, payment: &str, now: Timestamp) -> Result<String, String> {
        let charge = self
            .ledger
            .get("payment_intents", payment)
            .and_then(|intent| intent["latest_charge"].as_str())
            .and_then(|charge| self.ledger.get("charges", charge))
            .filter(|charge| charge["paid"] == true)
            .cloned()
            .ok_or_else(|| format!("payment_intent: {payment} was never paid"))?;
        let id = self.ledger.id("issfr_1", 23);
        let warning = json!({
            "id": id, "object": "radar.early_fraud_warning", "actionable": charge["refunded"] != true,
            "charge": charge["id"], "created": now.as_second(), "fraud_type": "unauthorized_use_of_card",
            "livemode": false, "payment_intent": payment,
        });
        self.emit(
            "radar.early_fraud_warning.created",
            &warning,
            &Call::by_itself(now, ""),
        );
        Ok(id)
    }
}
