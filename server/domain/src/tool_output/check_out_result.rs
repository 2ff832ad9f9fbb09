//! Result of `process_guest_checkout`.

use crate::{
    booking_number::BookingNumber,
    money::{Cents, Currency},
    output_schema::tool_output,
    payment_intent_id::PaymentIntentId,
    room_number::RoomNumber,
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};

tool_output! {
    /// Result of a check-out. What an older release did not record is empty.
    #[derive(Default)]
    #[serde(default)]
    CheckOutResult {
        booking_number: Option<BookingNumber>,
        room_number: Option<RoomNumber>,
        amount: Cents,
        currency: Option<Currency>,
        booking_status: Option<BookingStatus>,
        room_status: Option<RoomStatus>,
        opportunity_stage: Option<OpportunityStage>,
        /// Stripe's payment intent.
        #[serde(skip_serializing_if = "Option::is_none")]
        payment_intent_id: Option<PaymentIntentId>,
        /// Stripe's charge: `ch_…`.
        #[serde(skip_serializing_if = "Option::is_none")]
        charge_id: Option<String>,
        /// Stripe's receipt.
        #[serde(skip_serializing_if = "Option::is_none")]
        receipt_url: Option<String>,
        /// Brand of the card, such as `visa`.
        #[serde(skip_serializing_if = "Option::is_none")]
        card_brand: Option<String>,
        /// Last four digits of the card.
        #[serde(skip_serializing_if = "Option::is_none")]
        card_last4: Option<String>,
        /// Amount that was reserved on the card before, if any.
        #[serde(skip_serializing_if = "Option::is_none")]
        reserved: Option<Cents> = "Amount reserved on the card before, in cents.",
        /// Part of it that was not charged.
        #[serde(skip_serializing_if = "Option::is_none")]
        released: Option<Cents> = "Part of it that was released, in cents.",
        /// Balance left open on purpose, or because the card was refused; negative is owed to the guest.
        #[serde(skip_serializing_if = "Option::is_none")]
        left_open: Option<Cents> = "Balance left open, in cents; negative is owed to the guest.",
        /// What else the guest should know.
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    }
}

impl CheckOutResult {
    /// Amount that the card was charged, if any.
    #[must_use]
    pub fn charged(&self) -> Option<(Cents, Currency)> {
        Some((self.amount, self.currency?)).filter(|(amount, _)| amount.0 > 0)
    }
}
