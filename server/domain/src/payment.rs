//! Payments, refunds, disputes and cards as the payment system reports them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    card_id::CardId,
    email_address::EmailAddress,
    hold::Hold,
    money::{Cents, Currency},
    payment_intent_id::PaymentIntentId,
    statement_suffix::StatementSuffix,
};

/// The Stripe account of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// `acct_…`.
    pub id: String,
    /// ISO code of the account's default currency, lower case; payments in another currency are
    /// converted on payout. Empty if unknown.
    pub currency: String,
    /// Whether it can charge cards; true if Stripe does not say.
    pub takes_payments: bool,
    /// Whether Stripe pays out to the hotel's bank account; true if Stripe does not say.
    pub pays_out: bool,
    /// Names of the information that Stripe should have got by now.
    pub past_due: Vec<String>,
    /// Stripe's code for why it restricts the account.
    pub disabled_reason: Option<String>,
    /// Prefix of its lines on cardholders' statements, if known.
    pub statement_prefix: Option<String>,
}

/// A failed payout to the hotel's bank account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payout {
    /// Payout id, `po_…`.
    pub id: String,
    pub amount: Cents,
    /// ISO code of its currency, lower case.
    pub currency: String,
    /// Why it failed, in the bank's words, or Stripe's code.
    pub failure: Option<String>,
}

/// A card network's early warning that a payment may be fraud. Often a dispute follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FraudWarning {
    /// Warning id, `issfr_…`.
    pub id: String,
    /// Stripe's code for the kind of fraud.
    pub kind: String,
}

/// Stripe's published test cards for a demo: id and description.
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

/// A saved card; never its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// Payment method id.
    pub id: CardId,
    /// Brand, such as `visa`.
    pub brand: String,
    /// Last four digits.
    pub last4: String,
    /// True for the card used when none is named.
    pub default: bool,
}

/// Metadata of a customer: record id of the guest's contact.
pub const CUSTOMER_CONTACT: &str = "contact_id";

/// A customer of the payment system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    /// Customer id, `cus_…`.
    pub id: String,
    pub default_card: Option<CardId>,
    /// Record id of the guest's contact; `None` if another program or an older release made it.
    pub contact_id: Option<String>,
}

impl AsRef<Self> for Customer {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// Status of a payment intent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    /// No usable card yet, or the last one was declined.
    RequiresPaymentMethod,
    /// Created but not confirmed.
    RequiresConfirmation,
    /// The guest must act at their bank.
    RequiresAction,
    /// The bank is processing it.
    Processing,
    /// Authorized, not captured.
    RequiresCapture,
    Canceled,
    /// Captured.
    Succeeded,
    /// A status this program does not know.
    Other(String),
}

/// A payment intent with its latest charge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    pub id: PaymentIntentId,
    pub status: PaymentStatus,
    /// Requested amount.
    pub amount: Cents,
    /// Captured amount.
    pub received: Cents,
    /// Refunded amount of what was captured; what a hold releases is none.
    pub refunded: Cents,
    /// Hold that can be captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<Hold>,
    pub currency: Currency,
    /// Customer id, `cus_…`.
    pub customer: Option<String>,
    /// Charge id, `ch_…`.
    pub charge_id: Option<String>,
    /// Receipt URL for the guest.
    pub receipt_url: Option<String>,
    /// Last four digits of the card.
    pub last4: Option<String>,
    /// Brand of the card (`visa`); empty in journals written by older releases.
    #[serde(default)]
    pub card_brand: Option<String>,
    /// URL where the guest has to act.
    pub next_action_url: Option<String>,
    /// Metadata we set: `execution_id`, `booking_number`; never `guest_email`.
    pub metadata: BTreeMap<String, String>,
    /// Creation time (whole seconds).
    pub created: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatus {
    /// In progress.
    Pending,
    /// The guest must act.
    RequiresAction,
    /// Accepted by the bank; may still fail later.
    Succeeded,
    /// Failed; the money came back.
    Failed,
    Canceled,
    /// A status this program does not know.
    Other(String),
}

