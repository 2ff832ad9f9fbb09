//! The few fields of Stripe's objects that are used here. What is unknown is ignored, a new status is kept as it is.

use std::collections::BTreeMap;

use dewy_domain::{
    money::Cents,
    payment::{Card, Customer, Payment, PaymentStatus, Refund, RefundStatus},
};
use jiff::Timestamp;
use serde::Deserialize;

use super::Identified;

/// An object that is either only named or here in full (`expand`).
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Linked<T> {
    Id(String),
    Full(Box<T>),
}

#[derive(Debug, Deserialize)]
pub(crate) struct Named {
    id: String,
}

impl Linked<Named> {
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
    email: Option<String>,
    #[serde(default)]
    invoice_settings: Option<InvoiceSettings>,
}

#[derive(Debug, Deserialize)]
struct InvoiceSettings {
    #[serde(default)]
    default_payment_method: Option<Linked<Named>>,
}

impl CustomerRow {
    /// Lower case; an empty one is none.
    pub(super) fn into_email(self) -> Option<String> {
        self.email.map(|email| email.trim().to_lowercase()).filter(|email| !email.is_empty())
    }
}

impl From<CustomerRow> for Customer {
    fn from(row: CustomerRow) -> Self {
        let default = row.invoice_settings.and_then(|settings| settings.default_payment_method);
        Self { id: row.id, default_card: default.map(Linked::into_id) }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct CardRow {
    id: String,
    card: CardFacts,
    #[serde(default)]
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
        Self { id: row.id, brand: row.card.brand, last4: row.card.last4, default }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct PaymentRow {
    id: String,
    status: String,
    amount: i64,
    #[serde(default)]
    amount_received: i64,
    currency: String,
    #[serde(default)]
    customer: Option<Linked<Named>>,
    #[serde(default)]
    latest_charge: Option<Linked<ChargeRow>>,
    #[serde(default)]
    next_action: Option<NextAction>,
    #[serde(default)]
    metadata: Option<BTreeMap<String, String>>,
    created: i64,
}

#[derive(Debug, Deserialize)]
struct ChargeRow {
    id: String,
    #[serde(default)]
    amount_refunded: i64,
    #[serde(default)]
    receipt_url: Option<String>,
    #[serde(default)]
    payment_method_details: Option<MethodDetails>,
}

#[derive(Debug, Deserialize)]
struct MethodDetails {
    #[serde(default)]
    card: Option<ChargedCard>,
}

#[derive(Debug, Deserialize)]
struct ChargedCard {
    #[serde(default)]
    last4: Option<String>,
}

#[derive(Debug, Deserialize)]
struct NextAction {
    #[serde(default)]
    redirect_to_url: Option<Redirect>,
}

#[derive(Debug, Deserialize)]
struct Redirect {
    #[serde(default)]
    url: Option<String>,
}

impl PaymentRow {
    /// `None` for a currency that this hotel cannot use, so that the payment is not ours.
    pub(super) fn payment(self) -> Option<Payment> {
        let (charge_id, charge) = match self.latest_charge {
            Some(Linked::Full(charge)) => (Some(charge.id.clone()), Some(charge)),
            Some(Linked::Id(id)) => (Some(id), None),
            None => (None, None),
        };
        let card = charge.as_ref().and_then(|c| c.payment_method_details.as_ref()?.card.as_ref());
        Some(Payment {
            id: self.id,
            status: payment_status(&self.status),
            amount: Cents(self.amount),
            received: Cents(self.amount_received),
            refunded: Cents(charge.as_ref().map_or(0, |c| c.amount_refunded)),
            currency: self.currency.parse().ok()?,
            customer: self.customer.map(Linked::into_id),
            charge_id,
            receipt_url: charge.as_ref().and_then(|c| c.receipt_url.clone()),
            last4: card.and_then(|c| c.last4.clone()),
            next_action_url: self.next_action.and_then(|action| action.redirect_to_url?.url),
            metadata: self.metadata.unwrap_or_default(),
            created: Timestamp::from_second(self.created).ok()?,
        })
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct RefundRow {
    id: String,
    #[serde(default)]
    status: Option<String>,
    amount: i64,
    #[serde(default)]
    payment_intent: Option<Linked<Named>>,
}

impl RefundRow {
    /// `None` for a refund of a bare charge: none of ours.
    pub(super) fn refund(self) -> Option<Refund> {
        Some(Refund {
            id: self.id,
            status: refund_status(self.status.as_deref().unwrap_or_default()),
            amount: Cents(self.amount),
            payment_intent: self.payment_intent?.into_id(),
        })
    }
}

fn payment_status(word: &str) -> PaymentStatus {
    match word {
        "requires_payment_method" => PaymentStatus::RequiresPaymentMethod,
        "requires_confirmation" => PaymentStatus::RequiresConfirmation,
        "requires_action" => PaymentStatus::RequiresAction,
        "processing" => PaymentStatus::Processing,
        "requires_capture" => PaymentStatus::RequiresCapture,
        "canceled" => PaymentStatus::Canceled,
        "succeeded" => PaymentStatus::Succeeded,
        other => PaymentStatus::Other(other.to_owned()),
    }
}

pub(crate) fn refund_status(word: &str) -> RefundStatus {
    match word {
        "pending" => RefundStatus::Pending,
        "requires_action" => RefundStatus::RequiresAction,
        "succeeded" => RefundStatus::Succeeded,
        "failed" => RefundStatus::Failed,
        "canceled" => RefundStatus::Canceled,
        other => RefundStatus::Other(other.to_owned()),
    }
}

impl Identified for CustomerRow {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Identified for CardRow {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Identified for PaymentRow {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Identified for RefundRow {
    fn id(&self) -> &str {
        &self.id
    }
}
