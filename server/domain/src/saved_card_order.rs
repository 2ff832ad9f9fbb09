//! Order to reserve or charge an amount on a saved card.

use std::collections::BTreeMap;

use crate::{
    card_id::CardId,
    money::{Cents, Currency},
    payment::PaymentTexts,
};

/// Amount to reserve or charge while the guest is not at the payment form. A card whose bank wants to
/// authenticate the guest is declined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedCardOrder {
    pub amount: Cents,
    pub currency: Currency,
    /// Customer that the card is saved for.
    pub customer: String,
    /// Saved card.
    pub payment_method: CardId,
    /// What people read about it.
    pub texts: PaymentTexts,
    /// Metadata to set: `execution_id`, `booking_number`, `room_number`.
    pub metadata: BTreeMap<String, String>,
    /// Idempotency key of the operation.
    pub key: String,
}
