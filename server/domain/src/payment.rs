//! Payments, refunds and cards as the payment system tells them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::money::{Cents, Currency};

/// Stripe's published test cards for a demo: id, what it is and does.
pub const TEST_CARDS: [(&str, &str); 5] = [
    ("pm_card_visa", "Visa •••• 4242, which pays"),
    ("pm_card_mastercard", "Mastercard •••• 4444, which pays"),
    ("pm_card_visa_chargeDeclined", "Visa •••• 0002, which is declined"),
    ("pm_card_visa_chargeDeclinedInsufficientFunds", "Visa •••• 9995, which has no funds"),
    ("pm_card_authenticationRequired", "Visa •••• 3184, whose bank wants to ask you first"),
];

/// The longest part of a card's id after `pm_` that is believed to be one.
pub const LONGEST_CARD_ID: usize = 100;

/// Whether it looks like a card's id at Stripe (`pm_…`), as the tools' schema has it. What it stands for only Stripe can say.
#[must_use]
pub fn is_card_id(text: &str) -> bool {
    let rest = text.strip_prefix("pm_").unwrap_or_default();
    (1..=LONGEST_CARD_ID).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A saved card; never its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// `pm_…`.
    pub id: String,
    /// `visa`.
    pub brand: String,
    /// Last four digits.
    pub last4: String,
    /// True for the one that is used when none is named.
    pub default: bool,
}

/// A payment system's customer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    /// `cus_…`.
    pub id: String,
    /// The default card's id.
    pub default_card: Option<String>,
}

/// Where a payment stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    /// No usable card yet, or the last one was declined.
    RequiresPaymentMethod,
    /// Made but not confirmed.
    RequiresConfirmation,
    /// The guest has to do something at their bank.
    RequiresAction,
    /// The bank is thinking.
    Processing,
    /// Held, not taken.
    RequiresCapture,
    /// Called off.
    Canceled,
    /// Taken.
    Succeeded,
    /// Something newer than this program.
    Other(String),
}

/// A payment intent with its latest charge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// `pi_…`.
    pub id: String,
    /// Where it stands.
    pub status: PaymentStatus,
    /// What was asked for.
    pub amount: Cents,
    /// What was taken.
    pub received: Cents,
    /// What was given back of it.
    pub refunded: Cents,
    /// In what.
    pub currency: Currency,
    /// `cus_…`.
    pub customer: Option<String>,
    /// `ch_…`.
    pub charge_id: Option<String>,
    /// For the guest.
    pub receipt_url: Option<String>,
    /// Last four digits of the card.
    pub last4: Option<String>,
    /// Where the guest has to act.
    pub next_action_url: Option<String>,
    /// What we wrote on it: `execution_id`, `booking_number`, `guest_email` never.
    pub metadata: BTreeMap<String, String>,
    /// When it was made (whole seconds).
    pub created: Timestamp,
}

/// Where a refund stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatus {
    /// Under way.
    Pending,
    /// The guest has to do something.
    RequiresAction,
    /// Accepted by the bank; may still fail later.
    Succeeded,
    /// It came back.
    Failed,
    /// Called off.
    Canceled,
    /// Something newer than this program.
    Other(String),
}

impl RefundStatus {
    /// The money is on its way back or there, as far as is known now.
    #[must_use]
    pub const fn stands(&self) -> bool {
        matches!(self, Self::Pending | Self::RequiresAction | Self::Succeeded)
    }
}

/// A refund.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refund {
    /// `re_…`.
    pub id: String,
    /// Where it stands.
    pub status: RefundStatus,
    /// How much.
    pub amount: Cents,
    /// Of which payment.
    pub payment_intent: String,
}

/// What to charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentOrder {
    /// How much.
    pub amount: Cents,
    /// In what.
    pub currency: Currency,
    /// Whom.
    pub customer: Option<String>,
    /// With which card.
    pub payment_method: String,
    /// Where the bank sends the guest back to.
    pub return_url: String,
    /// Written on the payment: `execution_id`, `booking_number`, `room_number`.
    pub metadata: BTreeMap<String, String>,
    /// The operation's own key.
    pub key: String,
}

/// What to give back: always the whole remainder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundOrder {
    /// Of which payment.
    pub payment_intent: String,
    /// Written on the refund.
    pub metadata: BTreeMap<String, String>,
    /// The operation's own key.
    pub key: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cards_id_is_plain_and_not_too_long() {
        let longest = format!("pm_{}", "x".repeat(LONGEST_CARD_ID));
        for id in ["pm_card_visa", "pm_1BethVisa4242", &longest] {
            assert!(is_card_id(id), "{id}");
        }
        for id in
            ["", "pm_", "card_1", "4242424242424242", "pm_1 2", "pm_1\n", "pm_é", "another", &format!("{longest}x")]
        {
            assert!(!is_card_id(id), "{id}");
        }
    }
}
