//! Fields of Stripe's objects that are used here. Unknown fields are ignored; a new status is kept
//! as it is.

use std::collections::BTreeMap;

use dewy_domain::{
    card_id::CardId,
    hold::Hold,
    money::Cents,
    payment::{
        Account, CUSTOMER_CONTACT, Card, Customer, Dispute, Payment, PaymentStatus,
        WithPaymentMetadata,
    },
    payment_intent_id::PaymentIntentId,
};
use jiff::Timestamp;
use serde::{
    Deserialize,
    de::{DeserializeOwned, IntoDeserializer, value},
};

/// Reason why an object was not parsed.
#[derive(Debug)]
pub(super) enum Unread {
    /// It can't belong to this hotel: another currency, or a refund without a payment.
    NotOurs,
    /// It lacks a required field.
    Lacks(&'static str),
}

/// Linked object: only its id, or expanded (`expand`).
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Linked<T> {
    Id(String),
    Full(Box<T>),
}

#[derive(Debug, Deserialize)]
pub(crate) struct ObjectId {
    id: String,
}

impl Linked<ObjectId> {
    pub(crate) fn into_id(self) -> String {
        match self {
            Self::Id(id) => id,
            Self::Full(object) => object.id,
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct CustomerRow {
    id: String,
    #[serde(default)]
    pub(super) created: i64,
    email: Option<String>,
    invoice_settings: Option<InvoiceSettings>,
    metadata: Option<BTreeMap<String, String>>,
}

#[derive(Debug, Deserialize)]
struct InvoiceSettings {
    default_payment_method: Option<Linked<ObjectId>>,
}

impl CustomerRow {
    /// Lowercase email; `None` if empty.
    pub(super) fn email(&self) -> Option<String> {
        self.email
            .as_ref()
            .map(|email| email.trim().to_lowercase())
            .filter(|email| !email.is_empty())
    }
}

impl From<CustomerRow> for Customer {
    fn from(row: CustomerRow) -> Self {
        let default = row
            .invoice_settings
            .and_then(|settings| settings.default_payment_method);
        Self {
            id: row.id,
            default_card: default.map(Linked::into_id).map(CardId::from),
            contact_id: row.metadata.unwrap_or_default().remove(CUSTOMER_CONTACT),
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct CardRow {
    id: CardId,
    card: CardFacts,
    customer: Option<Linked<CustomerRow>>,
}

#[derive(Debug, Deserialize)]
struct CardFacts {
    brand: String,
    last4: String,
}

impl From<CardRow> for Card {
    fn from(row: CardRow) -> Self {
        let owner = match row.customer {
            Some(Linked::Full(customer)) => Some(Customer::from(*customer)),
            _ => None,
        };
        let default = owner.is_some_and(|owner| owner.default_card.as_ref() == Some(&row.id));
        Self {
            id: row.id,
            brand: row.card.brand,
            last4: row.card.last4,
            default,
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct PaymentRow {
    id: PaymentIntentId,
    status: String,
    amount: i64,
    amount_received: Option<i64>,
    amount_capturable: Option<i64>,
    currency: String,
    customer: Option<Linked<ObjectId>>,
    payment_method: Option<Linked<ObjectId>>,
    latest_charge: Option<Linked<ChargeRow>>,
    next_action: Option<NextAction>,
    metadata: Option<BTreeMap<String, String>>,
    created: i64,
}

#[derive(Debug, Deserialize)]
pub(super) struct ChargeRow {
    pub(super) id: String,
    amount: Option<i64>,
    amount_captured: Option<i64>,
    #[serde(default)]
    amount_refunded: i64,
    receipt_url: Option<String>,
    payment_method_details: Option<MethodDetails>,
}

#[derive(Debug, Deserialize)]
struct MethodDetails {
    card: Option<ChargedCard>,
}

#[derive(Debug, Deserialize)]
struct ChargedCard {
    last4: Option<String>,
    brand: Option<String>,
    capture_before: Option<i64>,
}

impl ChargeRow {
    /// Authorized part that was not captured. While a hold is live, none of it is refunded.
    pub(super) const fn released(&self) -> i64 {
        match (self.amount, self.amount_captured) {
            (Some(amount), Some(captured)) => amount - captured,
            _ => 0,
        }
    }

    /// Refunded part of what was captured. Stripe counts what a hold releases as refunded too.
    pub(super) fn refunded(&self) -> i64 {
        (self.amount_refunded - self.released()).max(0)
    }
}

#[derive(Debug, Deserialize)]
struct NextAction {
    redirect_to_url: Option<Redirect>,
}

#[derive(Debug, Deserialize)]
struct Redirect {
    url: Option<String>,
}

impl PaymentRow {
    /// The received amount is never guessed: a succeeded payment without an amount is rejected.
    pub(super) fn payment(self) -> Result<Payment, Unread> {
        let (charge_id, charge) = match self.latest_charge {
            Some(Linked::Full(charge)) => (Some(charge.id.clone()), Some(charge)),
            Some(Linked::Id(id)) => (Some(id), None),
            None => (None, None),
        };
        let status = status(&self.status, PaymentStatus::Other);
        let captured = charge.as_ref().and_then(|charge| charge.amount_captured);
        let received = match (self.amount_received.or(captured), &status) {
            (Some(received), _) => received,
            (None, PaymentStatus::Succeeded | PaymentStatus::Other(_)) => {
                return Err(Unread::Lacks("amount_received"));
            }
            // Nothing is received before it has succeeded.
            (None, _) => 0,
        };
        let capturable = match (self.amount_capturable, &status) {
            (None, PaymentStatus::RequiresCapture) => {
                return Err(Unread::Lacks("amount_capturable"));
            }
            (capturable, _) => capturable.filter(|capturable| *capturable > 0),
        };
        let card = charge
            .as_ref()
            .and_then(|c| c.payment_method_details.as_ref()?.card.as_ref());
        Ok(Payment {
            id: self.id,
            status,
            amount: Cents(self.amount),
            received: Cents(received),
            refunded: Cents(charge.as_ref().map_or(0, |c| c.refunded())),
            hold: capturable.map(|capturable| Hold {
                capturable: Cents(capturable),
                capture_before: card.and_then(|c| Timestamp::from_second(c.capture_before?).ok()),
                card: (self.payment_method.map(Linked::into_id)).map(CardId::from),
            }),
            currency: self.currency.parse().map_err(|_| Unread::NotOurs)?,
            customer: self.customer.map(Linked::into_id),
            charge_id,
            receipt_url: charge.as_ref().and_then(|c| c.receipt_url.clone()),
            last4: card.and_then(|c| c.last4.clone()),
            card_brand: card.and_then(|c| c.brand.clone()),
            next_action_url: self
                .next_action
                .and_then(|action| action.redirect_to_url?.url),
            metadata: self.metadata.unwrap_or_default(),
            created: Timestamp::from_second(self.created)
                .map_err(|_| Unread::Lacks("moment it was made"))?,
        })
    }
}

/// Payment of which only the metadata is needed.
#[derive(Debug, Deserialize)]
pub(super) struct MarkedRow {
    id: PaymentIntentId,
    metadata: Option<BTreeMap<String, String>>,
}

/// Payment id, and its metadata if expanded.
pub(super) fn marks(
    payment: Option<Linked<MarkedRow>>,
) -> Result<(PaymentIntentId, BTreeMap<String, String>), Unread> {
    match payment {
        None => Err(Unread::NotOurs),
        Some(Linked::Id(id)) => match id.parse() {
            Ok(id) => Ok((id, BTreeMap::new())),
            Err(_) => Err(Unread::Lacks("payment")),
        },
        Some(Linked::Full(row)) => Ok((row.id, row.metadata.unwrap_or_default())),
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct AccountRow {
    id: String,
    default_currency: Option<String>,
    charges_enabled: Option<bool>,
    payouts_enabled: Option<bool>,
    requirements: Option<Requirements>,
    settings: Option<AccountSettings>,
}

#[derive(Debug, Default, Deserialize)]
struct AccountSettings {
    card_payments: Option<CardPayments>,
}

#[derive(Debug, Deserialize)]
struct CardPayments {
    statement_descriptor_prefix: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct Requirements {
    past_due: Option<Vec<String>>,
    disabled_reason: Option<String>,
}

impl From<AccountRow> for Account {
    fn from(row: AccountRow) -> Self {
        let requirements = row.requirements.unwrap_or_default();
        Self {
            id: row.id,
            currency: row.default_currency.unwrap_or_default().to_lowercase(),
            takes_payments: row.charges_enabled.unwrap_or(true),
            pays_out: row.payouts_enabled.unwrap_or(true),
            past_due: requirements.past_due.unwrap_or_default(),
            disabled_reason: requirements.disabled_reason,
            statement_prefix: row
                .settings
                .and_then(|settings| settings.card_payments?.statement_descriptor_prefix),
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct DisputeRow {
    id: String,
    status: String,
    amount: i64,
    payment_intent: Option<Linked<MarkedRow>>,
    reason: Option<String>,
    evidence_details: Option<EvidenceDetails>,
    created: i64,
}

#[derive(Debug, Deserialize)]
struct EvidenceDetails {
    due_by: Option<i64>,
}

impl DisputeRow {
    pub(super) fn dispute(self) -> Result<Dispute, Unread> {
        self.on_account().map(|dispute| dispute.item)
    }

    pub(super) fn on_account(self) -> Result<WithPaymentMetadata<Dispute>, Unread> {
        let (payment_intent, payment_metadata) = marks(self.payment_intent)?;
        let due = self.evidence_details.and_then(|details| details.due_by);
        let item = Dispute {
            id: self.id,
            status: self.status,
            amount: Cents(self.amount),
            payment_intent,
            reason: self.reason.unwrap_or_default(),
            due_by: due.and_then(|at| Timestamp::from_second(at).ok()),
            created: Timestamp::from_second(self.created)
                .map_err(|_| Unread::Lacks("moment it was opened"))?,
        };
        Ok(WithPaymentMetadata {
            item,
            payment_metadata,
        })
    }
}

/// Status of that name; `other` keeps one that is not known.
pub(crate) fn status<T: DeserializeOwned>(word: &str, other: fn(String) -> T) -> T {
    let known: Result<T, value::Error> = T::deserialize(word.into_deserializer());
    known.unwrap_or_else(|_| other(word.to_owned()))
}
