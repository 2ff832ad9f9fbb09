//! Result of `check_in_guest`.

use crate::{
    booking_number::BookingNumber,
    money::{Cents, Currency},
    output_schema::tool_output,
    payment_intent_id::PaymentIntentId,
    room_number::RoomNumber,
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};
use jiff::civil::Date;

tool_output! {
    /// Result of a check-in.
    CheckInResult {
        booking_number: BookingNumber,
        room_number: RoomNumber,
        check_in_date: Date,
        check_out_date: Date,
        booking_status: BookingStatus,
        room_status: RoomStatus,
        opportunity_stage: OpportunityStage,
        /// Amount reserved on the card until check-out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hold: Option<Cents>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        currency: Option<Currency>,
        /// The hold's payment intent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        payment_intent_id: Option<PaymentIntentId>,
        /// Brand of the card, such as `visa`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card_brand: Option<String>,
        /// Last four digits of the card.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card_last4: Option<String>,
        /// What else the caller should know.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    }
}

impl CheckInResult {
    /// Note of a check-in that found the guest checked in.
    pub const BEFORE: &str = "This guest was checked in before; nothing was changed now.";

    /// Amount that the card reserves, if any.
    #[must_use]
    pub fn held(&self) -> Option<(Cents, Currency)> {
        self.hold.zip(self.currency)
    }

    /// Whether the guest had been checked in before.
    #[must_use]
    pub fn was_before(&self) -> bool {
        self.note.as_deref() == Some(Self::BEFORE)
    }
}
