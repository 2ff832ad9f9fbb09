//! Result of `process_guest_checkout`.

use serde::{Deserialize, Serialize};

use crate::{
    booking_number::BookingNumber,
    money::{Cents, Currency},
    payment_intent_id::PaymentIntentId,
    room_number::RoomNumber,
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};

/// Result of a check-out. What an older release did not record is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CheckOutResult {
    /// Booking number: `BK-0042`.
    pub booking_number: Option<BookingNumber>,
    /// Room number: `302`.
    pub room_number: Option<RoomNumber>,
    /// Amount charged.
    pub amount: Cents,
    /// Currency.
    pub currency: Option<Currency>,
    /// Status of the booking now.
    pub booking_status: Option<BookingStatus>,
    /// Status of the room now.
    pub room_status: Option<RoomStatus>,
    /// Stage of the opportunity now.
    pub opportunity_stage: Option<OpportunityStage>,
    /// Stripe's payment intent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_intent_id: Option<PaymentIntentId>,
    /// Stripe's charge: `ch_…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charge_id: Option<String>,
    /// Stripe's receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt_url: Option<String>,
    /// Brand of the card, such as `visa`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_brand: Option<String>,
    /// Last four digits of the card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_last4: Option<String>,
    /// Balance left open on purpose; negative is owed to the guest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_open: Option<Cents>,
    /// What else the guest should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl CheckOutResult {
    /// Amount that the card was charged, if any.
    #[must_use]
    pub fn charged(&self) -> Option<(Cents, Currency)> {
        Some((self.amount, self.currency?)).filter(|(amount, _)| amount.0 > 0)
    }
}
