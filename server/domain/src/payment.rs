//! Payments, refunds and cards as the payment system tells them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::money::{Cents, Currency};

/// The account that a key opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// `acct_…`.
    pub id: String,
    /// ISO code of its own currency, lower case; what is charged in another one is converted when
    /// it is paid out. Empty if unknown.
    pub currency: String,
}

/// Stripe's published test cards for a demo: id, what it is and does.
pub const TEST_CARDS: [(&str, &str); 5] = [
    ("pm_card_visa", "Visa •••• 4242, which pays"),
    ("pm_card_mastercard", "Mastercard •••• 4444, which pays"),
    (
        "pm_card_visa_chargeDeclined",
        "Visa •••• 0002, which is declined",
    ),
    (
        "pm_card_visa_chargeDeclinedInsufficientFunds",
        "Visa •••• 9995, which has no funds",
    ),
    (
        "pm_card_authenticationRequired",
        "Visa •••• 3184, whose bank wants to ask you first",
    ),
];

/// The longest part of a card's id after `pm_` that is believed to be one.
pub const LONGEST_CARD_ID: usize = 100;

/// Whether it looks like a card's id at Stripe (`pm_…`), as the tools' schema has it. What it
/// stands for only Stripe can say.
#[must_use]
pub fn is_card_id(text: &str) -> bool {
    let rest = text.strip_prefix("pm_").unwrap_or_default();
    (1..=LONGEST_CARD_ID).contains(&rest.len())
        && rest
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
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
    /// When it was made (whole seconds).
    #[serde(default)]
    pub created: Option<Timestamp>,
    /// Stripe's reason word, such as `requested_by_customer`; those of the dashboard have one.
    #[serde(default)]
    pub reason: Option<String>,
    /// What its maker wrote on it; nothing, if it was made in Stripe's dashboard.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
}

/// A dispute: the card's owner denies a payment, and the bank has taken the money back until it
/// decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// `du_…`.
    pub id: String,
    /// Stripe's word: `needs_response`, `under_review`, `won`, `lost`, `warning_…`.
    pub status: String,
    /// How much is disputed.
    pub amount: Cents,
    /// Of which payment.
    pub payment_intent: String,
    /// Stripe's reason word, such as `fraudulent`.
    pub reason: String,
    /// Until when evidence can be handed in; Stripe tells none once it is closed.
    pub due_by: Option<Timestamp>,
    /// When it was opened (whole seconds).
    pub created: Timestamp,
}

impl Dispute {
    /// The bank has decided, or withdrawn it, in the hotel's favor.
    #[must_use]
    pub fn is_over_well(&self) -> bool {
        matches!(self.status.as_str(), "won" | "warning_closed" | "prevented")
    }

    /// The bank has decided against the hotel.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.status == "lost"
    }
}

/// A refund or dispute of anybody's payment on the account, with what that payment's maker wrote on
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnAccount<T> {
    /// The refund or dispute.
    pub item: T,
    /// The payment's metadata.
    pub payment_metadata: BTreeMap<String, String>,
}

/// A list in which single objects could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<T> {
    /// Those that could.
    pub items: Vec<T>,
    /// Those that could not.
    pub unreadable: Vec<Unreadable>,
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            unreadable: Vec::new(),
        }
    }
}

/// A listed object that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Its id.
    pub id: String,
    /// When it was made, if that can be read.
    pub created: Option<Timestamp>,
    /// What is written on it, if that can be read.
    pub metadata: BTreeMap<String, String>,
    /// What is wrong with it.
    pub why: String,
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
        for id in [
            "",
            "pm_",
            "card_1",
            "4242424242424242",
            "pm_1 2",
            "pm_1\n",
            "pm_é",
            "another",
            &format!("{longest}x"),
        ] {
            assert!(!is_card_id(id), "{id}");
        }
    }
}
