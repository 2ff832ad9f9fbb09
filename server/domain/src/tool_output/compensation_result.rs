//! Result of `compensate_checkout_failure`.

use serde::{Deserialize, Serialize};

use crate::{
    booking_number::BookingNumber,
    money::{Cents, Currency},
    payment_intent_id::PaymentIntentId,
    vocabulary::CompensationStatus,
};

/// Compensation of one payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompensationResult {
    /// Payment.
    pub payment_intent_id: PaymentIntentId,
    /// Refund: `re_…`; none if another execution refunded.
    pub refund_id: Option<String>,
    /// Refunded amount.
    pub refunded: Cents,
    /// Currency.
    pub currency: Currency,
    /// State of the compensation.
    pub status: CompensationStatus,
    /// Booking that was paid: `BK-0042`.
    pub booking_number: Option<BookingNumber>,
    /// Execution that compensated: `exe_…`.
    pub compensated_by: String,
    /// Who requested it, in order.
    #[serde(default)]
    pub triggers: Vec<String>,
}