impl RefundStatus {
    /// Whether the refund has not failed: as far as known, the money is returned or on its way.
    #[must_use]
    pub const fn is_effective(&self) -> bool {
        matches!(self, Self::Pending | Self::RequiresAction | Self::Succeeded)
    }
}

impl Refund {
    #[must_use]
    pub fn effective_sum<'a>(refunds: impl IntoIterator<Item = &'a Self>) -> Cents {
        let effective = refunds.into_iter().filter(|r| r.status.is_effective());
        effective.map(|refund| refund.amount).sum()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refund {
    /// Refund id, `re_…`.
    pub id: String,
    pub status: RefundStatus,
    pub amount: Cents,
    pub payment_intent: PaymentIntentId,
    /// Creation time (whole seconds).
    #[serde(default)]
    pub created: Option<Timestamp>,
    /// Stripe's reason code, such as `requested_by_customer`; refunds made in the dashboard have
    /// one.
    #[serde(default)]
    pub reason: Option<String>,
    /// Metadata its creator set; empty if it was made in Stripe's dashboard.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
}

/// A dispute: the cardholder denies a payment, and the bank holds the money until it decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// Dispute id, `du_…`.
    pub id: String,
    /// Stripe's status: `needs_response`, `under_review`, `won`, `lost`, `warning_…`.
    pub status: String,
    pub amount: Cents,
    pub payment_intent: PaymentIntentId,
    /// Stripe's reason code, such as `fraudulent`.
    pub reason: String,
    /// Deadline for evidence; Stripe reports none once the dispute is closed.
    pub due_by: Option<Timestamp>,
    /// Opening time (whole seconds).
    pub created: Timestamp,
}

impl Dispute {
    /// Whether it was won or withdrawn.
    #[must_use]
    pub fn is_over_well(&self) -> bool {
        matches!(self.status.as_str(), "won" | "warning_closed" | "prevented")
    }

    /// Whether it is only a question of the bank so far: no money is withdrawn.
    #[must_use]
    pub fn is_inquiry(&self) -> bool {
        self.status.starts_with("warning_")
    }

    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.status == "lost"
    }
}

/// A refund or dispute of any payment on the account, with that payment's metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithPaymentMetadata<T> {
    /// The refund or dispute.
    pub item: T,
    pub payment_metadata: BTreeMap<String, String>,
}

/// A list that also names the objects that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<T> {
    /// Readable objects.
    pub items: Vec<T>,
    /// Unreadable objects.
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
    /// Object id.
    pub id: String,
    /// Creation time, if readable.
    pub created: Option<Timestamp>,
    /// Metadata, if readable.
    pub metadata: BTreeMap<String, String>,
    /// What is wrong with it.
    pub why: String,
}

/// What people read about a payment; each is left out unless the hotel configures it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaymentTexts {
    /// Description in Stripe's dashboard, on its receipts and in its exports.
    pub description: Option<String>,
    /// Second part of the line on the cardholder's statement, after the account's own prefix.
    pub statement_suffix: Option<StatementSuffix>,
    /// Address that Stripe sends its own receipt to.
    pub receipt_email: Option<EmailAddress>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentOrder {
    pub amount: Cents,
    pub currency: Currency,
    pub customer: Option<String>,
    /// Card to charge.
    pub payment_method: CardId,
    /// Whether the customer keeps the card, for charges without the guest. Its owner has agreed.
    pub save_card: bool,
    /// URL the bank sends the guest back to.
    pub return_url: String,
    /// What people read about it.
    pub texts: PaymentTexts,
    /// Metadata to set: `execution_id`, `booking_number`, `room_number`.
    pub metadata: BTreeMap<String, String>,
    /// Idempotency key of the operation.
    pub key: String,
}

/// A refund to create, always of the whole remainder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundOrder {
    pub payment_intent: PaymentIntentId,
    /// Metadata to set.
    pub metadata: BTreeMap<String, String>,
    /// Idempotency key of the operation.
    pub key: String,
}
